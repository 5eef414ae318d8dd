"""Scenarios and states in and out, turn packages, rulebooks; campaigns played without people."""
