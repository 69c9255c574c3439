"""Texts that an engine plans its cache for, and what the layers keep of them on one card."""

from dataclasses import dataclass, replace

from advisor.data import Config
from advisor.memory.cache import CACHE_BITS, LayerCache, kv_heads, layer_caches
from advisor.memory.sizes import Sizes
from posenc.checks import LONGEST, check_choice, check_int

Layers = tuple[LayerCache, ...]


@dataclass(frozen=True)
class Request:
    """Texts of one length.

    Attributes:
        config: A model's configuration.
        length: Tokens of each text, prompt and answer together.
        kind: Type of the numbers, one of `CACHE_BITS`.
        batch: Texts at once.
        in_flight: Tokens in flight in vLLM, see `vllm.tokens_in_flight`; an H100's by default.
        cards: Over how many cards the model is split, with tensor parallelism.

    Raises:
        ValueError: If a number is out of range.
    """

    config: Config
    length: int
    kind: str = "bfloat16"
    batch: int = 1
    in_flight: int = 2 * 8192
    cards: int = 1

    def __post_init__(self) -> None:
        """Check the numbers."""
        check_choice("kind", self.kind, list(CACHE_BITS))
        check_int("length", self.length, 1, maximum=LONGEST)
        check_int("batch", self.batch, 1, maximum=10**6)
        check_int("cards", self.cards, 1, maximum=1024)

    @property
    def bits(self) -> float:
        """Bits of a number in an engine that has caches of 16 bits and of fp8 alone."""
        return CACHE_BITS["fp8"] if self.kind == "fp8" else 16


def layers_on_card(config: Config, cards: int) -> Layers:
    """Each card's share of the heads, at least one, and of states; a latent whole.

    Raises:
        ValueError: If the model's type is not known, or the file lacks a width or count.
    """
    sizes = Sizes.of(config)
    layers = []
    for layer in layer_caches(config):
        parts = 1 if layer.is_latent else min(cards, kv_heads(sizes, layer.kind))
        state = layer.state
        if state is not None:
            state = replace(state, conv=state.conv // cards, recurrent=state.recurrent // cards)
        layers.append(replace(layer, per_token=layer.per_token // parts, state=state))
    return tuple(layers)


def without_windows(layers: Layers) -> Layers:
    """The same layers, where those with a window keep every token."""
    return tuple(replace(layer, window=None) for layer in layers)


def refuse_indexer(config: Config) -> None:
    """Refuse a sparse attention whose indexer keeps keys of its own, or entries of several tokens.

    Raises:
        ValueError: If the model has one.
    """
    if any(layer.index or layer.every > 1 for layer in layer_caches(config)):
        raise ValueError("How the keys of a sparse attention's indexer are stored was not read.")
