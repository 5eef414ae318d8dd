"""From the text of a sheet to what counts of it."""
