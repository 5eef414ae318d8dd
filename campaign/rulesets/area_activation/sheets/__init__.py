"""What may be written in sheets: names, checks, choices, forms, and forecasts of combats."""
