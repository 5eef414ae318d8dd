"""Files to values: scenarios, their charts, and the small maps of cases."""
