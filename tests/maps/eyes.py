"""How colours are seen: their contrast, how they look to colour-blind eyes, and how far apart they look."""

from collections.abc import Callable, Mapping
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from campaign.maps.style.schemes import Colour

Triple = tuple[float, float, float]
Eyes = Callable[[Colour], Triple]
"""From a colour of the screen to the light that these eyes take it for, red, green and blue from 0 to 1."""


def contrast(one: Colour, other: Colour) -> float:
    """From 1 to 21, as WCAG 2.2 defines it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def light(colour: Colour) -> Triple:
    """What eyes that see all colours get of a colour of sRGB."""
    red, green, blue = (_linear(level / 255) for level in colour)
    return red, green, blue


def _linear(level: float) -> float:
    return level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4


# --- colour-blind eyes ------------------------------------------------------------------------------------------------

_LOST: Mapping[str, tuple[Triple, Triple, Triple]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Eyes that lack one kind of cones: Machado, Oliveira and Fernandes, A Physiologically-based Model for
Simulation of Color Vision Deficiency, IEEE TVCG 15 (2009), table 1, at full severity."""


def _without(rows: tuple[Triple, Triple, Triple]) -> Eyes:
    def seen(colour: Colour) -> Triple:
        full = light(colour)
        red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, full, strict=True)))) for row in rows)
        return red, green, blue

    return seen


EYES: Mapping[str, Eyes] = {"all colours": light, **{name: _without(rows) for name, rows in _LOST.items()}}


# --- distance ---------------------------------------------------------------------------------------------------------


def apart(one: Colour, other: Colour, eyes: Eyes = light) -> float:
    """How far apart two colours look to these eyes: CIEDE2000, in which 1 is just seen side by side.

    As Sharma, Wu and Dalal write it down: The CIEDE2000 Color-Difference Formula, Color Research and Application 30
    (2005).
    """
    return ciede2000(_lab(eyes(one)), _lab(eyes(other)))


def _lab(seen: Triple) -> Triple:
    """CIELAB under D65."""
    red, green, blue = seen
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (_root(value) for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29


def ciede2000(one: Triple, other: Triple) -> float:
    """Between two colours of CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - sqrt(chroma / (chroma + 25**7)))
    c1, c2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    h1, h2 = (degrees(atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 and c2 else 0.0
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lightness, colourful = (l1 + l2) / 2, (c1 + c2) / 2
    mean = (h1 + turn / 2) % 360 if c1 and c2 else h1 + h2
    tint = (
        1
        - 0.17 * cos(radians(mean - 30))
        + 0.24 * cos(radians(2 * mean))
        + 0.32 * cos(radians(3 * mean + 6))
        - 0.20 * cos(radians(4 * mean - 63))
    )
    by_l = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    by_c, by_h = 1 + 0.045 * colourful, 1 + 0.015 * colourful * tint
    bent = 60 * exp(-(((mean - 275) / 25) ** 2))
    crossed = -2 * sqrt(colourful**7 / (colourful**7 + 25**7)) * sin(radians(bent))
    dl, dc, dh = (l2 - l1) / by_l, (c2 - c1) / by_c, hue / by_h
    return sqrt(dl**2 + dc**2 + dh**2 + crossed * dc * dh)
