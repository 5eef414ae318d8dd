"""Values from requests."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

MOST_DIGITS = 9
"""Every database can store numbers with this many digits."""


def number(request: HttpRequest, name: str) -> int:
    """A number from a form; 0 if it is missing, not a number, or far too large."""
    written = request.POST.get(name, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS else 0


def network(request: HttpRequest) -> str:
    """A visitor's neighbourhood: 256 IPv4 addresses, or 65,536 IPv6 networks."""
    return _around(request, 24, 48)


def household(request: HttpRequest) -> str:
    """A visitor's own address, or their network if it gives each person many addresses (IPv6)."""
    return _around(request, 32, 64)


def _around(request: HttpRequest, bits: int, bits_of_6: int) -> str:
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    return str(ipaddress.ip_network((address, bits if address.version == 4 else bits_of_6), strict=False))
