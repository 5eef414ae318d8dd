"""What a View puts on the map: counters, markers, arrows, supply traces."""
