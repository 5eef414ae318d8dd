"""Maps: a View drawn on its base map, as a PNG picture. Knows Views only, so it can show nothing else."""

from campaign.maps.painter import draw

__all__ = ["draw"]
