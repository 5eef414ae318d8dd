"""How to draw: ink, geometry, symbols, pictures and caches."""
