"""What follows from facts in the toy: a position as it is known, changed by one fact as it was told."""

from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]


def remember(known: Json, fact: Json) -> None:
    """Change a position by a fact; raises KeyError for a kind that is not known here."""
    _CHANGES[fact["type"]](known, fact)


def _own(known: Json, side: str) -> Json:
    """The part of a side; where it is not known, a part that is thrown away."""
    own: Json = known["own"].get(side) or {"forces": {}, "hand": []}
    return own


def _force(known: Json, fact: Json) -> Json:
    force: Json = _own(known, fact["side"])["forces"].get(fact["force"], {})
    return force


def _turned(known: Json, fact: Json) -> None:
    """R1.3, R5.2 An attack is over when the turn is."""
    opened = known["open"]
    if fact["turn"] != opened["turn"]:
        opened["attack"] = None
    opened |= {name: fact[name] for name in ("phase", "date", "turn")}


def _rested(known: Json, _fact: Json) -> None:
    for own in known["own"].values():
        for force in own["forces"].values():
            force["spent"] = False


def _opened(known: Json, fact: Json) -> None:
    known["open"] |= {"turn": fact["side"], "passes": 0}


def _shuffled(known: Json, fact: Json) -> None:
    known["hidden"]["deck"] = list(fact["deck"])


def _drawn(known: Json, fact: Json) -> None:
    """R4.2 Everyone counts; who knows the card also knows where it is now."""
    known["open"]["hand_sizes"][fact["side"]] += 1
    if fact["card"] is not None:
        _own(known, fact["side"])["hand"].append(fact["card"])
        if known["hidden"]:
            known["hidden"]["deck"].remove(fact["card"])


def _played(known: Json, fact: Json) -> None:
    known["open"]["hand_sizes"][fact["side"]] -= 1
    known["open"]["played"].append(fact["card"])
    if fact["side"] in known["own"]:
        known["own"][fact["side"]]["hand"].remove(fact["card"])


def _passed(known: Json, _fact: Json) -> None:
    known["open"]["passes"] += 1


def _acted(known: Json, _fact: Json) -> None:
    known["open"]["passes"] = 0


def _moved(known: Json, fact: Json) -> None:
    _force(known, fact).update(at=[fact["start"], *fact["path"]][-1], spent=True)


def _attacked(known: Json, fact: Json) -> None:
    attack = fact["attack"]
    _force(known, {"side": attack["attacker"], "force": attack["force"]})["spent"] = True
    known["open"]["attack"] = dict(attack)


def _lapsed(known: Json, fact: Json) -> None:
    _force(known, fact)["spent"] = True


def _answered(known: Json, fact: Json) -> None:
    known["open"]["attack"] |= {"answer": fact["answer"], "answer_card": fact["card"]}


def _standing(known: Json, fact: Json) -> None:
    _own(known, fact["side"])["standing"] = list(fact["orders"])


def _weakened(known: Json, fact: Json) -> None:
    _force(known, fact)["strength"] -= 1


def _at(where: str) -> Callable[[Json, Json], None]:
    def change(known: Json, fact: Json) -> None:
        _force(known, fact)["at"] = fact[where]

    return change


def _strength_set(known: Json, fact: Json) -> None:
    _force(known, fact)["strength"] = fact["strength"]


def _destroyed(known: Json, fact: Json) -> None:
    """R6.1 It stays in the enemy's picture until they look again, which they do in the same phase."""
    _own(known, fact["side"])["forces"].pop(fact["force"], None)


def _scouted(known: Json, fact: Json) -> None:
    for side, picture in fact["pictures"].items():
        if side in known["own"]:
            known["own"][side]["seen"] = picture


def _taken(known: Json, fact: Json) -> None:
    known["open"]["control"][fact["place"]] = fact["side"]


def _ended(known: Json, _fact: Json) -> None:
    known["open"]["ended"] = True


def _nothing(_known: Json, _fact: Json) -> None:
    """It is told, and nothing follows from it."""


_CHANGES: Mapping[str, Callable[[Json, Json], None]] = {
    "Turned": _turned,
    "Rested": _rested,
    "Opened": _opened,
    "Shuffled": _shuffled,
    "Drawn": _drawn,
    "Played": _played,
    "Passed": _passed,
    "Acted": _acted,
    "Moved": _moved,
    "Attacked": _attacked,
    "AttackLapsed": _lapsed,
    "Answered": _answered,
    "StandingOrdersGiven": _standing,
    "Weakened": _weakened,
    "FellBack": _at("to"),
    "Advanced": _at("to"),
    "ForcePlaced": _at("at"),
    "StrengthSet": _strength_set,
    "Destroyed": _destroyed,
    "Scouted": _scouted,
    "Taken": _taken,
    "Ended": _ended,
    **dict.fromkeys(("Rolled", "Noted", "Fought"), _nothing),
}
