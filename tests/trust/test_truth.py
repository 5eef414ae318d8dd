"""The guard on the truth: no statement of a side's request reads what is not for that side."""

import ast
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from campaign.engine.ids import GM, PUBLIC, Audience
from campaign.models import (
    Artefact,
    AuditEntry,
    Battle,
    BattleReport,
    Campaign,
    CampaignDice,
    Desk,
    DiceLine,
    Link,
    Membership,
    OutboxMessage,
    Outcome,
    Phase,
    PhaseProof,
    PhaseStart,
    Preface,
    Resolution,
    Ruling,
    Statement,
    User,
)
from campaign.secrecy import truth
from campaign.secrecy.guarded import Row, kept_back
from campaign.secrecy.truth import Breach, Reader, guarded, opened
from orders.models import Draft, LockedSheet, Sheet
from tests.locks import ROOT

pytestmark = pytest.mark.django_db

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
GERMAN = Reader(Audience("german"), user=7)
PASSER_BY = Reader()


def sql(statement: str, *params: str | None) -> Callable[[], Any]:
    def executed() -> Any:
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
            return cursor.fetchall()

    return executed


LEAKS: Mapping[str, Callable[[], Any]] = {
    "the state of a stop": lambda: list(PhaseStart.objects.values_list("state_before")),
    "a stop with its state": lambda: list(Phase.objects.select_related("start")),
    "whether a stop has a state": lambda: list(Phase.objects.filter(start__isnull=False)),
    "the state afterwards": lambda: list(Outcome.objects.values_list("state_after")),
    "events": lambda: list(Resolution.objects.values_list("outcome__events")),
    "events behind a stop": lambda: list(Phase.objects.values("resolution__outcome__events")),
    "a stop found by its truth": lambda: Phase.objects.filter(start__state_before=b"x").exists(),
    "stops sorted by their truth": lambda: list(Phase.objects.order_by("proof__mix")),
    "results sorted by their digests": lambda: list(
        Resolution.objects.order_by("outcome__digest").values_list("phase")
    ),
    "the greatest of a truth": lambda: Phase.objects.aggregate(most=models.Max("proof__result_digest")),
    "a truth under another name": lambda: list(Phase.objects.annotate(x=F("proof__contributions")).values_list("x")),
    "a truth in a subquery": lambda: list(
        Battle.objects.annotate(x=Subquery(PhaseProof.objects.filter(pk=OuterRef("phase")).values("mix"))).values("x")
    ),
    "a truth by the rows of a cursor": lambda: list(PhaseProof.objects.values_list("mix").iterator()),
    "a truth in a union": lambda: list(Phase.objects.values("key").union(PhaseProof.objects.values("mix"))),
    "what a side brought to the dice": lambda: list(Phase.objects.values_list("proof__contributions__allied")),
    "a new value made of a truth": lambda: Phase.objects.update(key=Subquery(PhaseProof.objects.values("mix")[:1])),
    "the seed of the dice": lambda: list(CampaignDice.objects.values("sealed_dice")),
    "rulings": lambda: list(Ruling.objects.all()),
    "how many rulings": Ruling.objects.count,
    "what the GM will say": lambda: list(Preface.objects.filter(audience="german")),
    "all sheets": lambda: list(Sheet.objects.all()),
    "a sheet by its key": lambda: Sheet.objects.filter(pk=1).first(),
    "whether there are sheets": Sheet.objects.exists,
    "foreign sheets": lambda: list(Sheet.objects.filter(side="allied")),
    "how many foreign sheets": lambda: Sheet.objects.filter(side="allied").count(),
    "all sheets but one's own": lambda: list(Sheet.objects.exclude(side="german")),
    "sheets not one's own": lambda: list(Sheet.objects.filter(~Q(side="german"))),
    "one's own among others": lambda: list(Sheet.objects.filter(side__in=["german", "allied"])),
    "one's own as one of one": lambda: list(Sheet.objects.filter(side__in=["german"])),
    "one's own or another": lambda: list(Sheet.objects.filter(Q(side="german") | Q(ready=True))),
    "one's own or any, beside a certainty": lambda: list(
        Sheet.objects.filter(Q(phase=1) & (Q(side="german") | Q(desk="HQ")))
    ),
    "neither one's own nor faulty": lambda: list(Sheet.objects.exclude(side="german", ready=True)),
    "one's own side in the wrong column": lambda: list(Sheet.objects.filter(desk="german")),
    "sheets beyond one's own letter": lambda: list(Sheet.objects.filter(side__gt="german")),
    "sheets of another's side of the same": lambda: list(
        Sheet.objects.filter(side="german", phase__sheets__ready=True)
    ),
    "sheets between two words": lambda: list(Sheet.objects.filter(side__range=("a", "z"))),
    "stops with a sheet": lambda: list(Phase.objects.filter(sheets__ready=True)),
    "stops with the number of their sheets": lambda: list(Phase.objects.annotate(n=Count("sheets"))),
    "stops with whether a sheet is there": lambda: list(
        Phase.objects.annotate(sent=Exists(Sheet.objects.filter(phase=OuterRef("pk"), side=F("desk"))))
    ),
    "which sheets were locked": lambda: list(LockedSheet.objects.values_list("side")),
    "a sheet behind one's own locked one": lambda: list(
        LockedSheet.objects.filter(side="german").select_related("sheet")
    ),
    "drafts of one's side": lambda: list(Draft.objects.filter(side="german")),
    "a colleague's draft": lambda: list(Draft.objects.filter(author=8)),
    "a log of dice": lambda: list(DiceLine.objects.filter(audience="allied").values_list("line")),
    "the GM's log of dice": lambda: list(DiceLine.objects.filter(audience=GM).values_list("line")),
    "what others received": lambda: list(Artefact.objects.filter(audience="allied").values_list("content")),
    "an artefact by its key": lambda: Artefact.objects.filter(pk=1).values_list("sha256").first(),
    "foreign desks": lambda: list(Desk.objects.exclude(side="german")),
    "what the other side wrote of a battle": lambda: list(BattleReport.objects.filter(battle=1).values("text")),
    "whose battle reports there are": lambda: list(BattleReport.objects.values("side").annotate(Count("pk"))),
    "what was reported of a battle": lambda: list(Battle.objects.values_list("result__report")),
    "what both say of a battle": lambda: list(Statement.objects.filter(battle=1)),
    "how many have something to say of it": lambda: Statement.objects.filter(battle=1).count(),
    "addresses that nobody can guess": lambda: list(Link.objects.values_list("token")),
    "whether an address leads anywhere": lambda: Link.objects.filter(token="0" * 32).exists(),
    "who sent which version": lambda: OutboxMessage.objects.filter(key="receipt/bulge/2.0/german/HQ/1").exists(),
    "how many mails a stop has led to": lambda: OutboxMessage.objects.filter(phase=1, kind="receipt").count(),
    "mails": lambda: list(OutboxMessage.objects.values_list("subject")),
    "who is mailed": lambda: OutboxMessage.objects.filter(user=8).exists(),
    "the record": lambda: list(AuditEntry.objects.values_list("subject")),
    "what was done, and when": lambda: list(AuditEntry.objects.values_list("act", "at")),
    "how much was done": lambda: AuditEntry.objects.filter(campaign=1).count(),
    "words that others brought": lambda: list(Membership.objects.values_list("joining__words")),
    "foreign sheets by changing them": lambda: Sheet.objects.filter(side="allied", ready=True).update(desk="x"),
    "foreign sheets by removing them": lambda: Sheet.objects.filter(side="allied")._raw_delete("default"),
    "own sheets that take foreign text": lambda: Sheet.objects.filter(side="german").update(
        text=Subquery(Sheet.objects.filter(side="allied").values("text")[:1])
    ),
}

