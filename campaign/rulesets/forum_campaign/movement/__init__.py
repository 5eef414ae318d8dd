"""How units move: paths, costs, fuel, saved movement, commandos."""
