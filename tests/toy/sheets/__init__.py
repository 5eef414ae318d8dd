"""What players write."""
