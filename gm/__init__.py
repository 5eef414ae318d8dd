"""What the game master does, and everything that makes a phase happen."""
