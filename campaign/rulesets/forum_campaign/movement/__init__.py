"""How units move: ways, costs, fuel, saved movement, commandos."""
