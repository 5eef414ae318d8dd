"""A second, small, slow account of what each audience may know, from the rules' reference and not from the code.

It reads stored values as plain JSON, a scenario's files, and nothing of the rulesets. What the product tells is held
against it: see `account`.
"""
