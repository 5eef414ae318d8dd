"""Orders: how they are written, parsed and checked."""
