"""Who plays while faults happen, and acts that are broken off one by one."""
