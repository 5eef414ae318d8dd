"""What people can check for themselves, dice and record; and what keeps secrets, the guard and what is remembered."""
