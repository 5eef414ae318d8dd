"""Lines and polygons in the plane: joining, smoothing, shifting, dashing. Only numbers; nothing here knows a map.

A path is a tuple of points; a closed path ends in its first point.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

Point = tuple[float, float]
Path = tuple[Point, ...]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Knot = tuple[int, int]
"""A point as a key: points that differ only by rounding share it."""

Edge = tuple[Point, Point]


def knot(point: Point) -> Knot:
    return round(point[0] * 1000), round(point[1] * 1000)


def middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def between(a: Point, b: Point, part: float) -> Point:
    """The point at `part` of the line from a to b."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def gap(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def moved(point: Point, angle: float, by: float) -> Point:
    return point[0] + cos(angle) * by, point[1] + sin(angle) * by


def heading(a: Point, b: Point) -> float:
    """The direction from a to b in radians, clockwise from east, since y increases downwards."""
    return atan2(b[1] - a[1], b[0] - a[0])


def turn(a: float, b: float) -> float:
    """The angle between two directions: 0 to pi."""
    return abs((b - a + pi) % (2 * pi) - pi)


def length(path: Path) -> float:
    return sum(gap(a, b) for a, b in pairwise(path))


def bounds(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def nearest(box: Box, point: Point) -> Point:
    """The point of a box that is nearest to another point."""
    return min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])


