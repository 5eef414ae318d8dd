"""What is recorded of a run, and what must be true after it."""
