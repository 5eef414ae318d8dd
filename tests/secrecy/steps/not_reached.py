"""Hours and limits that no step reaches, each with the reason why nobody learns by it of what others have and do.

A name is the module, or the model, and what it declares; several of one package stand together: "package: name name".
"""

from collections.abc import Iterator, Mapping, Sequence

NOT_REACHED: Sequence[tuple[str, str]] = (
    # --- what is measured is in the request ---
    ("api.resources: _LONGEST_KEY", "of a key in one request of a program"),
    ("campaign.core.requests: MOST_DIGITS", "of a number in one request"),
    ("orders.views.battles: _LONGEST_NUMBER", "of a number in one request"),
    ("campaign.people.absences: LONGEST_WHY LONGEST_ABSENCE", "of one absence, as it is booked"),
    ("campaign.people.invitations: LONGEST_WORDS", "what a commander types to join is cut there"),
    ("campaign.people.substitutes: LONGEST_OFFER", "an offer is cut there; its author and the GM alone read it"),
    ("campaign.forms.people: MOST_INVITED", "of the addresses that a GM types into one form"),
    ("campaign.forms.schedules: LONGEST_THOUGHT", "of a setting that a GM types"),
    ("campaign.forms.creation: MOST_FAULTS", "the faults that are shown of a position that a GM pastes"),
    (
        "campaign.engine: pasted.MOST_LINES pasted.MOST_CELLS pasted.LONGEST_CELL positions.LONGEST_POSITION",
        "of a position that a GM pastes to create a campaign",
    ),
    ("orders.battles.meetings: MOST_TIMES", "of the times that one form proposes"),
    ("questions.writing: _SAME", "the same person asks the same twice, as when a form is sent again"),
    ("staff.writing: _SAME", "the same person writes the same comment twice, as when a form is sent again"),
    ("staff.writing: LONGEST_QUOTE", "a line of the own side's sheet is cut there"),
    # --- the GM alone meets it, who knows everything ---
    ("gm.phases: judging.LONGEST prefaces.LONGEST rolls.MOST_DICE rolls.LONGEST_PURPOSE", "the GM types it"),
    ("questions.writing: LONGEST_ANSWER", "the GM types it"),
    (
        "gm.desk.deadlines: SHORTEST_NOTICE",
        "the GM alone is refused a deadline, by the clock alone",
    ),
    (
        (
            "campaign.rulesets.forum_campaign.gm: rulings._LONGEST_LABEL rulings._MOST_GOODS rulings._LONGEST_LINE"
            " rulings._MOST_LINES position.units._MOST_GOODS position.lines._MOST_FUEL position.roster._MOST_NEW"
            " position.roster._MOST_MOVEMENT position.roster._MOST_HINTS"
        ),
        "the GM types rulings and positions, and alone is told what is wrong with them",
    ),
    ("incoming.found: MOST_SHOWN", "mails that were found too late are listed on the GM's desk"),
    ("gm.desk.exposure: MOST_STRANGERS", "the GM alone reads who fetched pictures that a report of a leak is about"),
    ("campaign.people.visits: EVERY", "how often a visit is noted; the GM alone reads when members came"),
    ("campaign.mail.delivery: LONGEST_TROUBLE", "what a mail server said is cut there, for the GM"),
    ("posting.sending: LONGEST_TROUBLE", "what a forum said is cut there, for the GM or the webhook's owner"),
    ("posting.adapters.places: LONGEST_WORDS", "what a forum said is cut there, for the GM or the webhook's owner"),
    # --- it is written or drawn from what its reader is told ---
    (
        (
            "campaign.maps: base.legend._MOST_HOLDERS base.legend._MOST_VICTORIES furniture._LONGEST insets.MOST"
            " land.backdrop.MOST_PIXELS land.labels._LONGEST_ID plots.axes._MOST_STEPS replay.MOST_FRAMES"
            " style.theme.MOST_PIXELS vector.MOST_PLACES"
        ),
        "how a picture is drawn of the map, which everybody has, and of its reader's own views",
    ),
    ("campaign.engine.display.sentences: MOST_HEADLINES", "the first sentences of what their reader is told"),
    ("campaign.rulesets.forum_campaign.disclosure.headlines: _MOST", "the first names of what their reader is told"),
    ("campaign.after_action: MOST_TURNS", "turning points are named once the game has ended and everything is open"),
    ("campaign.reports.posts: MOST", "how one report is divided, which its reader has"),
    ("campaign.core.ical: LONGEST_LINE", "how a calendar's lines are broken"),
    ("campaign.mail.outbox: LONGEST_SUBJECT LONGEST_ADDRESS", "of one mail's own subject and address"),
    ("campaign.timetable: HORIZON MOST_EXPECTED", "how far ahead the timetable goes, which is everybody's"),
    ("orders.forms.examples: _MOST_UNITS", "of the own units, that examples of orders are tried with"),
    ("orders.selectors: DRAFTS_SHOWN", "of drafts of a desk, for those who write its sheets"),
    # --- the game itself ---
    (
        (
            "campaign.rulesets: area_activation.model.state.MOST_IN_A_SPACE area_activation.rules.movement.MOST_STEPS"
            " area_activation.sheets.forms._MOST_FREED forum_campaign.model.task_forces.MOST_TANKS"
            " forum_campaign.choices._LONGEST_BATTLE"
        ),
        "of the printed rules: what they disclose is the oracle's question, not that of an hour or a count",
    ),
    (
        (
            "campaign.rulesets: area_activation.bots.plans._MOST_TARGETS forum_campaign.bots.plans.attacks._MOST"
            " forum_campaign.bots.plans.task_forces._MOST forum_campaign.bots.posts.approaches._MOST"
        ),
        "how a bot plans, which gets what its side is told",
    ),
    (
        (
            "campaign.rulesets: area_activation.sequence._DAY forum_campaign.sequence._DAY"
            " forum_campaign.day.sighting._DAY"
            " forum_campaign.day.weather._DAY forum_campaign.movement.reinforcement._DAY"
        ),
        "a day of the game's calendar, which no clock counts",
    ),
    ("campaign.timetable: _DAY", "from one weekday to the next: a unit of the timetable, which is everybody's"),
    ("campaign.engine.orders.lexicon: LONGEST_NAME", "how names are found in a line, the same for every sheet"),
    (
        (
            "campaign.game: briefing.LONGEST guide.LONGEST guide.LONGEST_TEXT loading.MOST_BYTES"
            " loading.MOST_PICTURE_BYTES"
            " loading._LONGEST_FILE_NAME"
        ),
        "of the files of a scenario, which are checked when a campaign is created",
    ),
    ("campaign.game.through: _MOST_WAITS", "of a program that plays elsewhere, over the API"),
    # --- practice, sessions, archives: one person's own ---
    ("campaign.people.practice: MOST IDLE _TWICE", "nobody but one person and bots is in a practice campaign"),
    ("gm.machine.practice: RETRY_AFTER", "nobody but one person and bots is in a practice campaign"),
    ("campaign.people.sessions: _REMEMBERED MOST_STEPS", "of a cookie in one's own browser, and of one's own session"),
    ("api.tokens: _NOTED_EVERY", "how often it is noted that one's own token was used"),
    ("archive.jobs: KEPT _CLAIM", "a member's own archive: tests/archive/test_jobs.py is about who else learns of it"),
    ("archive.models: Archive.claimed_until", "of a member's own archive, while a worker makes it"),
    ("stories.keeping: KEPT_UNNAMED", "of files that no row names, so that nobody can ask for them"),
    # --- mails that come in, one by one ---
    (
        (
            "incoming.reading: kinds.MOST_OF_A_BOUNCE kinds.LONGEST_BOUNCE_LINE orders.template.MOST_WRAPPED"
            " orders.wrapping.LONGEST_BROKEN quotation.LONGEST_ANNOUNCEMENT quotation.MOST_QUESTIONS"
            " quotation.MOST_IN_A_HEADER quotation.LONGEST_SENT_FROM reader.MOST_NAMED reader.LONGEST_WORDS"
            " reports.MOST_IDS"
            " text.charsets.LONGEST_LABEL text.lines.MOST_LINES text.lines.LONGEST_LINE text.marks.LONGEST_MARK"
            " text.markup.LONGEST text.markup.LONGEST_TAG text.markup.LONGEST_STYLE text.message.MOST_BYTES"
            " text.message.MOST_HEADER_BYTES text.message.MOST_NESTED text.message.MOST_LOOKS text.message.MOST_STARTS"
            " text.message.LONGEST_PART_HEADER text.message.MOST_FIELDS text.message.LONGEST_FIELD"
            " text.message.MOST_PARAMETERS text.message.LONGEST_VALUE text.message.LONGEST_SUBJECT"
            " text.message.MOST_COMMENTS"
            " text.parts.MOST_TEXT text.parts.MOST_PARTS text.parts.MOST_ALTERNATIVES"
        ),
        "of one mail, read alone: its writer is told how",
    ),
    ("incoming.ways: forms.MOST_FIELDS heads.MOST", "of one mail or request, before any row is read"),
    ("incoming.smtp: LONGEST_LINE MOST_RECIPIENTS _MOST_COMMANDS", "of one connection"),
    ("incoming.smtp: MOST_CONNECTIONS", "of the site's door for mail at one moment, whatever they are about"),
    (
        "incoming.ways.polling: AT_A_LOCK LONGEST_PAUSE LATE FIRST_BREAK LONGEST_BREAK MOST_UNFILED MOST_TRIES",
        "how the site's one mailbox is read, which is no side's",
    ),
    (
        "incoming.ways.waiting: PATIENCE",
        "how long a lock waits for the site's mailbox, whether or not anybody has mailed",
    ),
    ("incoming.handling: LEASE", "a worker dies that handles a mail: its writer alone is answered later"),
    ("incoming.models: ReceivedMail.lease_until", "while a worker handles a mail: its writer alone is answered"),
    ("incoming: handling.MOST_TRIES returned.MOST_TRIES", "only a fault in the code fails to read a mail at all"),
    # --- machines ---
    ("gm: machine.heartbeat.DRIFT verification._TWO_CLOCKS", "of clocks of two machines; worlds have one clock"),
    (
        "gm.machine.rendered_bases: UNUSED LOOK_AGAIN AT_HAND",
        "of pictures of the empty map on the disk, the same for everybody",
    ),
    (
        "gm.phases.lifecycle: MOST_ERRORS MOST_LEASES_LOST",
        "only a fault in the code, or machines that die again and again, let a phase fail",
    ),
    ("campaign.mail.delivery: LONG_KEPT", "what a site notes for its record if it keeps mails for less than a month"),
    # --- forums: no forum of a world is silent, or asks to be left alone ---
    (
        "posting.sending: FIRST_PAUSE LONGEST_PAUSE GIVE_UP LOOK_AFTER LEASE",
        (
            "when a post or a call is tried again: its row and the answers of its own forum decide; a sweep that"
            " has eight"
            " others to do leaves it for the next"
        ),
    ),
    (
        "posting.models: ThreadPost.next_at ThreadPost.lease_until TurnCall.next_at TurnCall.lease_until",
        "when a post or a call of one's own is tried again; tests/posting is about what becomes of it",
    ),
    (
        "posting.adapters.places: LONGEST_WAIT",
        "how long a forum may ask to be left alone, which one's own posts wait for",
    ),
    # --- columns that nothing reads ---
    ("campaign.models: Membership.away_until", "of a release that had no rows for absences; nothing reads it"),
)
"""Constants that name a limit or a span of time, and columns that name a later one."""

