"""What a game of the Estuary consists of."""
