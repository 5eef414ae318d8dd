"""The land under all views: positions of places, terrain, lines, names."""
