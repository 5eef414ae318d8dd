"""Tags of pages that the guide leads over."""
