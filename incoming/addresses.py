"""Secret reply addresses: made for a member and a phase, and found again when a mail comes.

A token is made from facts of the row, so that each mail of one member about one phase has the same address without any
stored secret.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import F, QuerySet

from campaign.core import clock
from campaign.mail.secret_addresses import address_with, digest_of_token, takes_mail, token_for, token_in
from campaign.models import Membership, OutboxMessage, Phase
from campaign.secrecy import truth
from incoming.models import ReplyAddress

# --- giving out ------------------------------------------------------------------------------------------------------


def reply_headers(
    phase: Phase, members: Iterable[Membership], templates: Mapping[int, str] | None = None
) -> dict[int, dict[str, str]]:
    """By member: the headers of a mail that can be answered, in the caller's transaction; none if mail is not taken.

    `templates`: the order templates in these mails, by member.
    """
    if not takes_mail():
        return {}
    given = {member.pk: (member, _token(phase, member)) for member in members}
    _keep(phase, given.values(), templates or {})
    return {pk: {"Reply-To": address_with(token)} for pk, (_, token) in given.items()}


def reply_header(phase: Phase, member: Membership, *, template: str = "") -> dict[str, str]:
    """The same for one member."""
    return reply_headers(phase, [member], {member.pk: template}).get(member.pk, {})


def _keep(phase: Phase, given: Iterable[tuple[Membership, str]], templates: Mapping[int, str]) -> None:
    now, rows = clock.now(), dict[str, ReplyAddress]()
    for member, token in given:
        part = {"role": member.role, "side": member.side, "since": member.joined_at}
        digest = digest_of_token(token)
        template = templates.get(member.pk, "")
        rows[digest] = ReplyAddress(member=member, phase=phase, digest=digest, template=template, made_at=now, **part)
    with truth.opened("ReplyAddress"):
        there = set(ReplyAddress.objects.filter(digest__in=rows).values_list("digest", flat=True))
        # another worker may write the same address meanwhile
        ReplyAddress.objects.bulk_create([row for key, row in rows.items() if key not in there], ignore_conflicts=True)


def _token(phase: Phase, member: Membership) -> str:
    where = f"{phase.campaign.slug}|{phase.campaign.created_at.isoformat()}|{phase.no}.{phase.rev}"
    who = f"{member.user.username}|{member.role}|{member.side}|{member.joined_at.isoformat()}"
    return token_for(f"reply|{where}|{who}")


# --- finding ---------------------------------------------------------------------------------------------------------


def find(addresses: Collection[str]) -> list[ReplyAddress]:
    """The reply addresses among these at which mail is taken now, by one look-up whatever they are."""
    digests = {digest_of_token(token_in(address)) for address in addresses}
    return list(_in_force().filter(digest__in=digests).select_related("member", "phase").order_by("pk"))


def find_by_return_path(addresses: Collection[str]) -> list[OutboxMessage]:
    """Our mails whose return paths are among these addresses, by one look-up whatever they are."""
    digests = {digest_of_token(token_in(address)) for address in addresses}
    return list(OutboxMessage.objects.filter(return_digest__in=digests).only("return_digest").order_by("pk"))


def takes(addresses: Collection[str]) -> bool:
    """Whether mail is taken at any of these addresses now, by two look-ups whatever they are."""
    found = [*find(addresses), *find_by_return_path(addresses)]
    return bool(found)


def is_in_force(address: ReplyAddress) -> bool:
    """Whether mail is still taken at an address."""
    return _in_force().filter(pk=address.pk).exists()


def _in_force() -> QuerySet[ReplyAddress]:
    """Addresses of members who have the part for which they were made, until the campaign is closed."""
    return ReplyAddress.objects.filter(
        member__left_at=None,
        member__user__is_active=True,
        member__role=F("role"),
        member__side=F("side"),
        member__joined_at=F("since"),
        phase__campaign__closing=None,
    )
