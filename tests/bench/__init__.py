"""Benchmarks: `make bench`. Run by hand, never as tests that pass or fail with the weather on the machine."""
