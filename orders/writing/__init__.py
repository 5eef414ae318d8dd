"""What helps somebody who writes a sheet: how its lines are read, what changed, where to begin, what comes next."""
