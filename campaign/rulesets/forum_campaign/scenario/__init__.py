"""Reads files into values: scenarios, their charts, and the small maps of cases."""
