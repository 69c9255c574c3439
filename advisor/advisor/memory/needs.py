"""Everything that one length costs, for those who show it."""

from dataclasses import dataclass, replace

from advisor.data import Config
from advisor.memory.cache import (
    LayerCache,
    cache_bytes,
    layer_caches,
    longest_text,
    split_heads,
)
from advisor.memory.cards import Card, Fit, Longest, fits, longest
from advisor.memory.planners.request import Request
from advisor.memory.reserved import Reserved, reserved
from advisor.memory.stored import AS_STORED, Stored, stored_as
from advisor.memory.weights import Weights, count_weights, prefill_operations
from posenc.words import Sentence, say


@dataclass(frozen=True)
class AskedAbout:
    """Cards that somebody has.

    Attributes:
        fit: Whether they hold weights and cache.
        longest: Tokens of the longest text that they hold; 0 where they do not hold the weights.
        enough: How many of the card would hold both; None where none of those tried do.
        batch: Texts at once.
    """

    fit: Fit
    longest: int
    enough: int | None
    batch: int


@dataclass(frozen=True)
class Needs:
    """Cost of a length.

    Attributes:
        length: Tokens of each text.
        batch: Texts at once.
        cache_kind: One of `CACHE_BITS`.
        weight_kind: One of `WEIGHT_BITS`, or "int3" and the like where the file says that.
        layers: What each kind of layer keeps.
        cache: Bytes of the key/value cache.
        weights: Numbers of weights; None where they cannot be counted.
        weight_bytes: Their bytes; None likewise.
        operations: Of reading one prompt of that length: with weights, in attention.
        longest: The longest text for each card, with the same texts at once.
        stored: How the file says that its weights are stored; None where another type was asked.
        cards: How many of each card hold weights and cache; none where weights are not counted.
        asked: The cards that were asked about; None where none were.
        reserved: What engines reserve for the cache, vLLM with an H100's tokens in flight.
        missing: Why weights, operations and cards are missing; "" where they are not.
    """

    length: int
    batch: int
    cache_kind: str
    weight_kind: str
    layers: tuple[LayerCache, ...]
    cache: int
    weights: Weights | None = None
    weight_bytes: int | None = None
    operations: tuple[int, int] | None = None
    cards: tuple[Fit, ...] = ()
    longest: tuple[Longest, ...] = ()
    asked: AskedAbout | None = None
    stored: Stored | None = None
    reserved: tuple[Reserved, ...] = ()
    missing: str = ""

    @property
    def weights_assumed(self) -> bool:
        """Whether it is open how the file's weights are stored."""
        return self.stored is not None and (self.stored.assumed or not self.stored.known)

    @property
    def is_ideal(self) -> bool:
        """Whether engines are known to keep more than the layers need."""
        return any(one.window is not None or one.state is not None for one in self.layers)

    @property
    def kept(self) -> Sentence | None:
        """Cache that engines reserve, where they are known to reserve more than the layers need."""
        if not self.is_ideal:
            return None
        planned = {
            mark: ", ".join(
                f"{one.planner.title} {one.cache / 2**30:,.1f} GiB"
                for one in self.reserved
                if one.cache is not None and one.compared is mark
            )
            for mark in (True, False)
        }
        told = {"planned": planned[True], "read": planned[False]}
        if not planned[False]:
            return say(
                "The cache is what the layers need, ideally. Engines reserve: {planned}.", **told
            )
        if not planned[True]:
            return say(
                "The cache is what the layers need, ideally. Engines reserve, by their source (no "
                "planner was asked about this family): {read}.",
                **told,
            )
        return say(
            "The cache is what the layers need, ideally. Engines reserve: {planned}; by their "
            "source (their planners were not asked about this family): {read}.",
            **told,
        )


def needs(
    config: Config,
    length: int,
    cache_kind: str = "bfloat16",
    weight_kind: str = AS_STORED,
    batch: int = 1,
    gpus: tuple[Card, int] | None = None,
) -> Needs:
    """Cost of a length in memory, operations and cards.

    Args:
        config: A model's configuration.
        length: Tokens of each text, prompt and answer together.
        cache_kind: One of `CACHE_BITS`.
        weight_kind: One of `WEIGHT_BITS`, or `AS_STORED`.
        batch: Texts at once.
        gpus: A card and how many of it are asked about.

    Raises:
        ValueError: If the cache cannot be told: the model's type is not known, the file lacks a
            width or count, or a number is out of range.
    """
    layers = layer_caches(config)
    cache = cache_bytes(config, length, cache_kind, batch)
    stored = None
    if weight_kind == AS_STORED:
        stored = stored_as(config, sum(one.layers for one in layers))
        weight_kind = stored.kind
    told = Needs(
        length=length,
        batch=batch,
        cache_kind=cache_kind,
        weight_kind=weight_kind,
        layers=layers,
        cache=cache,
        stored=stored,
        reserved=reserved(Request(config, length, cache_kind, batch)),
    )
    try:
        weights = count_weights(config)
        weight_bytes = stored.in_bytes(weights.parts) if stored else weights.in_bytes(weight_kind)
        operations = prefill_operations(config, length)
    except ValueError as error:
        return replace(told, missing=str(error))

    def text_in(room: int) -> int:
        return longest_text(layers, room, cache_kind, batch)

    heads = split_heads(config)
    every = tuple(fits(weight_bytes, cache, heads))
    asked = None
    if gpus is not None:
        card, count = gpus
        (fit,) = fits(weight_bytes, cache, heads, (card,), (count,))
        room = longest(weight_bytes, text_in, heads, (card,), (count,))
        enough = next((one.cards for one in every if one.card == card), None)
        asked = AskedAbout(fit, room[0].tokens if room else 0, enough, batch)
    return replace(
        told,
        weights=weights,
        weight_bytes=weight_bytes,
        operations=operations,
        cards=every,
        longest=tuple(longest(weight_bytes, text_in, heads)),
        asked=asked,
    )
