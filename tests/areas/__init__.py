"""The area game: its scenarios, odds, rule examples, sheets, bots and bars, and what its game master writes."""
