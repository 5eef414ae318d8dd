"""Benchmarks: `make bench`. Run by hand, not as tests, as results depend on the machine's load."""
