"""Every colour of a map by its purpose, and the colour schemes of maps."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.engine.values.value import Value, replace
from campaign.maps.style.theme import Frame

Colour = tuple[int, int, int]


class SideColours(Value, frozen=True, cache_hash=True):
    """How one side looks."""

    strong: Colour
    """Frames, arrows, flags, the side's half of the front line."""
    pale: Colour
    """Body of a counter."""
    frame: Frame
    solid: bool
    """Whether the symbol is cut out of the strong colour; otherwise it is strong on an empty ground."""


@dataclass(frozen=True)
class Tint:
    """The colours of one kind of land: its ground, its marks and its edge."""

    fill: Colour
    ink: Colour
    edge: Colour | None = None


@dataclass(frozen=True, eq=False)
class Scheme:
    """The colours of a whole map. Each exists once, so it is the key of all that is cached for it."""

    name: str
    """In addresses and names of files."""
    title: str

    paper: Colour
    border: Colour
    """The paper between the neatline and the land, and under tables."""
    ink: Colour
    quiet: Colour
    """Ink of secondary text."""
    faint: Colour
    """Ink of rules and boxes."""
    halo: Colour
    """Light rims that separate print and signs from the map."""
    blank: Colour
    """The empty ground of symbols and place signs; enemies out of sight fade to it."""
    reverse: Colour
    """Ink on strong colours and plates."""

    lands: Mapping[str, Tint]
    """By kind of land."""
    backdrop: Colour
    """The strongest colour of a picture under the map; the weakest is `border`. All print stands out from both."""
    grid: Colour
    water: Colour
    great_water: Colour
    great_bank: Colour
    water_name: Colour
    great_water_name: Colour
    road_edge: Colour
    road_fill: Colour
    track: Colour
    frontier: Colour
    frontier_band: Colour
    closed: Colour
    fort: Colour
    number: Colour
    """Ids of places."""
    names: tuple[Colour, ...]
    """Names of places by importance."""
    star: Colour

    colours_of_sides: tuple[SideColours, ...]
    """Of the first, second and further sides."""
    neutral: SideColours
    """Of things that belong to no side."""
    sighted: Colour
    """Counter body of an enemy that was only sighted."""
    shade: Colour
    """The shadow of a counter."""
    alarm: Colour
    burst: Colour
    on_burst: Colour
    plates: Mapping[Audience, Colour]
    """Title ground of an audience that is not a side."""

    def side_colours(self, sides: tuple[SideId, ...], side: SideId | None) -> SideColours:
        """How a side looks among these; things of no side are grey.

        Raises ValueError for a side not among them, and for more sides than a map can show apart.
        """
        if side is None:
            return self.neutral
        if side not in sides:
            raise ValueError(f"{side!r} is no side of this map; there are {', '.join(sides) or 'none'}")
        most = len(self.colours_of_sides)
        if len(sides) > most:
            raise ValueError(
                f"a map shows at most {most} sides apart, and this one has {len(sides)}: {', '.join(sides)}"
            )
        return self.colours_of_sides[sides.index(side)]

    def two_sides(self, sides: tuple[SideId, ...]) -> tuple[SideColours, SideColours]:
        """How the first two sides look, whether or not they exist."""
        first, second, *_ = (*(self.side_colours(sides, side) for side in sides), self.neutral, self.neutral)
        return first, second

    def faded(self, one: SideColours) -> SideColours:
        """How an enemy looks that was there some time ago."""
        red, green, blue = ((a + b) // 2 for a, b in zip(one.strong, self.blank, strict=True))
        return replace(one, strong=(red, green, blue))


_SHAPES = ((Frame.SQUARE, True), (Frame.ROUND, False), (Frame.CUT, True), (Frame.NOTCHED, False))


def _side_colours(*colours: tuple[Colour, Colour]) -> tuple[SideColours, ...]:
    """Four sides in these strong and pale colours, which differ in shape too."""
    return tuple(
        SideColours(strong, pale, frame, solid) for (strong, pale), (frame, solid) in zip(colours, _SHAPES, strict=True)
    )


def _nobody(strong: Colour, pale: Colour) -> SideColours:
    return SideColours(strong, pale, Frame.SQUARE, solid=False)


DEFAULT = Scheme(
    name="default",
    title="Default",
    paper=(247, 243, 231),
    border=(251, 248, 240),
    ink=(38, 36, 34),
    quiet=(104, 98, 86),
    faint=(196, 188, 168),
    halo=(250, 247, 236),
    blank=(255, 255, 255),
    reverse=(255, 255, 255),
    lands={
        "clear": Tint((239, 232, 206), (247, 243, 231)),
        "valley": Tint((214, 223, 181), (247, 243, 231)),
        "rough": Tint((227, 212, 173), (196, 174, 128)),
        "woods": Tint((208, 219, 175), (163, 183, 128), (166, 186, 132)),
        "forest": Tint((184, 202, 155), (143, 170, 115), (150, 174, 122)),
        "marsh": Tint((206, 221, 212), (117, 158, 170), (150, 184, 188)),
        "city": Tint((214, 193, 180), (178, 149, 135), (168, 140, 127)),
    },
    backdrop=(146, 144, 140),
    grid=(92, 80, 58),
    water=(66, 136, 184),
    great_water=(70, 134, 188),
    great_bank=(20, 66, 118),
    water_name=(28, 82, 134),
    great_water_name=(20, 66, 118),
    road_edge=(112, 66, 44),
    road_fill=(240, 178, 96),
    track=(144, 104, 76),
    frontier=(92, 62, 104),
    frontier_band=(160, 120, 170),
    closed=(74, 20, 20),
    fort=(84, 72, 60),
    number=(84, 74, 52),
    names=((70, 64, 54), (44, 40, 36), (38, 36, 34), (38, 36, 34)),
    star=(168, 120, 28),
    colours_of_sides=_side_colours(
        ((150, 42, 34), (246, 222, 210)),
        ((26, 74, 126), (221, 234, 245)),
        ((150, 104, 0), (248, 236, 196)),
        ((124, 72, 188), (234, 226, 246)),
    ),
    neutral=_nobody((96, 92, 86), (236, 233, 226)),
    sighted=(253, 251, 245),
    shade=(158, 150, 124),
    alarm=(206, 30, 30),
    burst=(250, 190, 40),
    on_burst=(38, 36, 34),
    plates={GM: (52, 48, 44), PUBLIC: (68, 110, 76)},
)

CONTRAST = Scheme(
    name="contrast",
    title="High contrast",
    paper=(255, 255, 255),
    border=(255, 255, 255),
    ink=(0, 0, 0),
    quiet=(48, 46, 42),
    faint=(112, 110, 104),
    halo=(255, 255, 255),
    blank=(255, 255, 255),
    reverse=(255, 255, 255),
    lands={
        "clear": Tint((255, 253, 244), (255, 255, 255)),
        "valley": Tint((228, 240, 200), (255, 255, 255)),
        "rough": Tint((246, 226, 176), (158, 122, 62)),
        "woods": Tint((206, 230, 178), (100, 146, 74), (108, 148, 84)),
        "forest": Tint((188, 222, 160), (74, 122, 52), (86, 128, 64)),
        "marsh": Tint((200, 232, 232), (30, 106, 130), (50, 120, 140)),
        "city": Tint((222, 204, 196), (122, 84, 70), (92, 60, 50)),
    },
    backdrop=(122, 122, 122),
    grid=(30, 26, 18),
    water=(0, 98, 170),
    great_water=(0, 104, 184),
    great_bank=(0, 32, 80),
    water_name=(0, 48, 104),
    great_water_name=(0, 32, 80),
    road_edge=(60, 24, 8),
    road_fill=(255, 186, 72),
    track=(104, 72, 54),
    frontier=(78, 20, 96),
    frontier_band=(176, 96, 196),
    closed=(90, 0, 0),
    fort=(40, 32, 24),
    number=(60, 50, 28),
    names=((30, 26, 20), (14, 12, 10), (0, 0, 0), (0, 0, 0)),
    star=(150, 92, 0),
    colours_of_sides=_side_colours(
        ((168, 0, 0), (255, 222, 212)),
        ((0, 40, 140), (214, 228, 255)),
        ((154, 110, 38), (250, 230, 172)),
        ((128, 72, 204), (236, 220, 250)),
    ),
    neutral=_nobody((70, 68, 64), (238, 238, 236)),
    sighted=(255, 255, 255),
    shade=(120, 116, 104),
    alarm=(214, 0, 0),
    burst=(255, 206, 0),
    on_burst=(0, 0, 0),
    plates={GM: (0, 0, 0), PUBLIC: (18, 94, 54)},
)

COLOUR_BLIND = Scheme(
    name="colour-blind",
    title="Colour-blind eyes",
    paper=(247, 245, 238),
    border=(252, 251, 246),
    ink=(32, 34, 38),
    quiet=(88, 90, 92),
    faint=(184, 186, 184),
    halo=(250, 249, 243),
    blank=(255, 255, 255),
    reverse=(255, 255, 255),
    lands={
        "clear": Tint((247, 242, 228), (252, 251, 246)),
        "valley": Tint((214, 221, 196), (252, 251, 246)),
        "rough": Tint((230, 212, 178), (178, 154, 108)),
        "woods": Tint((196, 207, 184), (150, 166, 146), (156, 172, 152)),
        "forest": Tint((178, 193, 172), (132, 152, 132), (140, 158, 140)),
        "marsh": Tint((196, 218, 230), (104, 146, 172), (140, 174, 194)),
        "city": Tint((204, 196, 202), (146, 136, 142), (130, 120, 128)),
    },
    backdrop=(142, 142, 139),
    grid=(78, 76, 70),
    water=(86, 156, 206),
    great_water=(86, 156, 206),
    great_bank=(20, 74, 120),
    water_name=(14, 76, 128),
    great_water_name=(12, 62, 110),
    road_edge=(84, 70, 56),
    road_fill=(240, 214, 130),
    track=(112, 98, 82),
    frontier=(96, 62, 96),
    frontier_band=(176, 140, 176),
    closed=(40, 24, 24),
    fort=(72, 68, 62),
    number=(78, 76, 64),
    names=((64, 62, 58), (44, 43, 42), (32, 34, 38), (32, 34, 38)),
    star=(158, 116, 20),
    colours_of_sides=_side_colours(
        ((176, 70, 0), (252, 228, 202)),
        ((0, 62, 130), (214, 230, 248)),
        ((88, 56, 26), (236, 224, 204)),
        ((140, 60, 200), (240, 224, 248)),
    ),
    neutral=_nobody((92, 92, 92), (234, 234, 232)),
    sighted=(253, 252, 248),
    shade=(148, 148, 138),
    alarm=(206, 36, 20),
    burst=(250, 204, 60),
    on_burst=(32, 34, 38),
    plates={GM: (44, 46, 50), PUBLIC: (0, 96, 84)},
)

DARK = Scheme(
    name="dark",
    title="Dark",
    paper=(24, 26, 29),
    border=(30, 32, 35),
    ink=(232, 230, 222),
    quiet=(172, 170, 160),
    faint=(78, 78, 74),
    halo=(22, 24, 26),
    blank=(18, 19, 21),
    reverse=(18, 19, 21),
    lands={
        "clear": Tint((52, 52, 46), (62, 62, 56)),
        "valley": Tint((52, 60, 44), (62, 70, 54)),
        "rough": Tint((68, 60, 46), (104, 92, 66)),
        "woods": Tint((44, 58, 42), (66, 88, 62), (62, 82, 58)),
        "forest": Tint((36, 54, 40), (62, 88, 62), (58, 82, 58)),
        "marsh": Tint((40, 58, 62), (76, 116, 126), (62, 96, 104)),
        "city": Tint((78, 66, 62), (116, 98, 90), (122, 104, 96)),
    },
    backdrop=(98, 100, 103),
    grid=(170, 166, 148),
    water=(58, 118, 164),
    great_water=(40, 98, 150),
    great_bank=(98, 158, 206),
    water_name=(140, 190, 228),
    great_water_name=(164, 206, 238),
    road_edge=(26, 18, 12),
    road_fill=(138, 122, 74),
    track=(128, 112, 88),
    frontier=(196, 160, 208),
    frontier_band=(150, 104, 162),
    closed=(232, 120, 110),
    fort=(176, 164, 146),
    number=(190, 184, 162),
    names=((204, 200, 188), (220, 217, 206), (236, 234, 226), (244, 242, 236)),
    star=(226, 178, 70),
    colours_of_sides=_side_colours(
        ((240, 128, 112), (72, 34, 30)),
        ((124, 182, 240), (28, 46, 70)),
        ((244, 228, 110), (62, 56, 22)),
        ((160, 116, 236), (46, 36, 74)),
    ),
    neutral=_nobody((174, 170, 162), (58, 57, 54)),
    sighted=(34, 35, 37),
    shade=(8, 9, 10),
    alarm=(255, 96, 84),
    burst=(250, 196, 70),
    on_burst=(18, 19, 21),
    plates={GM: (206, 202, 192), PUBLIC: (156, 226, 160)},
)

PRINT = Scheme(
    name="print",
    title="Print",
    paper=(255, 255, 255),
    border=(255, 255, 255),
    ink=(0, 0, 0),
    quiet=(84, 84, 84),
    faint=(170, 170, 170),
    halo=(255, 255, 255),
    blank=(255, 255, 255),
    reverse=(255, 255, 255),
    lands={
        "clear": Tint((255, 255, 255), (255, 255, 255)),
        "valley": Tint((240, 246, 228), (255, 255, 255)),
        "rough": Tint((250, 244, 230), (178, 160, 124)),
        "woods": Tint((238, 243, 230), (156, 176, 138), (174, 192, 158)),
        "forest": Tint((228, 236, 220), (136, 160, 118), (160, 180, 144)),
        "marsh": Tint((234, 243, 244), (120, 160, 172), (160, 190, 198)),
        "city": Tint((232, 226, 222), (168, 150, 140), (150, 134, 126)),
    },
    backdrop=(170, 170, 170),
    grid=(90, 90, 90),
    water=(92, 150, 190),
    great_water=(150, 196, 226),
    great_bank=(24, 72, 122),
    water_name=(24, 72, 122),
    great_water_name=(24, 72, 122),
    road_edge=(60, 52, 46),
    road_fill=(255, 226, 176),
    track=(96, 84, 74),
    frontier=(84, 66, 92),
    frontier_band=(196, 176, 202),
    closed=(40, 10, 10),
    fort=(70, 66, 60),
    number=(96, 94, 88),
    names=((50, 50, 50), (24, 24, 24), (0, 0, 0), (0, 0, 0)),
    star=(140, 100, 24),
    colours_of_sides=_side_colours(
        ((122, 16, 16), (255, 255, 255)),
        ((24, 84, 160), (255, 255, 255)),
        ((148, 108, 0), (255, 255, 255)),
        ((80, 10, 96), (255, 255, 255)),
    ),
    neutral=_nobody((96, 96, 96), (255, 255, 255)),
    sighted=(255, 255, 255),
    shade=(196, 196, 196),
    alarm=(200, 20, 20),
    burst=(255, 232, 150),
    on_burst=(0, 0, 0),
    plates={GM: (40, 40, 40), PUBLIC: (34, 112, 62)},
)

SCHEMES: Mapping[str, Scheme] = {scheme.name: scheme for scheme in (DEFAULT, CONTRAST, COLOUR_BLIND, DARK, PRINT)}
"""All schemes by name."""
