"""Play pairs of worlds and print what was compared: `python -m tests.secrecy [--examples N] [--minutes N]`.

Exit status 1 if an observer could distinguish two worlds, if an example broke off, if a campaign, mutator, step, limit,
hour, reader, order, method or route was used less than three times, or if too few phases were played. While anything
is missing, further examples that plan it are played, one by one: at most forty, out of sixty.
"""

import argparse
import os
import sys

import django

from campaign.core.frames import with_room
from campaign.secrecy import truth


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy")
    parser.add_argument(
        "--examples", type=int, default=0, help="how many to play by lot, in addition to those always played"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first example by lot")
    parser.add_argument("--answers", type=int, default=25_000, help="at least this many pairs of answers")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no example after this many minutes")
    parser.add_argument("--everybody", action="store_true", help="all roles read everything, not one of them a part")
    parser.add_argument(
        "--painted", action="store_true", help="paint maps and boards, not only the Views that they show"
    )
    parser.add_argument("--example", help="play this example alone, in JSON")
    parser.add_argument("--first-found", action="store_true", help="stop at the first difference, as it is found")
    parser.add_argument("--build", action="store_true", help="only build what FIELDPOST_SECRECY_BASES names")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    truth.trust_process()
    from tests.secrecy import whole  # noqa: PLC0415 - it needs Django set up

    if asked.example:
        return whole.play_one(asked.example, paint=asked.painted)
    return whole.build(paint=asked.painted) if asked.build else whole.run(asked)


if __name__ == "__main__":
    sys.exit(with_room(main))
