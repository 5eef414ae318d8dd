"""What comes in by mail: it is read, matched with who may send it, and handed to those who handle it."""