BY_HAND: Mapping[str, Callable[[], Any]] = {
    "a star": sql("SELECT * FROM campaign_phasestart"),
    "a name that nobody quotes": sql("select State_Before from Campaign_PhaseStart p where p.phase_id = 1"),
    "a row as one value": sql("SELECT p FROM campaign_phaseproof p"),
    "all of one of two tables": sql("SELECT s.* FROM campaign_phase p JOIN orders_sheet AS s ON s.phase_id = p.id"),
    "two tables side by side": sql("SELECT c.slug FROM campaign_campaign c, campaign_phasestart"),
    "a table within WITH": sql("WITH a AS (SELECT mix FROM campaign_phaseproof) SELECT * FROM a"),
    "a table in brackets": sql("SELECT x FROM (SELECT mix AS x FROM campaign_phaseproof) a"),
    "a comment": sql("SELECT s.id FROM orders_sheet s -- WHERE s.side = %s", "german"),
    "an equality in quotes": sql("SELECT id FROM orders_sheet WHERE text = ' AND side = %s'"),
    "an equality for another row": sql("SELECT o.id FROM orders_sheet o, orders_sheet s WHERE s.side = %s", "german"),
    "an equality that joins": sql(
        "SELECT o.id FROM orders_sheet o JOIN orders_sheet s ON o.phase_id = s.phase_id WHERE s.side = %s", "german"
    ),
    "an equality within EXISTS": sql(
        "SELECT o.id FROM orders_sheet o WHERE EXISTS (SELECT 1 FROM orders_sheet s WHERE s.side = %s)", "german"
    ),
    "an equality of a part": sql("SELECT s.id FROM orders_sheet s WHERE s.side = %s || 'x'", "german"),
    "an equality that may fail": sql("SELECT s.id FROM orders_sheet s WHERE (s.side = %s) IS NOT NULL", "german"),
    "a table named by a string": sql("SELECT state_before FROM 'campaign_phasestart'"),
    "a table named by a string beside another": sql("SELECT mix FROM campaign_campaign, 'campaign_phaseproof'"),
    "a table named by a string that joins": sql("SELECT mix FROM campaign_campaign JOIN 'Campaign_PhaseProof' p"),
    "a change of a table named by a string": sql("UPDATE 'campaign_phaseproof' SET mix = mix RETURNING mix"),
    "an insert into a table named by a string": sql("INSERT INTO 'campaign_ruling' (seq) VALUES (1) RETURNING reason"),
    "names in capitals within quotes": sql('SELECT "STATE_BEFORE" FROM "CAMPAIGN_PHASESTART"'),
    "a table without those that inherit from it": sql("SELECT state_before FROM ONLY campaign_phasestart"),
    "an insert that copies": sql(
        "INSERT INTO cache (cache_key, value, expires) SELECT digest, text, received_at FROM orders_sheet"
    ),
    "a change that gives back": sql("UPDATE campaign_phaseproof SET mix = mix WHERE phase_id = 1 RETURNING mix"),
}


