"""Whole ways and days of people who have read nothing before, or who have much to decide."""
