"""Files that somebody may send as a picture, each with what must become of it."""

import struct
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from PIL import Image, ImageCms, ImageDraw
from PIL.PngImagePlugin import PngInfo

CANARY = b"Bastogne-canary"
"""A word that must be in nothing that is served."""
MB = 1024 * 1024

KEPT, TYPE, DAMAGED, LONG, LARGE, SLOW = "kept", "JPEG, PNG or WebP", "damaged", "8 MB", "40 megapixels", "within"


def saved(picture: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def photo(size: tuple[int, int] = (60, 40), mode: str = "RGB") -> Image.Image:
    """A red square in the upper left corner of a white picture."""
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((0, 0, 9, 9), fill="red")
    return picture.convert(mode)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *chunks: bytes, data: bytes = b"\0" * 100, depth: int = 8, colour: int = 2) -> bytes:
    """A PNG that says of itself that it has this size, whatever is in it."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(data, 9))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + body + chunk(b"IEND", b"")


def jpeg_of_size(width: int, height: int) -> bytes:
    """A JPEG whose header says another size than it has."""
    whole = saved(photo(), "JPEG")
    at = whole.index(b"\xff\xc0") + 5
    return whole[:at] + struct.pack(">HH", height, width) + whole[at + 4 :]


def webp_of_size(width: int, height: int) -> bytes:
    """A WebP whose extended header says another size than it has."""
    whole = saved(photo(), "WEBP", exif=exif())
    at = whole.index(b"VP8X") + 12
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return whole[:at] + size + whole[at + 6 :]


def exif(**more: int) -> Image.Exif:
    """What a phone writes about the place, the person and the camera."""
    found = Image.Exif()
    found[0x010E] = found[0x013B] = CANARY.decode()  # its description, its artist
    found[0x0112] = more.get("orientation", 1)
    found.get_ifd(0x8825).update({1: "N", 2: (50.0, 0.0, 12.0), 3: "E", 4: (5.0, 43.0, 4.0), 0x1B: CANARY})
    return found


def profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def zipped() -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("run.js", CANARY * 100)
    return file.getvalue()


def icc_bomb() -> bytes:
    """A profile of 60 MB in some 60 kB."""
    packed = zlib.compress(b"\0" * (60 * MB), 9)
    return png(10, 10, chunk(b"iCCP", b"bomb\0\0" + packed), data=b"\0" * 310)


def text_bomb() -> bytes:
    packed = zlib.compress(b"x" * (60 * MB), 9)
    return png(10, 10, chunk(b"zTXt", b"Comment\0\0" + packed), data=b"\0" * 310)


def data_bomb() -> bytes:
    """40 megapixels of nothing, in 120 kB: allowed, and at most 40 megapixels come out."""
    return png(8000, 5000, data=b"\0" * (8000 * 3 * 5000 + 5000))


def named_in_text() -> bytes:
    info = PngInfo()
    info.add_text("Author", CANARY.decode())
    info.add_itxt("Comment", CANARY.decode(), zip=True)
    return saved(photo(), pnginfo=info, exif=exif())


def animation(kind: str) -> bytes:
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("blue", "green")]
    return saved(photo(), kind, save_all=True, append_images=frames, duration=100)


HOSTILE: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "a plain JPEG": (lambda: saved(photo(), "JPEG"), KEPT),
    "a plain PNG": (lambda: saved(photo()), KEPT),
    "a plain WebP": (lambda: saved(photo(), "WEBP"), KEPT),
    "nothing": (lambda: b"", "empty"),
    "a signature alone": (lambda: b"\x89PNG\r\n\x1a\n", DAMAGED),
    "half a PNG": (lambda: saved(photo((200, 200)))[:150], DAMAGED),
    "half a JPEG": (lambda: saved(Image.effect_noise((300, 300), 90), "JPEG")[:9000], DAMAGED),
    "half a WebP": (lambda: saved(Image.effect_noise((300, 300), 90), "WEBP")[:3000], DAMAGED),
    "a PNG that says that it is huge": (lambda: png(60_000, 60_000), LARGE),
    "a PNG of two thousand million pixels a side": (lambda: png(2**31 - 1, 2**31 - 1), LARGE),
    "a JPEG that says that it is huge": (lambda: jpeg_of_size(65_000, 65_000), LARGE),
    "a WebP that says that it is huge": (lambda: webp_of_size(16_000, 16_000), LARGE),
    "a JPEG that says that it is larger than it is": (lambda: jpeg_of_size(6000, 6000), KEPT),
    "40.1 megapixels": (lambda: saved(Image.new("1", (8020, 5000))), LARGE),
    "40 megapixels": (data_bomb, KEPT),
    "a line of 20,001 pixels": (lambda: saved(Image.new("1", (20_001, 1))), "20,000 pixels on a side"),
    "8 MB": (lambda: saved(photo(), "JPEG").ljust(8 * MB, b"\0"), KEPT),
    "8 MB and a byte": (lambda: saved(photo(), "JPEG").ljust(8 * MB + 1, b"\0"), LONG),
    "a profile that is a bomb": (icc_bomb, DAMAGED),
    "a comment that is a bomb": (text_bomb, DAMAGED),
    "a profile that is none": (lambda: saved(photo(), "JPEG", icc_profile=CANARY * 50), KEPT),
    "a profile": (lambda: saved(photo(), "JPEG", icc_profile=profile()), KEPT),
    "a grey picture with a colour profile": (lambda: saved(photo(mode="L"), icc_profile=profile()), KEPT),
    "a PNG that is HTML too": (lambda: saved(photo()) + b"<script>" + CANARY + b"</script>", KEPT),
    "a JPEG with HTML as its comment": (lambda: saved(photo(), "JPEG", comment=b"<script>" + CANARY), KEPT),
    "a PNG that is an archive too": (lambda: saved(photo()) + zipped(), KEPT),
    "HTML that begins like a PNG": (lambda: b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>", DAMAGED),
    "HTML": (lambda: b"<!DOCTYPE html><script>alert(1)</script>", TYPE),
    "SVG with a script": (lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', TYPE),
    "a GIF": (lambda: saved(photo(), "GIF"), TYPE),
    "a TIFF": (lambda: saved(photo(), "TIFF"), TYPE),
    "a BMP": (lambda: saved(photo(), "BMP"), TYPE),
    "a PDF": (lambda: b"%PDF-1.7\n" + b"0" * 200, TYPE),
    "HEIC": (lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", TYPE),
    "an archive": (zipped, TYPE),
    "RIFF that is sound": (lambda: b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 40, TYPE),
    "a JPEG with its place": (lambda: saved(photo(), "JPEG", exif=exif()), KEPT),
    "a PNG with its place and names": (named_in_text, KEPT),
    "a WebP with its place": (lambda: saved(photo(), "WEBP", exif=exif(), xmp=CANARY * 9), KEPT),
    "a JPEG with notes that cannot be read": (
        lambda: saved(photo(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff"),
        KEPT,
    ),
    "an animated PNG": (lambda: animation("PNG"), KEPT),
    "an animated WebP": (lambda: animation("WEBP"), KEPT),
    "two JPEGs in one": (
        lambda: saved(photo(), "MPO", save_all=True, append_images=[Image.new("RGB", (60, 40), "blue")]),
        KEPT,
    ),
    "a CMYK JPEG": (lambda: saved(photo(mode="CMYK"), "JPEG"), KEPT),
    "a PNG of 16 bits": (lambda: saved(photo(mode="L").convert("I").point(lambda v: v * 257).convert("I;16")), KEPT),
    "a palette with a transparent colour": (lambda: saved(photo(mode="P"), transparency=0), KEPT),
    "black and white": (lambda: saved(photo(mode="1")), KEPT),
    "grey with alpha": (lambda: saved(photo(mode="LA")), KEPT),
    "a single pixel": (lambda: saved(Image.new("RGB", (1, 1))), KEPT),
}
"""By name: the file, and whether it is kept, or words of its refusal."""
