"""Which rows are on a campaign's record, and which tables are not, each with the reason.

Every column of every table is vouched for, or is declared free with its reason (`on_record` of its model), or belongs
to a table in `OFF_RECORD`. A test checks this for every table.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from django.apps import apps
from django.db.models import Model

from campaign.models import Campaign
from campaign.record import audit
from campaign.record.stored_values import strange_columns

OFF_RECORD: Mapping[str, str] = MappingProxyType(
    {
        "archive.archive": "an archive that a member has asked for: made of what they may read, and deleted after days",
        "campaign.auditentry": "the record itself: each entry is chained to the one before",
        "campaign.scenariopicture": "of no campaign: those who use it name its digest, which is computed again",
        "campaign.calendarfeed": "the secret address of a member's calendar: made and ended as they like",
        "campaign.mailnews": "what waits to be gathered: pages have the same news; its mail is on record",
        "campaign.lastseen": "when a member last opened a page: changes at every visit",
        "campaign.fetch": "counts visitors of a link; what an exposure says of them is on record with it",
        "campaign.substituteoffer": "who would step in: said and withdrawn as they like; joining is on record",
        "campaign.tries": "of no campaign: counts tries within a minute, an hour or a day",
        "campaign.heartbeat": "of no campaign: when the machinery was last alive",
        "gm.draftdifferences": "how a draft differs from the one before: it follows from both, and goes with the draft",
        "incoming.replyaddress": "secret addresses of members, for a phase each: each learns what came of a mail there",
        "incoming.lastpoll": "that a lock waits for mails; what the GMs are told of it is in mails",
        "incoming.mailbox": "of no campaign: how far the site's mailbox is read",
        "incoming.receivedmail": "mails as they came: what is made of each is on record, and its author gets an answer",
        "incoming.returnedmail": "reports of lost mails, emptied after some weeks: the outbox has what they say",
        "orders.draft": "what somebody is writing: their own until they submit it",
        "posting.turnwebhook": "a person's own webhook: set and removed as they like",
        "posting.turncall": "a call to a person's own webhook: the mail that asks them is on record",
        "staff.comment": "what a side's staff says to each other; no phase depends on it",
        "staff.visit": "up to where a member has read comments: their own",
        "staff.agreement": "who would open their side's comments after the end; no phase depends on it",
        "account.emailaddress": "on record with its person",
        "account.emailconfirmation": "links that confirm an address; Fieldpost mails codes and makes none",
        "mfa.authenticator": "a person's second factor: their own; it opens nothing without a code by mail",
        "sessions.session": "who is signed in: changes at every visit",
        "usersessions.usersession": "where people are signed in: changes at every visit",
        "api.apitoken": "for which programs people are signed in: revoked as they like, and noted at every use",
        "auth.group": "nothing asks for groups",
        "auth.permission": "nothing asks for permissions; migrations fill it",
        "auth.group_permissions": "nothing asks for permissions",
        "campaign.user_groups": "nothing asks for groups",
        "campaign.user_user_permissions": "nothing asks for permissions",
        "contenttypes.contenttype": "names of tables; migrations fill it",
    }
)
"""Tables whose rows are on no campaign's record.

The mails about an account in `campaign.outboxmessage` are of no campaign either. Their content is deleted as soon as
they are sent.
"""


def models_on_record() -> list[type[Model]]:
    """The tables whose rows are on a campaign's record."""
    return [model for model in apps.get_models() if hasattr(model, "on_record")]


def rows_of(model: type[Model], campaign: Campaign, *, but: Collection[int] = ()) -> Iterator[Model]:
    """A campaign's rows of a table, but for those with these ids, without columns outside the record."""
    lead = audit.on_record(model).campaign
    rows = audit.whole_rows(model).filter(**{lead: campaign.pk}).exclude(pk__in=but)
    return rows.order_by("pk").iterator(chunk_size=_AT_ONCE)


def strange_rows(model: type[Model], campaign: Campaign) -> dict[int, list[str]]:
    """A campaign's rows of a table that hold what cannot have been written, by id, with the names of the columns."""
    declared = audit.on_record(model)
    rows = model._base_manager.filter(**{declared.campaign: campaign.pk})
    strange = dict(strange_columns(rows, audit.all_columns(model)))
    for name, columns in declared.lists.items():
        relation = model._meta.get_field(name.removesuffix("_set"))
        owner = relation.remote_field.attname  # type: ignore[union-attr] # a relation from there to here
        listed = relation.related_model._base_manager.filter(**{f"{owner}__in": rows.values("pk")})  # type: ignore[union-attr]
        owners = dict(listed.values_list("pk", owner))
        for pk, found in strange_columns(listed, {column: (column,) for column in columns if column != "id"}):
            strange.setdefault(owners[pk], []).extend(f"{name} {column}" for column in found)
    return strange


_AT_ONCE = 2000
"""Rows that are read at once."""


def name_of(model: type[Model], pk: int) -> str:
    """The name of a row of which some columns cannot be read; if it is named by these, its table and id."""
    try:
        return audit.row_name(model._base_manager.only(*audit.on_record(model).named_by).get(pk=pk))
    except Exception:  # a row may hold anything by now
        return f"{model._meta.model_name} with the id {pk}"


def may_be_unrecorded(row: Model, acts: Collection[str]) -> bool:
    """Whether a row is sound without an entry: a migration made it, or no act has put its table on record yet."""
    declared = audit.on_record(row)
    made_by_migration = declared.migrated is not None and declared.migrated(row)
    return made_by_migration or bool(declared.since and declared.since not in acts)
