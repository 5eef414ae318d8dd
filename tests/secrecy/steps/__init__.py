"""What people, the GM and the machinery do, the same in both worlds."""

from collections.abc import Mapping

from tests.secrecy.steps import battles, calendars, hours, limits, machinery, people, staff, thinking
from tests.secrecy.steps.plan import Step, read

STEPS: Mapping[str, Step] = {
    "read": read,
    "log in": people.log_in,
    "log out": people.log_out,
    "profile": people.profile,
    "check": people.check,
    "draft": people.draft,
    "send": people.send,
    "ready": people.ready,
    "stale": people.stale,
    "withdraw": people.withdraw,
    "think again": thinking.think_again,
    "new spectator": people.new_spectator,
    "old link": people.old_link,
    "comment": staff.comment,
    "tidy comments": staff.tidy,
    "calendar": calendars.read_calendar,
    "be away": calendars.be_away,
    "the others order": people.the_others_order,
    "the others wait": people.the_others_wait,
    "battle": battles.battle,
    "assign": battles.assign,
    "the others fight": battles.the_others_fight,
    "tick": machinery.tick,
    "lock": machinery.lock,
    "adjudicate": machinery.adjudicate,
    "rule": machinery.rule,
    "roll": machinery.roll,
    "publish": machinery.publish,
    "publish to a leaver": machinery.publish_to_a_leaver,
    "reopen": machinery.reopen,
    "clock": machinery.adjust,
    "the GM assigns": machinery.the_gm_assigns,
    "a bot plays": machinery.a_bot_plays,
    "a bot plays the others": machinery.a_bot_plays_the_others,
    "limits": limits.step(limits.OF_ALL),
    "limits of sheets": limits.step(limits.OF_SHEETS),
    "limits of battles": limits.step(limits.OF_BATTLES),
    **{name: hours.step(name) for name in hours.HOURS},
}
