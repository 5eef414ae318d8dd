"""What a comparison of worlds counts."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Figures:
    """The figures of a comparison."""

    examples: int = 0
    campaigns: Counter[str] = field(default_factory=Counter)
    """Examples by the campaign that they are played in."""
    answers: int = 0
    size: int = 0
    mails: int = 0
    differing: int = 0
    """Bytes of answers and mails that differed."""
    discarded: int = 0
    """Examples whose worlds differed for the observer from the start."""
    parted: int = 0
    """Examples in which the rules disclosed a difference in the end; everything was read as it was before that."""
    explained: Counter[str] = field(default_factory=Counter)
    """The facts and fields by which they parted, as the oracle names them."""
    mutators: Counter[str] = field(default_factory=Counter)
    placements: Counter[str] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)
    """The readers who read in the end."""
    orders: Counter[str] = field(default_factory=Counter)
    """The order in which the worlds were asked."""
    methods: Counter[str] = field(default_factory=Counter)
    """Requests for what is not for a reader, compared with requests for what does not exist."""
    reached: Counter[str] = field(default_factory=Counter)
    """Routes that led a reader anywhere, with the answers compared."""
    looked_for: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    """Parameters that pages looked for, and those that were given to them, by route."""
    led: Counter[str] = field(default_factory=Counter)
    """Routes that led the campaign's own game master anywhere, who is compared with nobody."""
    sure: Counter[str] = field(default_factory=Counter)
    """How many addresses were asked for by each expression in `Lot.sure`."""
    steps: Counter[str] = field(default_factory=Counter)
    """Steps that were possible, and whose answers were compared."""
    limits: Counter[str] = field(default_factory=Counter)
    hours: Counter[str] = field(default_factory=Counter)
    """Limits that were reached and hours that passed, in steps whose answers were compared."""
    posted: Counter[str] = field(default_factory=Counter)
    """What left for the observer's forum and channel, and was compared."""
    done: Counter[str] = field(default_factory=Counter)
    """Phases that the steps locked and published, with locks and publications compared."""

    def add(self, other: "Figures") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
