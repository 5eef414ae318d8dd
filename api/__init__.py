"""The API: order sheets for programs. Its answers are those of the pages, as JSON."""
