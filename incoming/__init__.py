"""Mail that players send: how it comes in, what it says, and what becomes of it."""
