"""Small values that everything is made of: their base, ids, moments, totals with reasons, options."""
