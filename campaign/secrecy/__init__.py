"""The guard: an answer to a side reads nothing that is not for it."""
