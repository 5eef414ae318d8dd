"""Dice: committed in advance, rolled once, and checked by anyone; and the key that opens them."""
