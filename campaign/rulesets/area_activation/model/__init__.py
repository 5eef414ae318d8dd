"""Map, charts, units, orders and facts: what everything else is about."""
