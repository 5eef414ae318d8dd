"""Decodes a picture that a stranger has sent and writes it again. It runs as a process of its own, with limits.

The process reads the file from its standard input. It writes a line of JSON: what is wrong, or what follows, which is
the picture and its thumbnail. Of the file as sent nothing is left but how its pixels look.
"""

import json
import resource
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from math import floor, sqrt

from PIL import Image, ImageCms, ImageFile, ImageOps
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

MOST_BYTES = 8 * 1024 * 1024
"""Of the file."""
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 20_000
SHOWN = 2400
"""The longest side of the picture that is kept, in pixels."""
THUMBNAIL = 480
"""That of its thumbnail."""

SECONDS = 10
"""Of the processor's time."""
MEMORY = 1536 * 1024 * 1024
"""Bytes: a picture of 40 megapixels needs less than half of it."""
OUTPUT = 32 * 1024 * 1024

JPEG, PNG, WEBP = "jpeg", "png", "webp"
_CLASSES: dict[str, type[ImageFile.ImageFile]] = {JPEG: JpegImageFile, PNG: PngImageFile, WEBP: WebPImageFile}


class Unusable(Exception):
    """A file that cannot be used as a picture: the reason with the limit, and the cure."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(what, cure)
        self.what, self.cure = what, cure

    def __str__(self) -> str:
        return f"{self.what}. {self.cure}"


@dataclass(frozen=True)
class Made:
    """A picture that was written again."""

    kind: str
    width: int
    height: int
    picture: bytes
    thumbnail: bytes


def kind_of(beginning: bytes) -> str:
    """The kind of a file, by its first sixteen bytes; raises Unusable for all but the three that are taken."""
    if beginning.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if beginning.startswith(b"\xff\xd8\xff"):
        return JPEG
    if beginning.startswith(b"RIFF") and beginning[8:12] == b"WEBP":
        return WEBP
    raise Unusable("The file is not a JPEG, PNG or WebP picture", "Save it as one of these.")


def written_again(sent: bytes) -> Made:
    """The picture in a file, upright, in sRGB, at most 2,400 pixels long; of an animation the first frame.

    Raises Unusable, and whatever a decoder raises on a damaged file.
    """
    file = _opened(sent)
    profile = file.info.get("icc_profile", b"")
    file.draft("RGB", (SHOWN, SHOWN))  # a JPEG can be decoded at half its size, or less
    file.load()
    small = _upright(_reduced(_plain(file), SHOWN))
    picture = _without_extras(_in_srgb(small, profile))
    kind = WEBP if picture.mode == "RGBA" else JPEG
    thumbnail = _written(_reduced(picture, THUMBNAIL), kind)
    return Made(kind, *picture.size, _written(picture, kind), thumbnail)


def _opened(sent: bytes) -> ImageFile.ImageFile:
    """The file of a picture that is small enough to decode. Only its header has been read."""
    try:
        file = _CLASSES[kind_of(sent[:16])](BytesIO(sent))
    except Image.DecompressionBombError as error:
        raise _too_large(None) from error
    width, height = file.size
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise _too_large((width, height))
    return file


def _too_large(size: tuple[int, int] | None) -> Unusable:
    limit = f"{MOST_PIXELS // 1_000_000} megapixels and {LONGEST_SIDE:,} pixels on a side are the most"
    if size is None:
        return Unusable(f"The picture has far too many pixels; {limit}", "Make it smaller.")
    part = min(sqrt(MOST_PIXELS / (size[0] * size[1])), LONGEST_SIDE / max(size))
    fits = f"at most {max(1, floor(size[0] * part)):,} × {max(1, floor(size[1] * part)):,}"
    return Unusable(f"The picture has {size[0]:,} × {size[1]:,} pixels; {limit}", f"Make it smaller: {fits}.")


# --- the pixels ------------------------------------------------------------------------------------------------------


def _plain(file: Image.Image) -> Image.Image:
    """The pixels with 8 bits a channel and without a palette; CMYK stays, as its profile must be applied first."""
    if file.mode.startswith("I"):
        return file.convert("I").point(lambda value: value / 256).convert("L")
    if file.has_transparency_data:
        return file if file.mode == "RGBA" else file.convert("RGBA")
    return file if file.mode in ("RGB", "L", "CMYK") else file.convert("RGB")


def _reduced(picture: Image.Image, longest: int) -> Image.Image:
    """The picture with no side longer than this."""
    part = longest / max(picture.size)
    if part >= 1:
        return picture
    width, height = (max(1, round(length * part)) for length in picture.size)
    return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _upright(picture: Image.Image) -> Image.Image:
    """The picture as its camera was held. A note on it that cannot be read counts as none."""
    with suppress(Exception):
        ImageOps.exif_transpose(picture, in_place=True)
    return picture


def _in_srgb(picture: Image.Image, profile: bytes) -> Image.Image:
    """The picture in the colours that browsers expect. A profile that cannot be applied counts as none."""
    mode = "RGBA" if picture.mode == "RGBA" else "RGB"
    if profile:
        with suppress(ImageCms.PyCMSError, OSError, TypeError, ValueError):
            found = ImageCms.ImageCmsProfile(BytesIO(profile))
            changed = ImageCms.profileToProfile(picture, found, ImageCms.createProfile("sRGB"), outputMode=mode)
            if changed is not None:
                return changed
    return picture if picture.mode == mode else picture.convert(mode)


def _without_extras(picture: Image.Image) -> Image.Image:
    """The pixels alone, without an alpha channel in which nothing is transparent."""
    if picture.mode == "RGBA" and picture.getchannel("A").getextrema() == (255, 255):
        picture = picture.convert("RGB")
    clean = Image.new(picture.mode, picture.size)
    clean.paste(picture)
    return clean


def _written(picture: Image.Image, kind: str) -> bytes:
    file = BytesIO()
    if kind == JPEG:
        picture.save(file, "JPEG", quality=88, optimize=True)
    else:
        picture.save(file, "WEBP", quality=88, method=4)
    return file.getvalue()


# --- the process -----------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer for the file on the standard input."""
    for what, most in (
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    head, *contents = _answer(sys.stdin.buffer.read(MOST_BYTES + 1))
    sys.stdout.buffer.write(b"".join([head, b"\n", *contents]))


def _answer(sent: bytes) -> tuple[bytes, ...]:
    """The line of JSON, and what follows it."""
    try:
        made = written_again(sent)
    except Unusable as refusal:
        return (_refusing(refusal),)
    except MemoryError:
        return (_refusing(Unusable("The picture takes too much memory", "Make it smaller.")),)
    except Exception:  # a decoder may raise anything
        return (_refusing(DAMAGED),)
    size = {"width": made.width, "height": made.height}
    lengths = {"picture": len(made.picture), "thumbnail": len(made.thumbnail)}
    return json.dumps({"type": "made", "kind": made.kind, **size, **lengths}).encode(), made.picture, made.thumbnail


def _refusing(refusal: Unusable) -> bytes:
    return json.dumps({"type": "refused", "what": refusal.what, "cure": refusal.cure}).encode()


DAMAGED = Unusable("The picture is damaged or was cut off", "Save or copy it again.")

if __name__ == "__main__":
    main()
