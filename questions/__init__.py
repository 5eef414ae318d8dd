"""Questions about the rules: what players ask the game master, and the answers, which stand for good."""
