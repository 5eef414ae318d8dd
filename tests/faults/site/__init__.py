"""A site under faults: its processes, and the servers that it needs."""
