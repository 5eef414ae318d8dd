"""No row that steers the game, its people or its mails can be edited, removed or smuggled in without being found."""

import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import cycle, islice
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from campaign.core import clock
from campaign.models import AuditEntry, Campaign, Closing, Desk, Membership, Role, User
from campaign.people import desks, invitations, memberships
from campaign.record import audit
from campaign.record.audit import on_record, parts_of, sealed_columns
from campaign.viewers import viewer_of
from gm.recorded_rows import OFF_RECORD, models_on_record, rows_of
from gm.verification import edits_of, faults, unlike_heads
from tests.trust.record.edits import another, columns_of, edit, first_fault, own_columns, rubbish, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("busy")]

EDITS = 1000
BATCH = 100

Rows = Mapping[type[Model], Sequence[Model]]
Target = tuple["Edit", type[Model], str]
Edit = Callable[[Rows, type[Model], str, random.Random], str]
"""Edits a row of a table, in one column if it is named; the name of the row, or nothing if the database refuses."""

ONE_A_CAMPAIGN = (Campaign, Closing)
"""Of these there is no second row in the same campaign."""


def test_every_table_and_column_is_on_record_or_declared_free_with_its_reason() -> None:
    """A new table or column is covered on its first day, or somebody says why not."""
    parts = {part for model in models_on_record() for part in parts_of(model)}
    every = {model._meta.label_lower: model for model in apps.get_models(include_auto_created=True)}
    on = {model._meta.label_lower for model in (*models_on_record(), *parts)}
    assert set(every) - on == set(OFF_RECORD)
    assert not set(OFF_RECORD) & on
    assert all(len(reason) > 10 for reason in OFF_RECORD.values())
    for model in models_on_record():
        free, columns = on_record(model).free, {column.partition(".")[2] or column for column in own_columns(model)}
        assert set(free) <= columns, model
        assert all(len(reason) > 10 for reason in free.values()), model
        assert len(sealed_columns(model)) == len(columns) - len(free), model
    listed = {name: columns for model in models_on_record() for name, columns in on_record(model).lists.items()}
    columns = {field.attname for field in EmailAddress._meta.concrete_fields}
    assert {name: columns - set(own) for name, own in listed.items()} == {"emailaddress_set": {"user_id"}}


# --- a thousand of them -----------------------------------------------------------------------------------------------


def test_a_thousand_edited_rows_are_all_found(busy: Campaign) -> None:
    """Every table and column, again and again: other values, rubbish, other ids, rows that are removed or inserted."""
    dice = random.Random("a thousand rows")
    rows: Rows = {model: list(rows_of(model, busy)) for model in models_on_record()}
    rows = {**rows, EmailAddress: list(EmailAddress.objects.filter(user__memberships__campaign=busy))}
    assert [model for model, some in rows.items() if not some] == []
    targets = _targets()
    assert len(targets) > (400 if connection.vendor == "sqlite" else 200)
    waiting: deque[Target] = deque()
    done: Counter[Target] = Counter()
    while done.total() < EDITS or set(done) != set(targets):
        assert done.total() < 2 * EDITS, [target for target in targets if target not in done]
        if not waiting:
            waiting.extend(sorted(dice.sample(targets, len(targets)), key=lambda target: target[0].__name__))
        kind = waiting[0][0]
        names: dict[str, Target] = {}
        passed_over = []
        with undone():
            while waiting and waiting[0][0] is kind and len(names) < BATCH:
                target = waiting.popleft()
                left = {target[1]: [row for row in rows[target[1]] if _name(row) not in names]}
                if name := kind(left, *target[1:], dice):
                    names[name] = target
                else:
                    passed_over.append(target)
            found = {fault.where for fault in edits_of(busy)}
        assert [(name, what.__name__, *more) for name, (what, *more) in names.items() if name not in found] == []
        assert names, f"the database refuses all of this: {passed_over}"
        done.update(names.values())
        waiting.extendleft(target for target in passed_over if target not in done)
    assert first_fault(busy) == ""


def _targets() -> list[Target]:
    tables = [*models_on_record(), EmailAddress]
    changed = [(_change, model, column) for model in tables for column in columns_of(model)]
    changed.remove((_change, EmailAddress, "user_id"))  # everybody has one primary address: the database refuses
    spoilt = [(_spoil, model, column) for model in tables for column in own_columns(model)]
    removed = [(_remove, model, "") for model in tables]
    inserted = [(_insert, model, "") for model in tables if model not in (*ONE_A_CAMPAIGN, User)]
    renumbered = [(_renumber, model, "") for model in tables]
    return [*changed, *(spoilt if connection.vendor == "sqlite" else ()), *removed, *inserted, *renumbered]


