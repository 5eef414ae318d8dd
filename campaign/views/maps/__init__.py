"""Pages of maps: the board, pictures drawn on request, replays, links to pictures."""
