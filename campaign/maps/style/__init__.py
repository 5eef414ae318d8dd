"""How maps look and what they call things: fonts, colours, layers, terms."""
