"""The guard on what is secret, and the places that are let through."""
