"""The record of what was done and rolled in a campaign, which nobody can change unnoticed."""
