"""What the game master may change, and what the rules leave to them."""
