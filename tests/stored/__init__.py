"""What older releases stored, kept as they stored it: states of rulesets, and whole campaigns as plain rows."""
