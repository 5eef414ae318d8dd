"""What a bot makes of its side's state: units and enemies, supply, odds, goals and the ways to them."""
