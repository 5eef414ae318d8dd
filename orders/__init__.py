"""What players send in."""
