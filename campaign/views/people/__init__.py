"""Pages about people: who takes part, how they come in, and what they choose for themselves."""
