"""How battles are fought and reported, and what follows: losses, retreats, pursuit."""
