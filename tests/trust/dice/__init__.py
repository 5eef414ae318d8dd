"""Dice: committed before, rolled once, and checked by people themselves."""
