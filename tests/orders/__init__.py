"""Tests of what players send in."""
