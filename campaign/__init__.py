"""The game, and what people read of it."""
