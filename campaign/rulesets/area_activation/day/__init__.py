"""A day: its dawn and morning, its turns with their moves and combats, and its evening."""
