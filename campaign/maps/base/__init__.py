"""The base map as it is rendered and kept: layout, land, legend, palette."""