NOTED: Sequence[str] = (
    "api.models: ApiToken.created ApiToken.used_at",
    "archive.models: Archive.asked_at Archive.ready_at Archive.failed_at",
    (
        "campaign.models: User.last_login User.date_joined User.mail_works_since Campaign.created_at Closing.at"
        " Consent.at"
        " Membership.joined_at Membership.left_at LastSeen.at CalendarFeed.made_at SubstituteOffer.offered_at Bot.since"
        " Absence.booked_at Invitation.created_at Invitation.revoked_at Invitation.used_at DrawOffer.at"
        " DrawOffer.withdrawn_at AuditEntry.at Heartbeat.at Link.made_at Link.revoked_at Fetch.first_at Fetch.last_at"
    ),
    (
        "campaign.models: Phase.held_at Phase.opens_at Phase.locked_at Phase.drafted_at Phase.published_at"
        " Ruling.taken_back_at"
        " ManualRoll.announced_at VoidedRoll.at"
    ),
    (
        "campaign.models: Battle.reported_at Battle.settled_at BattleReport.at Statement.at BattleFile.at BattleMap.at"
        " BattleMap.withdrawn_at PlayingTime.proposed_at PlayingTime.accepted_at PlayingTime.ended_at"
    ),
    (
        "campaign.models: OutboxMessage.created_at OutboxMessage.sent_at OutboxMessage.first_try_at"
        " OutboxMessage.bounced_at OutboxMessage.delayed_at MailNews.created_at MailNews.gathered_at"
    ),
    "gm.models: TriedRuling.at Answer.at Approval.given_at Approval.cancelled_at",
    (
        "incoming.models: ReplyAddress.since ReplyAddress.made_at ReceivedMail.received_at ReceivedMail.handled_at"
        " ReceivedMail.told_at ReturnedMail.received_at Mailbox.unfiled_since Mailbox.read_at Mailbox.tried_at"
        " Mailbox.failing_since LastPoll.asked_at LastPoll.answered_at LastPoll.missed_at LastPoll.told_at"
    ),
    "orders.models: Sheet.received_at Draft.saved_at",
    (
        "posting.models: Destination.created_at Destination.withdrawn_at TurnWebhook.created_at ThreadPost.created_at"
        " ThreadPost.sent_at ThreadPost.first_try_at ThreadPost.withdrawn_at TurnCall.created_at TurnCall.sent_at"
        " TurnCall.first_try_at"
    ),
    "questions.models: Question.asked_at RuleAnswer.at RuleAnswer.over_at",
    "staff.models: Comment.written_at Comment.removed_at Visit.seen_at Agreement.agreed_at",
    "stories.models: Story.written_at Story.told_at MapPicture.at",
)
"""Columns that note when something happened: they lie in the past when they are written.

What is counted from them is an hour of its own, named by its constant.
"""


def names_in(declared: str) -> Iterator[str]:
    """The whole names in "package: name name"."""
    package, _, names = declared.partition(": ")
    return (f"{package}.{name}" for name in names.split())


def not_reached() -> Mapping[str, str]:
    """By its whole name: why no step reaches an hour or a limit."""
    return {name: reason for declared, reason in NOT_REACHED for name in names_in(declared)}


def noted() -> Sequence[str]:
    """The whole names of the columns that note something."""
    return [name for declared in NOTED for name in names_in(declared)]