def overlap(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    wide = (a[2] if a[2] < b[2] else b[2]) - (a[0] if a[0] > b[0] else b[0])
    high = (a[3] if a[3] < b[3] else b[3]) - (a[1] if a[1] > b[1] else b[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def touching(boxes: Iterable[Box], box: Box) -> list[Box]:
    """Those that share more than an edge with a box."""
    left, top, right, bottom = box
    return [b for b in boxes if b[0] < right and b[2] > left and b[1] < bottom and b[3] > top]


def clear_of(boxes: Iterable[Box], box: Box) -> bool:
    """Whether none of them shares more than an edge with a box."""
    left, top, right, bottom = box
    for b in boxes:  # noqa: SIM110 # names ask it thousands of times a map, and a generator takes twice as long
        if b[0] < right and b[2] > left and b[1] < bottom and b[3] > top:
            return False
    return True


def sides(outline: Path) -> tuple[Edge, ...]:
    """The sides of a polygon given without its closing point."""
    return tuple(zip(outline, (*outline[1:], outline[0]), strict=True))


def shared(a: Path, b: Path) -> tuple[Edge, ...]:
    """The sides that two outlines have in common, in the order of the first outline."""
    known = {frozenset((knot(p), knot(q))) for p, q in sides(b)}
    return tuple((p, q) for p, q in sides(a) if frozenset((knot(p), knot(q))) in known)


def crossing(outline: Path, start: Point, far: Point) -> Point:
    """Where the line from a point inside an outline to a far point leaves it; the far point if it does not."""
    found = [at for edge in sides(outline) if (at := _meeting((start, far), edge)) is not None]
    return max(found, key=lambda at: gap(start, at), default=far)


def _meeting(way: Edge, edge: Edge) -> Point | None:
    """The point that two straight segments share, if any and if they are not parallel."""
    (ax, ay), (bx, by) = way
    (cx, cy), (dx, dy) = edge
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if abs(across) < 1e-9:
        return None
    t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
    return between(way[0], way[1], t) if -1e-6 <= t <= 1 + 1e-6 and -1e-6 <= u <= 1 + 1e-6 else None


def holds(outline: Path, point: Point) -> bool:
    """Whether a point is within an outline given without its closing point."""
    x, y = point
    level = [(a, b) for a, b in sides(outline) if (a[1] > y) != (b[1] > y)]
    crossed = (a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) for a, b in level)
    return sum(at > x for at in crossed) % 2 == 1


def drawn_into(outline: Path, middle: Point, point: Point) -> Point:
    """A point, or where the line to it from the middle of an outline is about to leave the outline."""
    for part in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        at = between(middle, point, part)
        if holds(outline, at):
            return at
    return middle


# --- joining edges to paths -------------------------------------------------------------------------------------------


def chains(edges: Sequence[Edge], *, sharpest: float = pi) -> list[Path]:
    """A few paths that cover every edge once, straight on where edges fork, never turning more than `sharpest`."""
    follow = _straight_on(edges, sharpest)
    unused = dict.fromkeys(range(len(edges)))
    starts = [(n, end) for n in unused for end in (0, 1) if (n, end) not in follow]
    paths = [_walk(edges, follow, unused, start) for start in starts if start[0] in unused]
    while unused:
        paths.append(_walk(edges, follow, unused, (next(iter(unused)), 0)))
    return paths


_End = tuple[int, int]
"""Number of an edge, and which of its two ends."""


def _straight_on(edges: Sequence[Edge], sharpest: float) -> dict[_End, _End]:
    """For the end of an edge: the end of another edge with which the path continues there."""
    meeting: dict[Knot, list[_End]] = defaultdict(list)
    for n, edge in enumerate(edges):
        for end in (0, 1):
            meeting[knot(edge[end])].append((n, end))
    follow: dict[_End, _End] = {}
    for ends in meeting.values():
        for a, b in _straightest(edges, ends, sharpest):
            follow[a], follow[b] = b, a
    return follow


def _straightest(edges: Sequence[Edge], ends: list[_End], sharpest: float) -> list[tuple[_End, _End]]:
    """Pairs of ends at one point, the straightest first, each end once; at forks only gentle turns."""
    limit = sharpest if len(ends) == 2 else min(sharpest, pi * 0.4)
    turns = sorted(
        (round(_turn(edges, a, b), 6), a, b) for i, a in enumerate(ends) for b in ends[i + 1 :] if a[0] != b[0]
    )
    pairs: list[tuple[_End, _End]] = []
    taken: set[_End] = set()
    for turn, a, b in turns:
        if turn <= limit and not taken & {a, b}:
            pairs.append((a, b))
            taken |= {a, b}
    return pairs


def _turn(edges: Sequence[Edge], a: _End, b: _End) -> float:
    """The angle turned from along a to along b: 0 to pi."""
    coming = heading(edges[a[0]][1 - a[1]], edges[a[0]][a[1]])
    going = heading(edges[b[0]][b[1]], edges[b[0]][1 - b[1]])
    return turn(coming, going)


def _walk(edges: Sequence[Edge], follow: dict[_End, _End], unused: dict[int, None], start: _End) -> Path:
    at: _End | None = start
    path = [edges[start[0]][start[1]]]
    while at is not None and at[0] in unused:
        del unused[at[0]]
        far = (at[0], 1 - at[1])
        path.append(edges[far[0]][far[1]])
        at = follow.get(far)
    return tuple(path)


# --- smoothing --------------------------------------------------------------------------------------------------------


def rounded(path: Path, *, times: int = 3) -> Path:
    """Corners cut repeatedly (Chaikin), so that the path touches the middle of every edge; ends stay."""
    for _ in range(times):
        path = _cut(path)
    return path


def _cut(path: Path) -> Path:
    if len(path) < 3:
        return path
    cut = [p for a, b in pairwise(path) for p in (between(a, b, 0.25), between(a, b, 0.75))]
    if knot(path[0]) == knot(path[-1]):
        return (*cut, cut[0])
    return (path[0], *cut[1:-1], path[-1])


def through(path: Path, *, steps: int = 6) -> Path:
    """A smooth line through every point (Catmull-Rom)."""
    if len(path) < 3:
        return path
    ends = (path[-2], path[1]) if knot(path[0]) == knot(path[-1]) else (path[0], path[-1])
    run = (ends[0], *path, ends[1])
    curve = [_spline(run[n : n + 4], step / steps) for n in range(len(path) - 1) for step in range(steps)]
    return (*curve, path[-1])


def _spline(four: Path, t: float) -> Point:
    """The point at t between the second and the third of four points."""
    weights = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
    x = sum(w * p[0] for w, p in zip(weights, four, strict=True))
    y = sum(w * p[1] for w, p in zip(weights, four, strict=True))
    return x / 2, y / 2


def eased(path: Path, *, keep: Iterable[Point] = ()) -> Path:
    """Each point moved half way to the middle of its neighbours, except the ends and those to keep."""
    fixed = {knot(p) for p in keep}
    inner = (
        p if knot(p) in fixed else between(p, middle(a, b), 0.5)
        for a, p, b in zip(path, path[1:], path[2:], strict=False)
    )
    return path if len(path) < 3 else (path[0], *inner, path[-1])


# --- along a path -----------------------------------------------------------------------------------------------------


def shifted(path: Path, by: float) -> Path:
    """The path shifted sideways, to the right of its direction as seen on paper; to the left if negative.

    Where the path turns back, the shifted one goes around its end and returns on the other side.
    """
    count = len(path)
    closed = count > 2 and knot(path[0]) == knot(path[-1]) and knot(path[1]) != knot(path[-2])
    moved_points: list[Point] = []
    for n, point in enumerate(path):
        before = path[n - 1] if n else (path[-2] if closed else point)
        after = path[n + 1] if n + 1 < count else (path[1] if closed else point)
        turns_back = knot(before) == knot(after) != knot(point)
        ways = (heading(before, point), heading(point, after)) if turns_back else (heading(before, after),)
        moved_points += [moved(point, way + pi / 2, by) for way in ways]
    return tuple(moved_points)


def along(path: Path, distance: float) -> tuple[Point, float]:
    """The point at a distance from the start of the path, and the direction there; the end if the path is shorter."""
    for a, b in pairwise(path):
        step = gap(a, b)
        if distance <= step and step > 0:
            return between(a, b, distance / step), heading(a, b)
        distance -= step
    return path[-1], heading(path[-2], path[-1])


def part(path: Path, start: float, stop: float) -> Path:
    """The part of a path between two distances from its start."""
    done = 0.0
    piece = [along(path, start)[0]]
    for a, b in pairwise(path):
        done += gap(a, b)
        if start < done < stop:
            piece.append(b)
    return (*piece, along(path, stop)[0])


def dashes(path: Path, *pattern: float) -> list[Path]:
    """A path cut into dashes: lengths of dash, space, dash, space and so on, repeated."""
    total, done, turn = length(path), 0.0, 0
    pieces = []
    while done < total:
        stop = min(done + pattern[turn % len(pattern)], total)
        if turn % 2 == 0:
            pieces.append(part(path, done, stop))
        done, turn = stop, turn + 1
    return pieces


def spots(path: Path, every: float) -> list[tuple[Point, float]]:
    """Points at equal distances along a path, with the direction there, centred on its length."""
    total = length(path)
    count = int(total // every)
    first = (total - max(count - 1, 0) * every) / 2
    return [along(path, first + n * every) for n in range(count)] if count else []
