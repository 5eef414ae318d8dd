"""What every test shares."""

from hypothesis import settings

# Tests run two at a time on small machines: how long one example takes says nothing about the code.
settings.register_profile("fieldpost", deadline=None)
settings.load_profile("fieldpost")
