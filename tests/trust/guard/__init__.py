"""The guard on secret tables, and the places in code that may pass it."""