def _name(row: Model) -> str:
    """Its name on the record; an address is on record with its person."""
    return f"user {row.user_id}" if isinstance(row, EmailAddress) else audit.row_name(row)


def _change(rows: Rows, model: type[Model], column: str, dice: random.Random) -> str:
    row = edit(rows[model], column, dice)
    return _name(row) if row else ""


def _spoil(rows: Rows, model: type[Model], column: str, dice: random.Random) -> str:
    """Another type, or a text that is none of that kind: only SQLite stores that."""
    row = rubbish(rows[model], column, dice)
    return _name(row) if row else ""


def _remove(rows: Rows, model: type[Model], _: str, dice: random.Random) -> str:
    row = dice.choice(rows[model])
    model._base_manager.filter(pk=row.pk)._raw_delete("default")
    return _name(row)


def _renumber(rows: Rows, model: type[Model], _: str, dice: random.Random) -> str:
    """Other rows refer to a row by its id."""
    row = dice.choice(rows[model])
    model._base_manager.filter(pk=row.pk).update(**{model._meta.pk.attname: dice.randrange(10**6, 10**9)})
    return _name(row)


def _insert(rows: Rows, model: type[Model], _: str, dice: random.Random) -> str:
    """A copy of a row, with as much changed as the database asks for."""
    columns = [field for field in model._meta.concrete_fields if not field.primary_key and field.name != "campaign"]
    for attempt in range(200):
        new = model._base_manager.get(pk=dice.choice(rows[model]).pk)
        new.pk, new._state.adding = None, True
        for field in dice.sample(columns, min(1 + attempt // 20, len(columns))):
            setattr(new, field.attname, another(field, getattr(new, field.attname), dice))
        try:
            with transaction.atomic():
                model._base_manager.bulk_create([new])  # without signals, as in the database
        except IntegrityError:
            continue
        lead = "user__memberships__campaign" if model is EmailAddress else on_record(model).campaign
        if model._base_manager.filter(**{lead: rows_campaign(rows[model][0])}, pk=new.pk).exists():
            return _name(new)
    return ""


def rows_campaign(row: Model) -> int:
    """The campaign of a row."""
    lead = "user__memberships__campaign" if isinstance(row, EmailAddress) else on_record(row).campaign
    found: Any = type(row)._base_manager.filter(pk=row.pk).values_list(lead, flat=True).first()
    return int(found)


def test_edited_entries_of_the_record_are_all_found(busy: Campaign) -> None:
    dice = random.Random("a hundred entries")
    entries = list(busy.audit.order_by("no"))
    for column in islice(cycle(columns_of(AuditEntry)), 100):
        with undone():
            assert edit(entries, column, dice)
            assert first_fault(busy), column
        with undone():
            if connection.vendor == "sqlite":
                assert rubbish(entries, column, dice)
                assert first_fault(busy), column
    for _ in range(20):
        with undone():
            AuditEntry.objects.filter(pk=dice.choice(entries[:-1]).pk)._raw_delete("default")
            assert first_fault(busy)
        with undone():
            new = copy(dice.choice(entries))
            new.pk, new._state.adding, new.no = None, True, entries[-1].no + 1
            new.save(force_insert=True)
            assert first_fault(busy)


# --- people -----------------------------------------------------------------------------------------------------------


def member_of(busy: Campaign, name: str) -> Membership:
    return busy.memberships.select_related("user").get(user__username=name)


def test_a_member_who_vanishes_behind_a_rubbish_date_is_found(busy: Campaign) -> None:
    """SQLite stores any text as a date, and PostgreSQL one that Python has no number for."""
    member = member_of(busy, "Hodges")
    with undone():
        no_date = "rubbish" if connection.vendor == "sqlite" else "infinity"
        with connection.cursor() as cursor:
            cursor.execute("UPDATE campaign_membership SET left_at = %s WHERE id = %s", [no_date, member.pk])
        assert not Membership.objects.filter(pk=member.pk, left_at=None).exists()
        assert first_fault(busy) == (
            f"membership {member.user_id}: Fieldpost cannot have written what these columns hold: left_at"
        )


@pytest.mark.parametrize("changed", [{"email": "otto@example.org"}, {"username": "Skorzeny II"}, {"is_active": False}])
def test_a_person_changed_past_the_services_is_found(busy: Campaign, changed: Mapping[str, object]) -> None:
    member = member_of(busy, "Hodges")
    with undone():
        User.objects.filter(pk=member.user_id).update(**changed)
        assert first_fault(busy).startswith(f"user {member.user_id}: it has been changed since entry ")


def test_a_person_who_is_gone_is_missed(busy: Campaign) -> None:
    member = member_of(busy, "Hodges")
    with undone():
        User.objects.filter(pk=member.user_id)._raw_delete("default")
        assert f"user {member.user_id}" in {fault.where for fault in edits_of(busy)}


def test_a_change_by_the_proper_way_is_on_record(busy: Campaign) -> None:
    person, before = member_of(busy, "Hodges").user, busy.audit.count()
    with undone():
        address = EmailAddress.objects.get(user=person)
        address.email = person.email = "courtney@example.org"
        address.save()
        person.save()
        assert list(busy.audit.filter(no__gt=before).values_list("act", flat=True)) == ["person"] * 2
        assert list(edits_of(busy)) == []


def test_what_people_change_freely_makes_no_entry(busy: Campaign) -> None:
    person, before = member_of(busy, "Hodges").user, busy.audit.count()
    with undone():
        memberships.set_time_zone(person, "Europe/Brussels")
        assert busy.audit.count() == before
        assert list(edits_of(busy)) == []


def test_nobody_without_the_key_can_try_addresses(busy: Campaign, settings: Any) -> None:
    person = member_of(busy, "Hodges").user
    kept = audit.seal(person)
    assert audit.is_sealed(person, kept)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    assert audit.seal(person) != kept
    assert not audit.is_sealed(person, kept)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert audit.is_sealed(person, kept), "earlier keys still count"
    assert person.email not in "".join(str(entry) for entry in busy.audit.values_list("subject", "rows"))


def test_a_campaign_from_before_people_were_on_record_gets_them_at_its_next_act(busy: Campaign) -> None:
    """Until then nothing can be said of them, and a member who is edited afterwards is found."""
    person = member_of(busy, "Hodges").user
    with undone():
        older = Campaign.objects.create(**_copied(busy))
        Membership.objects.create(campaign=older, user=person, role=Role.GM, joined_at=clock.now())
        audit.record(older, "found", {}, at=clock.now(), rows=[older, *older.memberships.all()])
        assert [fault for fault in edits_of(older) if fault.where.startswith("user")] == []
        person.save()
        assert list(older.audit.order_by("pk").values_list("act", flat=True)) == ["found", "people", "person"]
        User.objects.filter(pk=person.pk).update(email="otto@example.org")
        assert f"user {person.pk}" in {fault.where for fault in edits_of(older)}


def _copied(campaign: Campaign) -> dict[str, object]:
    names = [field.attname for field in Campaign._meta.concrete_fields if not field.primary_key]
    return {**{name: getattr(campaign, name) for name in names}, "slug": "older"}


# --- what is restored -------------------------------------------------------------------------------------------------


def test_a_row_that_was_removed_and_is_restored_is_found(busy: Campaign) -> None:
    gm = viewer_of(User.objects.get(username="Umpire"), busy.slug)
    with undone():
        desk = Desk.objects.filter(campaign=busy).order_by("pk")[0]
        before = copy(desk)
        desks.drop_desk(gm, side=desk.side, name=desk.name, now=clock.now())
        assert list(edits_of(busy)) == []
        before.save(force_insert=True)
        assert first_fault(busy).startswith(f"{audit.row_name(before)}: no entry of the record has written it")


def test_an_earlier_database_is_sound_and_found_by_the_head(busy: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever restores a whole copy from before an act restores the record too: only the head that is kept tells."""
    gm = viewer_of(User.objects.get(username="Umpire"), busy.slug)
    desk = Desk.objects.filter(campaign=busy).order_by("pk")[0]
    earlier = audit.head(busy)
    with undone():  # this takes the whole database back
        desks.drop_desk(gm, side=desk.side, name=desk.name, now=clock.now())
        kept = audit.head(busy)
        call_command("verify", busy.slug, "--head", kept, "--head", earlier)
    assert Desk.objects.filter(pk=desk.pk).exists()
    assert list(faults(busy)) == []
    call_command("verify", busy.slug, "--head", earlier)
    with pytest.raises(CommandError):
        call_command("verify", busy.slug, "--head", kept)
    assert f"record: entry {kept.partition(':')[0]}, whose digest you kept, is missing" in capsys.readouterr().out


def test_an_earlier_database_that_was_played_on_is_found_by_the_head(busy: Campaign) -> None:
    gm = viewer_of(User.objects.get(username="Umpire"), busy.slug)
    desk = Desk.objects.filter(campaign=busy).order_by("pk")[0]
    with undone():
        desks.drop_desk(gm, side=desk.side, name=desk.name, now=clock.now())
        no, _, digest = audit.head(busy).partition(":")
    with undone():
        invitations.invite(gm, role=Role.SPECTATOR, side="", meant_for="", now=clock.now())
        assert list(edits_of(busy)) == []
        (fault,) = unlike_heads(busy, [(int(no), digest)])
    assert "is not the one whose digest you kept" in str(fault)
