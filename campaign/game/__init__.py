"""Scenarios and states in and out, turn packages, rulebooks, and campaigns played by bots."""
