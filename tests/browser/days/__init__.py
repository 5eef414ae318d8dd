"""Whole tasks and days of newcomers, and of game masters with much to decide."""
