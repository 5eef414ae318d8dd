"""Doing what people ask for in their own words: a question to the game master, or an absence."""

from datetime import datetime, time

from django.db import transaction
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.people import absences, memberships
from campaign.people.absences import Booking
from campaign.viewers import Viewer
from incoming.answering import answer_message
from incoming.meaning import Asked, Away, Enquiry
from incoming.models import MailState, ReceivedMail
from incoming.noting import conclude, hold, write
from incoming.reading import Reading
from questions import writing as questions


def carry_out(mail: ReceivedMail, reading: Reading, asked: Asked) -> None:
    """Do what a mail asks for, and answer it."""
    member = mail.address.member
    viewer = Viewer(mail.address.phase.campaign, member.user, member)
    try:
        if isinstance(asked, Enquiry):
            _ask(viewer, mail, reading, asked)
        else:
            _book(viewer, mail, reading, asked)
    except (questions.Refused, memberships.Refused) as refused:
        conclude(mail, reading, MailState.REFUSED, why=str(refused))
    except Http404:
        conclude(
            mail, reading, MailState.REFUSED, why="Only players ask the game master, until the campaign is closed."
        )


def _ask(viewer: Viewer, mail: ReceivedMail, reading: Reading, asked: Enquiry) -> None:
    def noted() -> None:
        write(mail, MailState.ASKED, lambda: answer_message(mail, reading, MailState.ASKED))
        fp("incoming.before_note")

    about = {"rule": asked.rule, "line": ""}
    questions.ask(viewer, asked.text, now=clock.now(), of_phase=mail.address.phase, noted=noted, **about)


def _book(viewer: Viewer, mail: ReceivedMail, reading: Reading, asked: Away) -> None:
    zone = clock.zone(viewer.person.time_zone)
    until = datetime.combine(asked.until, time(), zone)
    with transaction.atomic(durable=True):
        hold(mail)
        absences.book(viewer, viewer.member, Booking(until=until, why=asked.why), now=clock.now())
        why = f"You are away until {asked.until:%-d %B %Y}."
        write(mail, MailState.AWAY, lambda: answer_message(mail, reading, MailState.AWAY, why=why), why=why)
        fp("incoming.before_note")
