"""What else belongs to a day: weather, supply, depots, sighting, purchases, positions, victory."""
