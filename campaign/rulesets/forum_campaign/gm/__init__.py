"""What the game master may correct and rule."""
