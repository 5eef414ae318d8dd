"""Maps and charts: Views drawn as PNG pictures. This package knows nothing but Views, so it can show nothing else."""

from campaign.maps.chart import draw_chart
from campaign.maps.land.projection import size_of
from campaign.maps.painter import draw

__all__ = ["draw", "draw_chart", "size_of"]
