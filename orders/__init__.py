"""What players submit."""
