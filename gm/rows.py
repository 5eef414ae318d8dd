"""What every act on a phase begins with: its row, with nobody else changing it."""

from campaign.models import Phase


def held_row(phase_id: int) -> Phase:
    """A phase's row, with nobody else changing it until the transaction ends."""
    return Phase.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=phase_id)
