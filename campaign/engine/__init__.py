"""The engine: what every ruleset shares. Pure values and functions; no clock, files, chance, logging or Django."""
