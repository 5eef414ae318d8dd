"""What a view lays over the land: counters, markers, arrows, traces."""
