"""What the game master does at the desk."""
