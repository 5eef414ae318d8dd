"""What people can check for themselves: the dice, the record of what was done, whose sheet counted."""
