"""The rules, by their numbers in RULES.md: what happens, what it changes, and who learns of it."""
