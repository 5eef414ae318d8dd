"""What a side does in its portion: attacks, marches and what comes with them."""
