"""The two kinds of tables that not everybody reads.

`Secret`: only the game master's code reads it. It often holds the rest of a row in a table of its own, so that a
page which loads that row loads no secret. `campaign.secrecy.truth` stops every statement that names one.

`Owned`: rows of an audience, or of a person. All but the game master's code read them by `objects.for_viewer`.

A row does not give away its secret part either if that was loaded before: `truth.guard_parts`.

A test fails if a table is of neither kind and its columns are not listed as open, or if code reads rows in another
way.
"""

from typing import Any, ClassVar, Protocol, TypeVar

from django.db import models

from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.secrecy import truth


class Viewer(Protocol):
    """A reader in one campaign."""

    @property
    def campaign(self) -> models.Model: ...
    @property
    def user(self) -> Any: ...
    @property
    def audience(self) -> Audience: ...


class Secret(models.Model):
    """A table that only the game master's code reads."""

    secret: ClassVar = True

    class Meta:
        abstract = True


_M = TypeVar("_M", bound="Owned")


class OwnRows(models.Manager[_M]):
    """All rows, and those of a viewer."""

    def for_viewer(self, viewer: Viewer) -> models.QuerySet[_M]:
        """The rows of the viewer's campaign that they may read: their audience's and the public's; for the GM all.

        Rows of a person are for that person alone. Raises Breach if the answer goes to somebody else than the
        viewer.
        """
        here = self.filter(**{self.model.in_campaign: viewer.campaign.pk})
        if self.model.owner == "author":
            truth.require(viewer.audience, viewer.user.pk or 0)
            return here.filter(author=viewer.user.pk or 0)
        truth.require(viewer.audience, opens=self.model.in_story)
        if viewer.audience == GM:
            return here
        return here.filter(**{f"{self.model.owner}__in": (viewer.audience, PUBLIC)})


class Owned(models.Model):
    """A row of an audience, or of a person."""

    in_campaign: ClassVar[str]
    """The look-up from a row to its campaign."""
    owner: ClassVar[str]
    """The column with the row's owner: an audience, or its author."""
    in_story: ClassVar[bool] = False
    """Whether a side's rows are open to everybody once the campaign's story is."""
    objects = OwnRows()

    class Meta:
        abstract = True
