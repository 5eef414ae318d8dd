"""Air units and their missions, supply by air, paratroops."""
