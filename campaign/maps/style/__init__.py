"""How maps look and their terms: fonts, colours, layers, words."""
