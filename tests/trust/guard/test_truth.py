"""The guard on secrets: no statement of a side's request, mail or stray thread names a table that is not for it."""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, connections, models, transaction
from django.db.models import F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.mail.messages import Extras, message_for, written_to
from campaign.middleware import guarded_truth
from campaign.models import (
    Artefact,
    AuditEntry,
    Battle,
    Campaign,
    CampaignDice,
    CampaignScenario,
    DiceLine,
    JoiningWords,
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
    User,
)
from campaign.secrecy.tables import Owned, Secret
from campaign.secrecy.truth import Breach, Reader, machinery, opened, reading, require, secret_tables
from campaign.viewers import Viewer
from gm.tasks import sweep_task
from orders.models import Draft, LockedSheet, Sheet

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
    "the state of a phase": lambda: list(PhaseStart.objects.values_list("state_before")),
    "a phase with its state": lambda: list(Phase.objects.select_related("start")),
    "a state behind its phase": lambda: PhaseStart(phase=Phase(pk=1)).refresh_from_db(),
    "whether a phase has a state": lambda: list(Phase.objects.filter(start__isnull=False)),
    "the state afterwards": lambda: list(Outcome.objects.values_list("state_after")),
    "events": lambda: list(Resolution.objects.values_list("outcome__events")),
    "events behind a phase": lambda: list(Phase.objects.values("resolution__outcome__events")),
    "a phase found by its truth": lambda: Phase.objects.filter(start__state_before=b"x").exists(),
    "stops sorted by their truth": lambda: list(Phase.objects.order_by("proof__mix")),
    "results sorted by their digests": lambda: list(Resolution.objects.order_by("outcome__digest").values("phase")),
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
    "what both sides begin with": lambda: list(CampaignScenario.objects.all()),
    "rulings": lambda: list(Ruling.objects.all()),
    "how many rulings": Ruling.objects.count,
    "what the GM will say": lambda: list(Preface.objects.filter(audience="german")),
    "what was reported of a battle": lambda: list(Battle.objects.values_list("result__report")),
    "addresses that nobody can guess": lambda: list(Link.objects.values_list("token")),
    "whether an address leads anywhere": lambda: Link.objects.filter(token="0" * 32).exists(),
    "links behind a picture": lambda: list(Artefact.objects.filter(links__revoked_at=None)),
    "who sent which version": lambda: OutboxMessage.objects.filter(key="receipt/bulge/2.0/german/HQ/1").exists(),
    "how many mails a phase has led to": lambda: OutboxMessage.objects.filter(phase=1, kind="receipt").count(),
    "mails": lambda: list(OutboxMessage.objects.values_list("subject")),
    "the record": lambda: list(AuditEntry.objects.values_list("subject")),
    "how much was done": lambda: AuditEntry.objects.filter(campaign=1).count(),
    "words that others brought": lambda: list(Membership.objects.values_list("joining__words")),
    "a secret by changing it": lambda: PhaseProof.objects.filter(mix="x").update(mix="y"),
    "a secret by removing it": lambda: Ruling.objects.filter(reason="x").delete(),
    "a secret that is written": lambda: PhaseProof.objects.create(phase_id=1),
    "a star": sql("SELECT * FROM campaign_phasestart"),
    "a name that nobody quotes": sql("select State_Before from Campaign_PhaseStart p where p.phase_id = 1"),
    "a row as one value": sql("SELECT p FROM campaign_phaseproof p"),
    "two tables side by side": sql("SELECT c.slug FROM campaign_campaign c, campaign_phasestart"),
    "a table within WITH": sql("WITH a AS (SELECT mix FROM campaign_phaseproof) SELECT * FROM a"),
    "a table named by a string": sql("SELECT state_before FROM 'campaign_phasestart'"),
    "names in capitals within quotes": sql('SELECT "STATE_BEFORE" FROM "CAMPAIGN_PHASESTART"'),
    "a table without those that inherit from it": sql("SELECT state_before FROM ONLY campaign_phasestart"),
    "a table after a comment": sql("SELECT mix FROM/**/campaign_phaseproof"),
    "a table of a schema": sql("SELECT mix FROM main.campaign_phaseproof"),
    "an insert that copies": sql("INSERT INTO campaign_tries (mark) SELECT mix FROM campaign_phaseproof"),
    "a change that gives back": sql("UPDATE campaign_phaseproof SET mix = mix WHERE phase_id = 1 RETURNING mix"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_side_reads_no_truth(leak: str) -> None:
    with reading(lambda: GERMAN), pytest.raises(Breach):
        LEAKS[leak]()


@pytest.mark.parametrize("table", secret_tables())
def test_no_secret_table_is_named_to_a_side(table: str) -> None:
    with reading(lambda: GERMAN), pytest.raises(Breach):
        sql(f"SELECT 1 FROM {table}")()  # noqa: S608 # our own names


READ: Mapping[str, Callable[[], Any]] = {
    "stops": lambda: list(Phase.objects.select_related("campaign").order_by("-no")),
    "whether a phase has a result": lambda: list(Phase.objects.filter(resolution__isnull=False)),
    "who takes part": lambda: list(Membership.objects.select_related("user", "campaign")),
    "battles": lambda: list(Battle.objects.select_related("phase")),
    "a table whose name begins like a secret's": sql("SELECT 'campaign_phasestarted' FROM campaign_phase"),
    "one's own sheets": lambda: list(Sheet.objects.filter(side="german")),
}


@pytest.mark.usefixtures("phase")
@pytest.mark.parametrize("what", READ)
def test_a_side_reads_what_is_open(what: str) -> None:
    with machinery():
        everything = READ[what]()
    with reading(lambda: GERMAN):
        assert READ[what]() == everything


@pytest.mark.usefixtures("phase")
@pytest.mark.parametrize("leak", ["the state of a phase", "rulings", "mails", "the record", "a star"])
def test_nothing_is_kept_from_the_gm_and_the_machinery(leak: str) -> None:
    with machinery():
        everything = LEAKS[leak]()
    with reading(lambda: Reader(GM, user=1)):
        assert LEAKS[leak]() == everything
    with reading(lambda: GERMAN), machinery():
        assert LEAKS[leak]() == everything


def test_the_reader_is_looked_up_only_when_it_matters() -> None:
    asked = []

    def who() -> Reader:
        asked.append(Phase.objects.count())  # looking them up is guarded like everything else, and may be
        return Reader(GM)

    with reading(who):
        list(Phase.objects.all())
        assert asked == []
        list(Ruling.objects.all())
    assert asked == [0]


def test_the_guard_ends_with_its_block() -> None:
    with reading(lambda: GERMAN), pytest.raises(Breach), transaction.atomic():
        Ruling.objects.count()
    assert Ruling.objects.count() == 0


# --- every connection, thread, mail and stream ------------------------------------------------------------------------


def breach_in_a_thread(act: Callable[[], object]) -> str:
    """What blocks a thread of its own, whoever started it; empty if nothing does."""
    said = []

    def run() -> None:
        try:
            act()
        except Breach as breach:
            said.append(str(breach))
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return "".join(said)


def test_a_thread_in_which_nobody_is_named_reads_no_secret() -> None:
    with reading(lambda: Reader(GM)):
        assert breach_in_a_thread(LEAKS["rulings"]) == "Ruling"
        assert breach_in_a_thread(LEAKS["a star"]) == "PhaseStart"
    assert breach_in_a_thread(lambda: require(GM)) == "rows for gm"


def test_another_connection_is_guarded_too() -> None:
    other = connections.create_connection("default")
    try:
        with reading(lambda: GERMAN), pytest.raises(Breach), other.cursor() as cursor:
            cursor.execute("SELECT reason FROM campaign_ruling")
    finally:
        other.close()


def test_a_connection_that_is_made_again_has_one_guard() -> None:
    other = connections.create_connection("default")
    for _ in range(3):
        other.connect()
        other.close()
    assert len(other.execute_wrappers) == 1


class Late:
    """What looks something up only when it is printed."""

    def __str__(self) -> str:
        return str(Ruling.objects.count())


def test_what_is_written_to_a_side_reads_no_secret() -> None:
    user = User(pk=7)
    with written_to(user, Audience(GM)):
        assert str(Late()) == "0"
    for audience in (Audience("german"), PUBLIC):
        with written_to(user, audience), pytest.raises(Breach):
            str(Late())


def test_a_mail_to_a_side_is_rendered_without_secrets(phase: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaign.mail.messages.title_of", lambda _phase: "a phase")
    user = User.objects.create_user("reader", email="reader@example.org")
    for audience in (Audience("german"), GM):
        context = {"what": Late(), "now": _NOW}
        with nullcontext() if audience == GM else pytest.raises(Breach), transaction.atomic():
            message_for(
                user,
                audience=audience,
                kind="notice",
                key="x",
                context=context,
                phase=phase,
                extras=Extras(template="notice"),
            )


def test_a_page_that_streams_reads_no_secret_once_it_is_under_way() -> None:
    def page(_: HttpRequest) -> HttpResponse:
        return StreamingHttpResponse(str(Late()) for _ in range(2))  # type: ignore[return-value] # Django takes both

    def answered() -> None:
        answer = guarded_truth(page)(RequestFactory().get("/"))
        list(answer)

    assert breach_in_a_thread(answered) == "Ruling"


def test_workers_say_that_they_are_the_machinery(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.tasks.sweep", lambda **_: require(GM))
    assert breach_in_a_thread(sweep_task) == ""


# --- exceptions -------------------------------------------------------------------------------------------------------


def test_what_is_opened_is_read_and_nothing_else() -> None:
    with reading(lambda: GERMAN):
        with opened("PhaseProof", "Preface"):
            list(PhaseProof.objects.values_list("mix"))
            list(Preface.objects.all())
            for other in (PhaseStart.objects.all(), Phase.objects.values_list("proof__mix", "start__state_before")):
                with pytest.raises(Breach), transaction.atomic():
                    list(other)
            with opened("Ruling"):
                list(PhaseProof.objects.values_list("mix"))
                list(Ruling.objects.all())
        with pytest.raises(Breach):
            list(PhaseProof.objects.values_list("mix"))


def test_what_is_opened_is_shut_again_after_an_error() -> None:
    with reading(lambda: GERMAN):
        with pytest.raises(ZeroDivisionError), opened("Ruling"):
            raise ZeroDivisionError
        with pytest.raises(Breach):
            Ruling.objects.count()


# --- what is secret ---------------------------------------------------------------------------------------------------

OPEN: Mapping[str, str] = {
    "User": "id password last_login is_superuser username first_name last_name email is_staff is_active date_joined"
    " time_zone parts_rev mail_works_since",
    "Campaign": "id slug title ruleset scenario_digest anchors public open_links forum time_zone weekdays"
    " quiet_from quiet_to reminder_hours battle_hours absent_hours think_seconds practice opens_statistics opens_story"
    " from_position confirms_mail created_at",
    "Bot": "id campaign_id side name role since",
    "CalendarFeed": "id member_id digest made_at",
    "Closing": "id campaign_id author_id at kind winner reason",
    "Consent": "id campaign_id side what author_id at",
    "Membership": "id campaign_id user_id role side knows mail_choices mails_quiet_from mails_quiet_to away_until"
    " guided guide_step joined_at left_at",
    "Invitation": "id campaign_id token_digest role side takes_over meant_for address hides_address created_by_id"
    " created_at opens_at expires_at revoked_at used_at used_by_id",
    "Phase": "id campaign_id no rev key moment day weight occurrences acts state held remaining held_at held_until"
    " opens_at deadline_at"
    " deadline_rev deadline_kind fence lease_until claimed_by errors leases_lost locked_at lock_no state_version"
    " drafted_at published_at",
    "PhaseSettings": "id campaign_id weight hours reviewed mailing pictures",
    "Battle": "id phase_id key attacker defender attacking_player_id defending_player_id state reported_by reported_at"
    " accepts_at settled_at",
    "Resolution": "id phase_id fence state_version event_version",
    "Fetch": "id link_id user_id mark first_at last_at times",
    "Tries": "id mark until count",
    "Heartbeat": "name at",
    "ApiToken": "digest token_key user_id member_id label role side scopes created expiry used_at",
}
"""Columns that pages may read for any reader, by model. Other tables of the game are secret, or an audience's."""


OURS = [
    model
    for model in apps.get_models()
    if model._meta.app_label
    in ("api", "archive", "campaign", "gm", "incoming", "orders", "posting", "questions", "staff", "stories")
]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_table_is_secret_an_audiences_or_open_column_by_column(model: type[models.Model]) -> None:
    columns = {field.attname for field in model._meta.concrete_fields}
    stored = issubclass(model, Secret) or issubclass(model, Owned)
    assert set(OPEN.get(model.__name__, "").split()) == (set() if stored else columns)
    assert not (issubclass(model, Secret) and issubclass(model, Owned))


@pytest.mark.django_db
def test_every_table_is_one_of_a_model() -> None:
    """Others are in no list here, and keep PostgreSQL from emptying the tables that they refer to."""
    models_of = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert set(connection.introspection.table_names()) <= models_of | {"django_migrations", "cache"}


def test_what_is_secret_has_not_become_less() -> None:
    """A table that loses its guard and is called open needs an argument with this list too."""
    assert set(secret_tables().values()) == {
        *("Answer", "Approval", "DraftDifferences", "TriedRuling"),
        *("AuditEntry", "BattleFile", "BattleMap", "BattleResult", "CampaignDice", "CampaignScenario", "DrawOffer"),
        *("JoiningWords", "LastPoll", "Link", "Mailbox", "ManualRoll", "MapPicture", "ReceivedMail", "ReplyAddress"),
        *("LastSeen", "ReturnedMail"),
        *("Destination", "ThreadPost", "TurnCall", "TurnWebhook"),
        *("JoiningWords", "Link", "ManualRoll", "MapPicture"),
        *(
            "MailNews",
            "OutboxMessage",
            "Outcome",
            "PhaseProof",
            "PhaseStart",
            "PlayingTime",
            "Preface",
            "Ruling",
            "ScenarioPicture",
            "VoidedRoll",
        ),
    }
    assert {model.__name__: model.owner for model in OURS if issubclass(model, Owned)} == {
        "Absence": "audience",
        "Agreement": "side",
        "Archive": "author",
        "Artefact": "audience",
        "BattleReport": "side",
        "Comment": "audience",
        "Desk": "side",
        "DiceLine": "audience",
        "Draft": "author",
        "LockedSheet": "side",
        "LockedWords": "side",
        "Question": "side",
        "RuleAnswer": "audience",
        "Sheet": "side",
        "Statement": "side",
        "Story": "author",
        "SubstituteOffer": "author",
        "Telling": "audience",
        "Visit": "side",
    }


@pytest.fixture
def log_of_truth(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.ERROR, logger="campaign.secrecy.truth")
    return caplog


def test_the_alarm_names_tables_and_no_value(log_of_truth: pytest.LogCaptureFixture) -> None:
    with reading(lambda: GERMAN), pytest.raises(Breach) as breach:
        Ruling.objects.filter(reason="to Bastogne").exists()
    assert log_of_truth.messages == ["truth: a page for german was stopped that would have read Ruling"]
    assert str(breach.value) == "Ruling"


# --- rows of an audience ----------------------------------------------------------------------------------------------


def viewer_of(campaign: Campaign, audience: Audience, user: User) -> Viewer:
    """Somebody of an audience, as a page sees them."""
    role = {GM: "gm", PUBLIC: "spectator"}.get(audience, "staff")
    side = "" if audience in (GM, PUBLIC) else audience
    return Viewer(campaign, user, Membership(campaign=campaign, user=user, role=role, side=side))


@pytest.fixture
def phase() -> Phase:
    """A phase with a line of each audience's dice log and a sheet of each side, like another of another campaign."""
    found = [_phase_of(slug) for slug in ("other", "here")]
    return found[-1]


def _phase_of(slug: str) -> Phase:
    campaign = Campaign.objects.create(slug=slug, title=slug, ruleset="none", created_at=_NOW)
    phase = Phase.objects.create(
        campaign=campaign, no=0, key="x", moment="x", opens_at=_NOW, deadline_at=_NOW, state_version=1
    )
    for audience in ("german", "allied", "public", "gm"):
        DiceLine.objects.create(campaign=campaign, phase=phase, audience=audience, no=1, lock_no=1, label="x")
    for side in ("german", "allied", "gm"):
        Sheet.objects.create(phase=phase, side=side, version=1, channel="web", received_at=_NOW, idem_key=side)
    return phase


SEEN = {
    Audience("german"): ({"german", "public"}, {"german"}),
    Audience("allied"): ({"allied", "public"}, {"allied"}),
    PUBLIC: ({"public"}, set()),
    GM: ({"german", "allied", "public", "gm"}, {"german", "allied", "gm"}),
}


@pytest.mark.parametrize("audience", SEEN)
def test_a_viewer_reads_rows_of_their_own_audience_in_their_own_campaign(phase: Phase, audience: Audience) -> None:
    user = User.objects.create_user("reader")
    viewer = viewer_of(phase.campaign, audience, user)
    with reading(lambda: Reader(audience, user.pk)):
        lines, sheets = DiceLine.objects.for_viewer(viewer), Sheet.objects.for_viewer(viewer)
        assert (set(lines.values_list("audience", flat=True)), set(sheets.values_list("side", flat=True))) == SEEN[
            audience
        ]
        assert {*lines.values_list("phase", flat=True), *sheets.values_list("phase", flat=True)} == {phase.pk}


@pytest.mark.parametrize("reader", [PASSER_BY, Reader(Audience("allied"), user=8), Reader(PUBLIC, user=7)])
@pytest.mark.parametrize("audience", [Audience("german"), GM])
def test_a_page_that_takes_its_reader_for_somebody_else_is_given_nothing(
    phase: Phase, reader: Reader, audience: Audience
) -> None:
    viewer = viewer_of(phase.campaign, audience, User(pk=7))
    with reading(lambda: reader):
        for rows in (Sheet.objects, DiceLine.objects, Artefact.objects, LockedSheet.objects):
            with pytest.raises(Breach):
                rows.for_viewer(viewer)


def test_a_draft_is_its_writers_alone(phase: Phase) -> None:
    writers = [User.objects.create_user(name) for name in ("one", "two")]
    for writer in writers:
        Draft.objects.create(phase=phase, side="german", author=writer, text=writer.username, saved_at=_NOW)
    one, two = (viewer_of(phase.campaign, Audience("german"), writer) for writer in writers)
    with reading(lambda: Reader(Audience("german"), writers[0].pk)):
        assert [draft.text for draft in Draft.objects.for_viewer(one)] == ["one"]
        with pytest.raises(Breach):
            Draft.objects.for_viewer(two)


def test_what_somebody_types_when_they_join_is_no_part_of_who_they_are() -> None:
    assert "words" not in {field.name for field in Membership._meta.get_fields()}
    assert JoiningWords._meta.pk is not None
