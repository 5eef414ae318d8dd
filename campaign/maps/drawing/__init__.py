"""How to draw: ink, geometry, symbols, pictures and what is kept of them."""
