"""Files that browsers send: only to a story and to a battle map, from somebody who is signed in, and to the disk."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpRequest
from django.urls import Resolver404, resolve

from stories.decoding import MOST_BYTES
from stories.keeping import has_room

ROUTES = ("story", "battle_map")
MOST_IN_A_REQUEST = 64 * 1024 * 1024
"""Bytes of a request that are read to the end, so that the text next to a file that is too long is not lost."""


class PictureUploads(TemporaryFileUploadHandler):
    """Streams a file to the disk. One that is too long ends in a hole; what else was sent is read."""

    most: int
    """The bytes of the file that are stored."""
    request: HttpRequest

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],  # noqa: N803 - its base class calls it so
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > MOST_IN_A_REQUEST:
            raise RequestDataTooBig(f"{content_length} bytes were sent; {MOST_IN_A_REQUEST} are the most")

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        if not _is_taken(self.request):
            raise TooManyFilesSent("this page takes no files")
        self.most = MOST_BYTES if has_room() else 0
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        end = start + len(raw_data)
        if end <= self.most:
            self.file.write(raw_data)
        else:
            self.file.truncate(end)  # it has the length, and takes up no more of the disk


def _is_taken(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in ROUTES and SESSION_KEY in request.session
    except Resolver404:
        return False
