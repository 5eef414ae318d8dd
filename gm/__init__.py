"""The game master's work, and the machinery that runs phases."""
