"""Pages in a real browser. They need Chromium, so they run apart: `make browser`."""
