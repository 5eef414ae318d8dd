"""Order sheets: written by taps, forms and text, and never lost."""
