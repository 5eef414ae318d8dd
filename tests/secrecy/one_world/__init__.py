"""Tests that need no pair of worlds: what is told is held against the oracle, and tables must be complete."""