@pytest.mark.parametrize("leak", [*LEAKS, *BY_HAND])
def test_a_side_reads_no_truth(leak: str) -> None:
    with guarded(lambda: GERMAN), pytest.raises(Breach):
        {**LEAKS, **BY_HAND}[leak]()


READ: Mapping[str, Callable[[], Any]] = {
    "stops": lambda: list(Phase.objects.select_related("campaign")),
    "the live stop": lambda: Phase.objects.filter(campaign=1).exclude(state__in=["PUBLISHED"]).first(),
    "a stop that nobody else changes": lambda: list(Phase.objects.filter(pk=1).values_list("no")),
    "battles with all that belongs to them": lambda: list(
        Battle.objects.select_related("phase__campaign", "attacking_player__user").order_by("key")
    ),
    "one's own sheets": lambda: list(Sheet.objects.filter(side="german", phase=1).select_related("author", "phase")),
    "one's own sheets, narrowed down": lambda: list(
        Sheet.objects.filter(Q(ready=True) | Q(desk="HQ"), side="german").exclude(text="").order_by("-version")
    ),
    "how many sheets are one's own": lambda: Sheet.objects.filter(side="german").count(),
    "whether one's own sheet counted": lambda: LockedSheet.objects.filter(side="german", sheet=1).exists(),
    "the newest of one's own": lambda: Sheet.objects.filter(side="german").aggregate(newest=models.Max("version")),
    "one's own draft": lambda: Draft.objects.filter(author=7, side="german").first(),
    "one's own draft, thrown away": lambda: Draft.objects.filter(author=7, side="german").delete(),
    "one's own dice": lambda: list(DiceLine.objects.filter(audience="german").values_list("line")),
    "everybody's dice": lambda: list(DiceLine.objects.filter(audience=PUBLIC).values_list("line")),
    "one's own package": lambda: list(
        Artefact.objects.filter(phase__campaign=1, phase__state="PUBLISHED", audience="german").values_list(
            "content", "phase__resolution__state_version"
        )
    ),
    "one's own side's desks": lambda: list(Desk.objects.filter(side="german").select_related("holder__user")),
    "how often a battle was reported": lambda: BattleReport.objects.filter(battle=1, act="report").count(),
    "who takes part": lambda: list(Membership.objects.select_related("user", "campaign")),
    "what one's own side says of a battle": lambda: list(Statement.objects.filter(battle=1, side="german")),
    "one's own mails": lambda: list(OutboxMessage.objects.filter(user=7).order_by("created_at")),
    "a plain statement about one's own": sql("SELECT text FROM orders_sheet s WHERE s.side = %s", "german"),
}


