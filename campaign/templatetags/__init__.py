"""Words of the templates."""
