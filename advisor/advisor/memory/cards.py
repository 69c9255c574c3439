"""Graphics cards, and which of them hold a model with its cache."""

import bisect
import math
from collections.abc import Callable
from dataclasses import dataclass

from posenc.checks import LONGEST

GIB = 2**30
KEPT = 0.1
"""Share of a card's memory that is left for activations, the engine and fragments."""
MACHINE = 8
"""Cards in one machine, which share each layer; of several machines each has some of the layers."""
COUNTS = (1, 2, 4, MACHINE, 2 * MACHINE, 4 * MACHINE)
"""How many cards are tried."""


@dataclass(frozen=True)
class Card:
    """One card.

    Attributes:
        name: As it is sold.
        gib: Its memory, GiB, as the maker gives it.
    """

    name: str
    gib: int


CARDS = (
    Card("RTX 4060 Ti 16GB", 16),
    Card("L4", 24),
    Card("A10", 24),
    Card("RTX 3090", 24),
    Card("RTX 4090", 24),
    Card("RTX 5090", 32),
    Card("A100 40GB", 40),
    Card("L40S", 48),
    Card("RTX 6000 Ada", 48),
    Card("A100 80GB", 80),
    Card("H100", 80),
    Card("RTX PRO 6000", 96),
    Card("H200", 141),
    Card("B200", 180),
    Card("MI300X", 192),
)
"""Looked up in November 2026, not in the makers' own data sheets: A100 and H100 at Azure, L4 at
Modal, H200 among the systems of MLPerf Inference 4.1, MI300X at TensorWave, the others in reviews.
The A10 alone was not found again (its sister A10G has 24). A B200 has 192 on its package; a DGX
B200 counts 180. What the driver reports is up to 4 % less, which the share that is kept makes up
for."""


@dataclass(frozen=True)
class Fit:
    """Whether a card holds it.

    Attributes:
        card: The card.
        tried: The fewest of them, one of `COUNTS`, that hold weights and cache; the most that
            were tried where these do not.
        weights: Bytes of weights on each of those.
        cache: Bytes of the cache on each.
    """

    card: Card
    tried: int
    weights: int
    cache: int

    @property
    def left(self) -> int:
        """Bytes that are left on each, besides the share that is kept; below 0 for too few."""
        return room(self.card) - self.weights - self.cache

    @property
    def cards(self) -> int | None:
        """The fewest that hold it; None where none of `COUNTS` do."""
        return self.tried if self.left >= 0 else None

    @property
    def machines(self) -> int:
        """How many machines they are in."""
        return math.ceil(self.tried / MACHINE)


@dataclass(frozen=True)
class Longest:
    """The longest text that memory leaves room for.

    Attributes:
        card: The card.
        cards: The fewest of them that hold the weights and a token.
        tokens: Of each text.
    """

    card: Card
    cards: int
    tokens: int


def room(card: Card) -> int:
    """Bytes of a card for weights and cache."""
    return int(card.gib * GIB * (1 - KEPT))


def longest(
    weights: int,
    cache: Callable[[int], int],
    copies: int = 1,
    cards: tuple[Card, ...] = CARDS,
) -> list[Longest]:
    """The longest text for each card, on the fewest that hold the weights.

    Args:
        weights: Bytes.
        cache: Bytes of the cache by the tokens of a text, never less for more of them.
        copies: As for `fits`.
        cards: Which to try.

    Returns:
        One for each card of which some hold the weights.
    """
    found = []
    for card in cards:
        for count in COUNTS:
            parts = min(count, MACHINE, copies) * math.ceil(count / MACHINE)
            left = (room(card) - math.ceil(weights / count)) * parts
            tokens = bisect.bisect_right(range(1, LONGEST), left, key=cache)
            if tokens:
                found.append(Longest(card, count, tokens))
                break
    return found


def fits(weights: int, cache: int, copies: int = 1, cards: tuple[Card, ...] = CARDS) -> list[Fit]:
    """How many of each card hold weights and cache.

    Weights are split evenly. The cache is split by key/value heads within a machine, where some
    cards hold the same if there are fewer heads than cards, and by layers between machines.

    Args:
        weights: Bytes.
        cache: Bytes.
        copies: Into how many parts the cache can be split: key/value heads, 1 for latent attention.
        cards: Which to try.

    Returns:
        One `Fit` for each card.
    """
    found = []
    for card in cards:
        for count in COUNTS:
            parts = min(count, MACHINE, copies) * math.ceil(count / MACHINE)
            fit = Fit(card, count, math.ceil(weights / count), math.ceil(cache / parts))
            if fit.left >= 0:
                break
        found.append(fit)
    return found