@pytest.mark.parametrize("what", READ)
def test_a_side_reads_what_is_its_own_or_everybodys(what: str) -> None:
    with guarded(lambda: GERMAN):
        READ[what]()


@pytest.mark.parametrize("leak", LEAKS)
def test_nothing_is_kept_from_the_gm(leak: str) -> None:
    with guarded(lambda: Reader(GM, user=1, all_seeing=True)):
        LEAKS[leak]()


@pytest.mark.parametrize("reader", [PASSER_BY, Reader(Audience("allied"), user=8)])
@pytest.mark.parametrize("what", ["one's own sheets", "one's own draft", "one's own dice", "one's own side's desks"])
def test_what_is_a_sides_own_is_nobody_elses(reader: Reader, what: str) -> None:
    with guarded(lambda: reader), pytest.raises(Breach):
        READ[what]()


def test_nobodys_rows_are_not_those_of_who_is_nobody() -> None:
    with guarded(lambda: PASSER_BY), pytest.raises(Breach):
        sql("SELECT text FROM orders_draft d WHERE d.author_id = %s", None)()


def test_each_set_of_parameters_counts() -> None:
    statement = "UPDATE orders_sheet SET desk = %s WHERE orders_sheet.side = %s"
    with guarded(lambda: GERMAN), connection.cursor() as cursor:
        cursor.executemany(statement, [("HQ", "german"), ("A", "german")])
        with pytest.raises(Breach):
            cursor.executemany(statement, [("HQ", "german"), ("A", "allied")])


def test_what_is_written_is_not_read() -> None:
    author = User.objects.create_user("writer")
    campaign = Campaign(slug="x", title="X", ruleset="none", created_at=_NOW)
    with guarded(lambda: Reader(Audience("german"), user=author.pk)):
        campaign.save()
        phase = Phase.objects.create(
            campaign=campaign, no=0, key="x", day=_NOW.date(), opens_at=_NOW, deadline_at=_NOW, state_version=1
        )
        phase.held = True
        phase.save()
        AuditEntry.objects.bulk_create([AuditEntry(campaign=campaign, no=n, at=_NOW, subject={}) for n in (1, 2)])
        Draft.objects.update_or_create(
            phase=phase, side="german", desk="HQ", author=author, defaults={"text": "x", "saved_at": _NOW}
        )
        Draft.objects.update_or_create(
            phase=phase, side="german", desk="HQ", author=author, defaults={"text": "y", "saved_at": _NOW}
        )
    assert Draft.objects.get().text == "y"
    assert Phase.objects.get().held


def test_who_the_reader_is_is_asked_once_and_only_when_it_matters() -> None:
    asked = []

    def who() -> Reader:
        asked.append(Phase.objects.count())  # looking him up is guarded like everything else, and may be
        return GERMAN

    with guarded(who):
        list(Phase.objects.all())
        assert asked == []
        list(Sheet.objects.filter(side="german"))
        list(DiceLine.objects.filter(audience="german"))
    assert asked == [0]


def test_the_guard_ends_with_its_block() -> None:
    with guarded(lambda: GERMAN), pytest.raises(Breach):
        Ruling.objects.count()
    assert Ruling.objects.count() == 0


# --- exceptions -------------------------------------------------------------------------------------------------------


