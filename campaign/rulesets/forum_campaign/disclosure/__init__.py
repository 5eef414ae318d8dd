"""Who learns what, in words: the release table, reports, charts, Views."""
