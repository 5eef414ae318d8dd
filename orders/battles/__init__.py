"""Battles that are fought outside: read, reported, mailed about."""
