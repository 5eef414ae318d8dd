"""Tests that play one world: what each audience is told by the oracle, and that nothing is left over for others."""
