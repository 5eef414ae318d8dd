"""The rules of one topic each, by their numbers in RULES.md; the sheets are checked by them too."""
