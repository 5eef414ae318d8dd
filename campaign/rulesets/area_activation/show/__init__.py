"""Who learns what, and how maps, reports and pages show it."""
