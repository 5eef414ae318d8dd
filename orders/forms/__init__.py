"""Forms over the notation: examples, forms that fill a text, results that are already there."""
