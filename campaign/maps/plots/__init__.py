"""Plots: figures by day as SVG for pages and as PNG pictures. They know nothing but the plot that they are given."""

from campaign.maps.plots.picture import draw_plot
from campaign.maps.plots.vector import svg_plot

__all__ = ["draw_plot", "svg_plot"]
