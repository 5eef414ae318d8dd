"""Figures of how the project is built: `python -m tests.structure` prints them with their definitions."""