def test_what_is_opened_is_read_and_nothing_else() -> None:
    with guarded(lambda: GERMAN):
        with opened("PhaseProof", "DiceLine"):
            list(PhaseProof.objects.values_list("mix"))
            list(DiceLine.objects.all())
            for other in (PhaseStart.objects.all(), Phase.objects.values_list("proof__mix", "start__state_before")):
                with pytest.raises(Breach):
                    list(other)
            with opened("Ruling"):
                list(PhaseProof.objects.values_list("mix"))
                list(Ruling.objects.all())
        with pytest.raises(Breach):
            list(PhaseProof.objects.values_list("mix"))


def test_what_is_opened_is_shut_again_after_an_error() -> None:
    with guarded(lambda: GERMAN):
        with pytest.raises(ZeroDivisionError), opened("Ruling"):
            raise ZeroDivisionError
        with pytest.raises(Breach):
            Ruling.objects.count()


OPENED = {
    "campaign/record/audit.py _as_stored": "a deed's rows are sealed whole, and only their digests are kept",
    "campaign/record/audit.py _newest": "an entry carries the digest of the one before; the head goes to the GM alone",
    "campaign/record/dice_keys.py master_seed": "nonces of one's own sheets, and published seeds, follow from it",
    "campaign/record/dice_log.py _lines": "all logs are everybody's once the campaign is over",
    "campaign/record/dice_log.py _revealed": "what the sides brought to a lock is told when its stop is published",
    "campaign/record/dice_log.py first_carrying": "it says since when locks carry a mix, not what anybody brought",
    "campaign/house_rules.py _known_to_all": "before anything is published the options stand in the first state alone",
    "campaign/links.py _found": "whoever comes by a link has its address",
    "campaign/links.py follow": "who may see the picture was asked with the link, of all audiences alike",
    "campaign/links.py links_to": "the links of the viewer's own audience",
    "campaign/links.py revoke_link": "whoever revokes a link names it by its address",
    "campaign/links.py watched": "the links of the audiences that the viewer governs",
    "campaign/mail/outbox.py _is_written": "the same mail is written once; nobody is told whether this was the time",
    "campaign/people/memberships.py accept_invitation": "what somebody types when they join is kept, not read",
    "campaign/services.py scenario_of": "the board and the rules are read from the files, once for all readers",
    "gm/machine/health_alerts.py _unsent": "whether any mail of the site is overdue, whoever asks for its health",
    "orders/selectors.py lock_of": "a side is shown its own part of what was brought to a lock, and later all parts",
    "orders/battle_reading.py _lines": "a reply is judged with the report, and of that is shown what the rules release",
    "orders/battle_reading.py statements_of": "who fought it, and the commanders, read what each side says of it",
    "orders/battles.py change": "only if the report is the one that was read is another put in its place",
    "orders/brought.py words_of": "a side is shown what its own commanders typed",
}
"""The places that read more than is for their reader, and why they may."""


def test_every_place_that_opens_something_is_known() -> None:
    found = [
        f"{path.relative_to(ROOT)} {function.name}"
        for package in ("campaign", "gm", "orders", "deploy")
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "truth.py"
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute | ast.Name) and _name(node) == "opened"
    ]
    assert sorted(found) == sorted(OPENED)


def _name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


TRUTH = {"state_before", "state_after", "sealed_dice", "unpack", "decode_events"}
"""Columns of the truth, and what opens them: states and events are kept packed."""
READERS = {
    "campaign/record/dice_keys.py": "the one place where a master seed is opened",
    "campaign/house_rules.py": "before anything is published the options stand in the first state alone",
    "campaign/models.py": "the columns themselves",
    "campaign/services.py": "a new campaign gets its first state and its master seed",
    "campaign/game/store.py": "how they are packed, unpacked and decoded",
}
"""Where the truth is spoken of below the services of the game master, and why."""


def test_nobody_else_opens_what_the_truth_is_kept_in() -> None:
    """Not one page does, the GM's neither: his services hand it what it shows."""
    paths = [
        path for package in ("campaign", "orders", "deploy", "gm/views") for path in (ROOT / package).rglob("*.py")
    ]
    found = {str(path.relative_to(ROOT)) for path in paths if "migrations" not in path.parts and TRUTH & _words(path)}
    assert found == set(READERS)


