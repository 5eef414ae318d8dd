"""What every package may use: clock, names, logs, failpoints. It knows no rows and no rules."""
