"""What the operations of game masters take and give."""
