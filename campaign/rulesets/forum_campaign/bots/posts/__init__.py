"""What each hex is worth for a unit, given where all the others are."""