def _words(path: Path) -> set[str]:
    """All names in a file: of variables, attributes, arguments, imports, and those that stand in strings alone."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {_name(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name)}
    names |= {node.arg for node in nodes if isinstance(node, ast.keyword | ast.arg) and node.arg}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.alias)}
    return names | {part for node in nodes if isinstance(node, ast.Constant) for part in str(node.value).split("__")}


# --- what is guarded --------------------------------------------------------------------------------------------------

OPEN: Mapping[str, str] = {
    "User": "id password last_login is_superuser username first_name last_name email is_staff is_active date_joined"
    " time_zone parts_rev",
    "Campaign": "id slug title ruleset scenario_digest anchors public open_links time_zone weekdays"
    " quiet_from quiet_to reminder_hours battle_hours absent_hours created_at",
    "Closing": "id campaign_id author_id at",
    "Membership": "id campaign_id user_id role side knows mutes_reports joined_at left_at",
    "Invitation": "id campaign_id token_digest role side meant_for created_by_id created_at expires_at revoked_at"
    " used_at used_by_id",
    "Phase": "id campaign_id no rev key moment day weight occurrences acts state held remaining held_at held_until"
    " opens_at deadline_at"
    " deadline_rev deadline_kind fence lease_until claimed_by errors leases_lost locked_at lock_no state_version"
    " drafted_at published_at",
    "PhaseSettings": "id campaign_id weight hours reviewed mailing pictures",
    "Battle": "id phase_id key attacker defender attacking_player_id defending_player_id state reported_by reported_at"
    " accepts_at settled_at",
    "BattleReport": "id battle_id act",
    "Resolution": "id phase_id fence state_version event_version",
    "Artefact": "id phase_id audience kind",
    "Link": "id artefact_id made_by_id made_at revoked_at",
    "Fetch": "id link_id user_id mark first_at last_at times",
    "Tries": "id mark until count",
    "Heartbeat": "name at",
}
"""Columns that pages may read whoever asks, by model. What is neither here nor guarded has been forgotten."""


OURS = [model for model in apps.get_models() if model._meta.app_label in ("campaign", "gm", "orders")]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_column_is_open_or_guarded(model: type[models.Model]) -> None:
    columns = {field.attname for field in model._meta.concrete_fields}
    open_ = set(OPEN.get(model.__name__, "").split())
    declared = getattr(model, "guarded", None)
    shut = set() if declared is None else columns if declared.columns is None else set(declared.columns)
    assert open_ | shut == columns
    assert not open_ & shut
    assert declared is None or declared.own_by in columns | {""}
    relations = {field.attname for field in model._meta.concrete_fields if field.is_relation}
    assert not relations.intersection(kept_back(model)), "a row without it could not bring the other along"


def test_what_the_truth_is_has_not_become_less() -> None:
    """A column that loses its guard and is called open needs an argument with this list too."""
    declared = {model.__name__: model.guarded for model in truth.guarded_models()}
    assert {name for name, each in declared.items() if each.columns is None} == {
        *(
            "AuditEntry",
            "BattleResult",
            "CampaignDice",
            "CampaignScenario",
            "Desk",
            "DiceLine",
            "Draft",
            "LockedSheet",
            "JoiningWords",
            "LockedWords",
            "ManualRoll",
            "Outcome",
            "OutboxMessage",
            "PhaseProof",
            "PhaseStart",
            "Preface",
            "Ruling",
            "ScenarioPicture",
            "Sheet",
            "Statement",
            "VoidedRoll",
        )
    }
    assert {"token"} <= declared["Link"].columns


@pytest.mark.parametrize("model", [model for model in OURS if model is not User], ids=lambda model: model.__name__)
def test_every_table_of_the_game_keeps_its_truth_back(model: type[models.Model]) -> None:
    assert issubclass(model, Row)


@pytest.fixture
def log_of_truth(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.ERROR, logger="campaign.secrecy.truth")
    return caplog


def test_the_alarm_names_columns_and_no_value(log_of_truth: pytest.LogCaptureFixture) -> None:
    with guarded(lambda: GERMAN), pytest.raises(Breach) as breach:
        Sheet.objects.filter(side="allied", text="to Bastogne").exists()
    assert log_of_truth.messages == ["truth: a page for german was stopped that would have read Sheet"]
    assert str(breach.value) == "Sheet"
