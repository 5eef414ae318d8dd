"""What the service remembers from one call to the next."""
