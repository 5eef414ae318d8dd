"""Staff rooms: what those who write a side's sheets say to each other about them."""
