"""Boards: places and their neighbours, hexes, and searches."""
