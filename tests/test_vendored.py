"""Vendored files equal what their authors published, byte by byte, and no other files are next to them."""

import hashlib
import tomllib
from pathlib import Path

VENDOR = Path(__file__).parents[1] / "static" / "vendor"
MANIFEST = tomllib.loads((VENDOR / "MANIFEST.toml").read_text(encoding="utf-8"))["file"]
LICENCES = {"LICENSE", "LICENSE.md", "LICENSE.txt"}


def test_every_vendored_file_has_the_digest_in_the_manifest() -> None:
    assert MANIFEST
    for entry in MANIFEST:
        found = hashlib.sha256((VENDOR / entry["path"]).read_bytes()).hexdigest()
        assert found == entry["sha256"], entry["path"]


def test_every_vendored_file_is_in_the_manifest_with_its_licence_next_to_it() -> None:
    kept = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    listed = {entry["path"] for entry in MANIFEST}
    assert {path for path in kept - listed if Path(path).name not in LICENCES} == {"MANIFEST.toml"}
    for entry in MANIFEST:
        assert entry["licence"]
        assert LICENCES & {path.name for path in (VENDOR / entry["path"]).parent.iterdir()}, entry["path"]
        assert entry["version"] in entry["path"], "an address that changes with the version is never stale"
