"""Sheets of orders: by taps, by forms, by text."""
