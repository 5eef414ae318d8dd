"""Lines of Python that run inside a site under test: they leave what is to be known in `told`."""

FOUND = """
from campaign.loading import find_scenario
from campaign.models import Campaign, Phase, PhaseState, Resolution, User
from campaign.services import found_campaign
from gm.adjudication import Claim, resolve
from gm.sweeper import sweep
from tests.gm.campaigns import live, send_demo_sheets
scenario = find_scenario("forum_campaign/ardennes-1944")
campaign = found_campaign(slug="bulge", title="The Bulge", scenario=scenario, reviewed=False, master=bytes(range(32)))
author = User.objects.create_user("Rundstedt")
told = campaign.pk
"""
"""A campaign whose dice can be foreseen."""

READY = f"""{FOUND}
sweep(worker="start")
send_demo_sheets(live(campaign), author)
told = live(campaign).no
"""
"""The same, with all who act in its first stop ready."""

PLAY = """
from campaign.models import Campaign, Phase, PhaseState, User
from tests.gm.campaigns import live, send_demo_sheets
author, sent = User.objects.get(), 0
while True:
    phase = Campaign.objects.get().phases.filter(state=PhaseState.OPEN, no__gt=sent).first()
    if phase and phase.day.isoformat() == "1944-12-18":
        break
    if phase:
        send_demo_sheets(phase, author)
        sent = phase.no
told = sent
"""
"""Both sides play two days as in the demonstration."""

AGAIN = """
from campaign.models import Phase, PhaseState, Resolution
from gm.adjudication import Claim, resolve
published = Phase.objects.filter(state=PhaseState.PUBLISHED).order_by("no")
told = [Resolution.objects.count()]
told += [resolve(Claim(phase.pk, phase.fence)).digest for phase in published]
"""
"""How many stops are resolved, and the digest of each adjudicated once more, on its own."""
