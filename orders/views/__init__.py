"""Pages: each loads a seat, makes one call and renders."""
