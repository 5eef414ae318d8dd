"""Who plays and acts while the faults happen."""
