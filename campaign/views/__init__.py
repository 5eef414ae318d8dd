"""Pages: each loads a viewer, makes one call and renders."""
