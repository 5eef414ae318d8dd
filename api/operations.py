"""Operations: a plain function for each method of each address. Its types say what it takes and what it gives."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import getdoc, signature
from typing import Any, get_type_hints

from django.http import HttpRequest

from api.models import ApiToken, Scope
from campaign.models import User
from campaign.people.throttles import READS, TYPING, Limit
from campaign.viewers import Viewer, gm_viewer, viewer_of


@dataclass(frozen=True)
class Call:
    """A request, and who makes it."""

    request: HttpRequest
    user: User
    token: ApiToken | None
    slug: str

    @cached_property
    def viewer(self) -> Viewer:
        """The caller in the campaign; Http404 if they take no part in it, or the token is for another."""
        return self._of_the_token(viewer_of(self.user, self.slug))

    @cached_property
    def game_master(self) -> Viewer:
        """The caller as a game master of the campaign; Http404 for everybody else, and if the token is for another."""
        return self._of_the_token(gm_viewer(self.user, self.slug))

    def _of_the_token(self, viewer: Viewer) -> Viewer:
        if self.token is not None and self.token.member_id != viewer.member.pk:
            return viewer_of(self.user, "")
        return viewer


@dataclass(frozen=True)
class Operation:
    """What a method of an address does."""

    act: Callable[..., Any]
    scope: Scope
    limit: Limit
    status: int
    refuses: tuple[int, ...]
    """The refusals of its own: those that any operation may give are left out."""
    files: tuple[str, ...]
    """The media types of its answers, if these are files."""

    @cached_property
    def takes(self) -> Any:
        """The type of the body; None: it has none."""
        return get_type_hints(self.act).get("body")

    @cached_property
    def gives(self) -> Any:
        """The type of the answer."""
        return get_type_hints(self.act)["return"]

    @property
    def says(self) -> str:
        return getdoc(self.act) or ""

    @property
    def name(self) -> str:
        return self.act.__name__

    @property
    def has_key(self) -> bool:
        return "idempotency_key" in signature(self.act).parameters


def operation(
    *,
    scope: Scope = Scope.READ,
    limit: Limit = TYPING,
    status: int = 200,
    refuses: tuple[int, ...] = (),
    files: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Operation]:
    """A function as an operation: it gets a Call, the parts of the address, and the decoded `body` if it has one.

    A function with a parameter `idempotency_key` gets the request's Idempotency-Key, which must be there.
    """
    return lambda act: Operation(act, scope, limit, status, refuses, files)


def reads(*, refuses: tuple[int, ...] = (), files: tuple[str, ...] = ()) -> Callable[[Callable[..., Any]], Operation]:
    """The same for what is only read."""
    return operation(limit=READS, refuses=refuses, files=files)
