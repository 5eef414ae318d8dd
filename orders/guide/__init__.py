"""The guide through a first phase: its course, and what it says on each page."""
