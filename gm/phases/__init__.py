"""A phase's life: it opens, is locked, adjudicated, reviewed and published."""
