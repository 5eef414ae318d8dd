"""The board: how it is used, and how it looks in dark mode."""
