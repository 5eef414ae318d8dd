"""What bots write, and what they think of it."""
