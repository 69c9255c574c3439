"""Graphics cards, and which of them hold a model with its cache."""

import math
from collections.abc import Callable
from dataclasses import dataclass

GIB = 2**30
KEPT = 0.1
"""Share of a card's memory that is left for activations, the engine and fragments."""
MACHINE = 8
"""Cards in one machine, which share each layer where its heads can be divided among them; of
several machines each has some of the layers."""
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
B200 counts 180. What the driver reports is up to 4% less, which the share that is kept makes up
for."""


@dataclass(frozen=True)
class Split:
    """A model over several cards.

    Attributes:
        tensor: How many share each layer, by heads.
        stages: How many such groups there are, each with some of the layers.
    """

    tensor: int
    stages: int


def split(cards: int, heads: int, kv_heads: int, together: int = MACHINE) -> Split:
    """The split of a model over cards in which as many as can be share each layer.

    Args:
        cards: How many there are.
        heads: Query heads.
        kv_heads: Key/value heads; 1 for latent attention.
        together: The most that share a layer.

    Source: vLLM refuses a number of cards that does not divide the query heads (28 heads, 8 cards:
    vllm-project/vllm, issue 11797), or that neither divides the key/value heads nor is a multiple
    of them; layers it splits over any number (pull request 52535).
    """
    tensor = max(
        count
        for count in range(1, min(cards, together) + 1)
        if cards % count == 0
        and heads % count == 0
        and (kv_heads % count == 0 or count % kv_heads == 0)
    )
    return Split(tensor, cards // tensor)


@dataclass(frozen=True)
class Fit:
    """Whether a card holds it.

    Attributes:
        card: The card.
        tried: The fewest of them, one of `COUNTS`, that hold weights and cache; the most that
            were tried where these do not.
        weights: Bytes of weights on each of those.
        cache: Bytes of the cache on each.
        split: How the model lies on them.
    """

    card: Card
    tried: int
    weights: int
    cache: int
    split: Split

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


def parts_of(lies: Split, kv_heads: int) -> int:
    """Into how many parts the cache is split: cards beyond the key/value heads hold the same."""
    return min(lies.tensor, kv_heads) * lies.stages


def longest(
    weights: int,
    text: Callable[[int], int],
    heads: tuple[int, int],
    cards: tuple[Card, ...] = CARDS,
    counts: tuple[int, ...] = COUNTS,
) -> list[Longest]:
    """The longest text for each card, on the fewest that hold the weights.

    Args:
        weights: Bytes.
        text: The longest text by the bytes that there are for its cache.
        heads: As for `fits`.
        cards: Which to try.
        counts: How many of them to try.

    Returns:
        One for each card of which some hold the weights.
    """
    found = []
    for card in cards:
        for count in counts:
            parts = parts_of(split(count, *heads), heads[1])
            left = (room(card) - math.ceil(weights / count)) * parts
            tokens = text(left)
            if tokens:
                found.append(Longest(card, count, tokens))
                break
    return found


def fits(
    weights: int,
    cache: int,
    heads: tuple[int, int],
    cards: tuple[Card, ...] = CARDS,
    counts: tuple[int, ...] = COUNTS,
) -> list[Fit]:
    """How many of each card hold weights and cache.

    Weights are split evenly. The cache is split by key/value heads within a machine, where some
    cards hold the same if there are fewer heads than cards, and by layers between machines, or
    where the heads cannot be divided.

    Args:
        weights: Bytes.
        cache: Bytes.
        heads: Query heads, and key/value heads, 1 of these for latent attention.
        cards: Which to try.
        counts: How many of them to try.

    Returns:
        One `Fit` for each card.
    """
    found = []
    for card in cards:
        for count in counts:
            lies = split(count, *heads)
            cache_of_each = math.ceil(cache / parts_of(lies, heads[1]))
            fit = Fit(card, count, math.ceil(weights / count), cache_of_each, lies)
            if fit.left >= 0:
                break
        found.append(fit)
    return found
