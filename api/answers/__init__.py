"""What operations take and give."""
