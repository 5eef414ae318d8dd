"""What everything may use: clock, names, logs, faults made on purpose. It knows no rows and no rules."""
