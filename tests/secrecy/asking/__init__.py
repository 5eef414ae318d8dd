"""Who asks for what, in which order, by which methods, how often, and what the service remembers meanwhile."""
