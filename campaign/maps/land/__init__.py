"""The land under all views: where places are, terrain, lines, names."""
