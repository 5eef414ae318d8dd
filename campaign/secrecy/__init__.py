"""The guard: nothing that is answered to a side reads what is not for it."""
