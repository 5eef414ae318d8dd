"""Hostile pictures are refused with the limit, or what is not picture is gone; nothing that was sent is kept."""

import signal
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from PIL import Image

from stories import decoding, pictures
from stories.decoding import Made, Unusable
from stories.pictures import remade
from tests.stories.hostile import CANARY, HOSTILE, KEPT, exif, photo, saved


def made(sent: bytes, folder: Path) -> Made:
    with TemporaryFile() as file:
        file.write(sent)
        return remade(file, folder=folder)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_is_refused_with_the_limit_or_written_again(name: str, tmp_path: Path) -> None:
    make, outcome = HOSTILE[name]
    sent = make()
    if outcome != KEPT:
        with pytest.raises(Unusable, match=outcome):
            made(sent, tmp_path)
        return
    found = made(sent, tmp_path)
    for content in (found.picture, found.thumbnail):
        require_clean(content)
    assert found.picture != sent
    assert max(found.width, found.height) <= 2400


def require_clean(content: bytes) -> None:
    """Nothing but pixels, in a file of its kind that ends where the picture ends."""
    assert CANARY not in content
    assert b"<script" not in content
    with Image.open(BytesIO(content)) as picture:
        assert picture.format in ("JPEG", "WEBP")
        assert dict(picture.getexif()) == {}
        assert not {"icc_profile", "exif", "xmp", "comment", "XML:com.adobe.xmp"} & set(picture.info)
        assert getattr(picture, "n_frames", 1) == 1
        picture.load()
    if content.startswith(b"\xff\xd8"):
        assert content.endswith(b"\xff\xd9")
        assert not any(bytes([0xFF, 0xE0 + n]) + b"\0" in content[20:40] for n in range(1, 16))
    else:
        assert len(content) == int.from_bytes(content[4:8], "little") + 8


def shown(sent: bytes, folder: Path) -> Image.Image:
    picture = Image.open(BytesIO(made(sent, folder).picture))
    picture.load()
    return picture


def is_red(pixel: object) -> bool:
    red, green, blue = levels(pixel)
    return red > 180 and green < 90 and blue < 90


def levels(pixel: object) -> tuple[int, int, int]:
    assert isinstance(pixel, tuple)
    red, green, blue = map(int, pixel[:3])
    return red, green, blue


@pytest.mark.parametrize(
    "name",
    ["a plain JPEG", "a plain PNG", "a plain WebP", "an animated PNG", "an animated WebP", "two JPEGs in one",
     "a CMYK JPEG", "a profile", "a profile that is none"],
)  # fmt: skip
def test_the_picture_looks_as_it_did(name: str, tmp_path: Path) -> None:
    picture = shown(HOSTILE[name][0](), tmp_path)
    assert picture.size == (60, 40)
    assert is_red(picture.getpixel((4, 4)))
    assert min(levels(picture.getpixel((50, 30)))) >= 240


def test_it_is_turned_as_its_camera_was_held(tmp_path: Path) -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        picture = shown(saved(photo(), kind, exif=exif(orientation=6)), tmp_path)
        assert picture.size == (40, 60)
        assert is_red(picture.getpixel((35, 4)))


def test_what_is_transparent_stays_so(tmp_path: Path) -> None:
    clear = photo().convert("RGBA")
    clear.putpixel((50, 30), (1, 2, 3, 0))
    assert shown(saved(clear), tmp_path).format == "WEBP"
    assert shown(saved(photo(mode="RGBA")), tmp_path).format == "JPEG"


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    found = shown(saved(Image.new("I;16", (20, 20), 32_768)), tmp_path).getpixel((5, 5))
    assert isinstance(found, tuple)
    assert 120 < found[0] < 136


def test_a_large_picture_and_its_thumbnail_are_reduced(tmp_path: Path) -> None:
    found = made(saved(Image.new("RGB", (5000, 1000), "red"), "JPEG"), tmp_path)
    assert (found.width, found.height) == (2400, 480)
    assert Image.open(BytesIO(found.thumbnail)).size == (480, 96)


# --- the process -----------------------------------------------------------------------------------------------------


OWN = Path(str(decoding.__file__))


def decoder(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "decoder.py"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(pictures, "DECODER", path)
    return tmp_path


def test_a_decoder_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pictures, "SECONDS", 0.3)
    folder = decoder("import time\ntime.sleep(60)", monkeypatch, tmp_path)
    with pytest.raises(Unusable, match="seconds, which is the limit"):
        made(saved(photo()), folder)


def test_a_decoder_that_crashes_refuses_the_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for how in (signal.SIGSEGV, signal.SIGABRT):
        folder = decoder(f"import os\nos.kill(os.getpid(), {int(how)})", monkeypatch, tmp_path)
        with pytest.raises(Unusable, match="damaged"):
            made(saved(photo()), folder)


def test_a_decoder_that_takes_the_processor_for_too_long_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = OWN.read_text(encoding="utf-8")
    slow = own.replace("SECONDS = 10", "SECONDS = 1").replace("made = written_again(sent)", "while True: pass")
    folder = decoder(slow, monkeypatch, tmp_path)
    with pytest.raises(Unusable, match="seconds, which is the limit"):
        made(saved(photo()), folder)


def test_a_decoder_that_takes_too_much_memory_refuses_the_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = OWN.read_text(encoding="utf-8")
    folder = decoder(own.replace("MEMORY = 1536", "MEMORY = 200"), monkeypatch, tmp_path)
    with pytest.raises(Unusable, match="memory"):
        made(HOSTILE["40 megapixels"][0](), folder)


@pytest.mark.parametrize(
    "said",
    ["", "{}", '{"type":"made","kind":"svg","width":1,"height":1,"picture":1,"thumbnail":1}',
     '{"type":"made","kind":"jpeg","width":1,"height":1,"picture":9,"thumbnail":9}\\n<html></html><html></html>'],
)  # fmt: skip
def test_what_a_decoder_says_is_not_believed(said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = decoder(f"print('{said}', end='')", monkeypatch, tmp_path)
    with pytest.raises(Unusable):
        made(saved(photo()), folder)


def test_the_process_knows_nothing_of_the_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIELDPOST_SECRET_KEY", "the secret")
    told = tmp_path / "told"
    folder = decoder(f"import os\nopen({str(told)!r}, 'w').write(repr(dict(os.environ)))", monkeypatch, tmp_path)
    with pytest.raises(Unusable):
        made(saved(photo()), folder)
    assert "the secret" not in told.read_text(encoding="utf-8")
