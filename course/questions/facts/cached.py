"""Facts about keys that lie in a cache."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from statistics import mean

import torch
from torch import Tensor

from advisor.memory.cache import cache_bytes
from course.questions.draw.bars import Bar, bars
from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import DRAWS, bound, drawn, median, spread
from course.questions.facts.models import config, fields, layer
from course.questions.facts.pairs import price
from models.measuring.cache.moved import CACHED, FOLLOWING, PASSAGE, PLACES
from models.measuring.cache.quantised import BITS, GROUP, SCALES
from models.results.cached import Rounding, moved, quantised
from models.results.losses import Difference, Numbers
from models.results.tables import load
from posenc.cache.stale_keys import stale_phase, stale_score_error, written_inv_freq
from posenc.rope.formula import apply_rope, rope_inv_freq
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK

Labels = Mapping[str, str]

TRAINED, DECODED = 4096, 64
"""Tokens of a prompt that fills Llama 2's trained length, and those that follow."""
HEAD = 128
GIB = 2**30
SINKS, WINDOW = 4, 1020
"""Tokens that a streaming cache keeps: the first, and the last."""
STREAM = 1_000_000
"""Tokens read so far."""
ABSORBED = 5
"""Places between a query and a key whose projections are merged."""
MOVES = 1000
"""Places by which a key is moved."""


def stale(scaling: Scaling, head_dim: int, base: float) -> Tensor:
    """Error of the score of every cached key, in units of a score's usual size."""
    keys = torch.arange(TRAINED + DECODED)
    written = written_inv_freq(keys, TRAINED, head_dim, base, scaling)
    now = rope_inv_freq(head_dim, base, scaling, TRAINED + DECODED)[0]
    return stale_score_error(stale_phase(keys, written, now))


@cache
def stale_dynamic() -> Tensor:
    """Errors under dynamic NTK with factor 2, as Llama 2."""
    return stale(DynamicNTK(2.0, TRAINED), HEAD, 10000.0)


@cache
def stale_longrope() -> Tensor:
    """Errors in Phi-3.5-mini, once the text is longer than 4,096 tokens."""
    found = layer("Phi-3.5-mini")
    assert found.scaling is not None
    return stale(found.scaling, found.rotary_dim, found.base)


def error_picture(errors: Tensor, labels: Labels) -> str:
    """Error against the position of the key."""
    every = [*range(0, TRAINED, 32), *range(TRAINED - 1, len(errors), 4)]
    return lines(
        [Series("", [(n, float(errors[n])) for n in every], "k")],
        Axis(labels["x"], [(0, "0"), (2048, "2,048"), (4160, "4,160")]),
        Axis(labels["y"], [(0, "0"), (0.5, "0.5"), (1, "1"), (1.5, "1.5")]),
        labels["alt"],
    )


def dynamic_ntk_cache(labels: Labels) -> str:
    """How wrong each cached key has become."""
    return error_picture(stale_dynamic(), labels)


def longrope_switch(labels: Labels) -> str:
    """How wrong each cached key is after the switch."""
    return error_picture(stale_longrope(), labels)


def numbers_a_token(kind: str) -> int:
    """Numbers that a layer of DeepSeek-V3 keeps for a token.

    Args:
        kind: "latent" is what it keeps; "heads" is what its heads' keys and values would take.
    """
    file = fields("DeepSeek-V3")
    if kind == "latent":
        return int(file["kv_lora_rank"] + file["qk_rope_head_dim"])
    width = file["qk_nope_head_dim"] + file["qk_rope_head_dim"] + file["v_head_dim"]
    return int(file["num_attention_heads"] * width)


@cache
def absorbed(distance: int) -> Tensor:
    """Change of a score when the key's projection is multiplied into the query's, (draws,).

    Over the root mean square of the scores.

    Args:
        distance: By how many places query and key are rotated apart between the projections.
    """
    hidden, latent, width = 32, 16, 8
    x, c = drawn(DRAWS, 1, hidden), drawn(DRAWS, 1, latent, seed=1)
    w_query = drawn(DRAWS, hidden, width, seed=2) / hidden**0.5
    w_key = drawn(DRAWS, latent, width, seed=3) / latent**0.5
    turned = apply_rope(x @ w_query, torch.tensor([distance]), rope_inv_freq(width)[0])
    plain = (turned * (c @ w_key)).sum((1, 2))
    joined = (x @ (w_query @ w_key.mT) * c).sum((1, 2))
    return (joined - plain) / plain.square().mean().sqrt()


def mla_rotated_part(labels: Labels) -> str:
    """Numbers that a layer keeps for a token."""
    return bars(
        [
            Bar(labels["heads"], numbers_a_token("heads"), f"{numbers_a_token('heads'):,}", "soft"),
            Bar(labels["latent"], fields("DeepSeek-V3")["kv_lora_rank"],
                f"{fields('DeepSeek-V3')['kv_lora_rank']:,}"),
            Bar(labels["rotated"], fields("DeepSeek-V3")["qk_rope_head_dim"],
                f"{fields('DeepSeek-V3')['qk_rope_head_dim']:,}", "k"),
        ],
        labels["alt"],
    )  # fmt: skip


def attention_sinks(labels: Labels) -> str:
    """Kept tokens of a small cache: their places in the text and in the cache."""
    text = [0, 1, 2, 3, 96, 97, 98, 99]
    kinds = ["k"] * 4 + ["q"] * 4
    return cells(
        [
            Row(labels["text"], [Cell(str(n), kind) for n, kind in zip(text, kinds, strict=True)]),
            Row(labels["cache"], [Cell(str(n), kind) for n, kind in enumerate(kinds)]),
        ],
        labels["alt"],
    )


@cache
def moved_key() -> float:
    """Largest difference of a key turned on from place 50 to 30, and one turned to 30 at once."""
    key = drawn(DRAWS, 1, HEAD)
    inv_freq = rope_inv_freq(HEAD)[0]
    there = apply_rope(key, torch.tensor([50]), inv_freq)
    moved = apply_rope(there, torch.tensor([20]), -inv_freq)
    return bound(moved - apply_rope(key, torch.tensor([30]), inv_freq))


@cache
def moved_in(steps: int) -> Tensor:
    """Error of a bfloat16 key moved by `MOVES` places in so many steps, over its size, (draws,)."""
    inv_freq = rope_inv_freq(HEAD)[0]
    key = drawn(DRAWS, 1, HEAD)
    stored = apply_rope(key, torch.tensor([MOVES]), inv_freq).bfloat16()
    for _ in range(steps):
        stored = apply_rope(stored, torch.tensor([MOVES // steps]), -inv_freq)
    return ((stored.double() - key).norm(dim=-1) / key.norm(dim=-1))[:, 0]


@cache
def extra(way: str) -> Mapping[int, Difference]:
    """Extra bits behind a moved passage over reading it anew, by the place it was moved to."""
    return {place: moved(load(), way, place) for place in PLACES}


def behind(way: str) -> list[float]:
    """Extra bits of each passage at each place but the first, where nothing is before it."""
    return [value for place in PLACES if place for value in extra(way)[place].values.tolist()]


def move_cached_passage(labels: Labels) -> str:
    """Extra bits behind a passage, by what was before it, as it was read alone and in its text."""
    ways = {
        "alone_turned": ("q", ""),
        "alone_unmoved": ("k", ""),
        "turned": ("q", "5 4"),
        "unmoved": ("k", "5 4"),
    }
    return lines(
        [
            Series(
                labels[way],
                [(place, float(one.mean)) for place, one in extra(way).items()],
                kind,
                dash,
                [(place, float(one.low), float(one.high)) for place, one in extra(way).items()],
            )
            for way, (kind, dash) in ways.items()
        ],
        Axis(labels["x"], [(0, "0"), (256, "256"), (512, "512"), (768, "768")]),
        Axis(labels["y"], [(-0.5, "−0.5"), (0, "0"), (1, "1"), (2, "2"), (3, "3"), (4, "4")]),
        labels["alt"],
    )


@cache
def lost(scale: str, bits: int, when: str) -> Difference:
    """Bits per token lost with keys rounded so."""
    return quantised(load(), Rounding(scale, bits, when))


def lost_by_order() -> Numbers:
    """Further bits lost by each text with keys rounded after the rotation, at three bits."""
    return lost("channel", 3, "after").values - lost("channel", 3, "before").values


def quantise_keys(labels: Labels) -> str:
    """Bits lost with keys in the fewest bits, by what shares a scale and when they are rounded."""
    found = [
        (f"{labels[scale]}, {labels[when]}", lost(scale, BITS[0], when), kind)
        for scale in SCALES
        for when, kind in (("before", "q"), ("after", "k"))
    ]
    return bars(
        [
            Bar(label, float(one.mean), f"{float(one.mean):.2f}", kind,
                (float(one.low), float(one.high)))
            for label, one, kind in found
        ],
        labels["alt"],
    )  # fmt: skip


def gibibytes(name: str, length: int) -> float:
    """Cache of a model in bfloat16."""
    return cache_bytes(config(name), length) / GIB


def every_layer(length: int) -> float:
    """Cache of Qwen3.5-27B if all of its layers kept keys and values."""
    file = fields("Qwen3.5-27B")["text_config"]
    heads = file["num_key_value_heads"] * file["head_dim"]
    return 2 * heads * 2 * file["num_hidden_layers"] * length / GIB


def kv_memory(labels: Labels) -> str:
    """Caches of four models at one length."""
    length = 131_072
    names = ("Llama-3.1-8B", "Qwen3.5-27B", "Gemma-3-12B", "DeepSeek-V3")
    rows = [Bar(n, gibibytes(n, length), f"{gibibytes(n, length):.1f} GiB") for n in names]
    naive = Bar(labels["naive"], every_layer(length), f"{every_layer(length):.1f} GiB", "k")
    return bars([*rows[:2], naive, *rows[2:]], labels["alt"])


NUMBERS: Mapping[str, Callable[[], float]] = {
    "prompt": lambda: TRAINED,
    "decoded": lambda: DECODED,
    "stale_mean": lambda: float(stale_dynamic().mean()),
    "stale_last": lambda: float(stale_dynamic()[TRAINED - 1]),
    "stale_bits": lambda: price("cached_keys"),
    "fresh_bits": lambda: price("cached_keys", wrong=False),
    "switch_after": lambda: fields("Phi-3.5-mini")["original_max_position_embeddings"],
    "switch_short": lambda: fields("Phi-3.5-mini")["rope_scaling"]["short_factor"][-1],
    "switch_long": lambda: fields("Phi-3.5-mini")["rope_scaling"]["long_factor"][-1],
    "switch_error": lambda: float(stale_longrope()[:TRAINED].mean()),
    "mla_heads": lambda: numbers_a_token("heads"),
    "mla_kept": lambda: numbers_a_token("latent"),
    "mla_latent": lambda: fields("DeepSeek-V3")["kv_lora_rank"],
    "mla_rotated": lambda: fields("DeepSeek-V3")["qk_rope_head_dim"],
    "mla_saved": lambda: numbers_a_token("heads") / numbers_a_token("latent"),
    "absorbed_plain": lambda: bound(absorbed(0)),
    "absorbed_rotated": lambda: float(absorbed(ABSORBED).square().mean().sqrt()),
    "absorbed_distance": lambda: ABSORBED,
    "sinks": lambda: SINKS,
    "sink_window": lambda: WINDOW,
    "sink_cache": lambda: SINKS + WINDOW,
    "stream": lambda: STREAM,
    "sink_distance": lambda: SINKS + WINDOW - 1,
    "moved_key": moved_key,
    "moved_once": lambda: median(moved_in(1)),
    **spread("moved_often", lambda: moved_in(MOVES)),
    "moves": lambda: MOVES,
    "moved_passages": lambda: len(extra("turned")[0].values),
    "moved_texts": lambda: len({row["text"] for row in load().moved}),
    "moved_length": lambda: PASSAGE,
    "moved_behind": lambda: CACHED,
    "moved_told": lambda: FOLLOWING - 1,
    "moved_nearest": lambda: PLACES[1],
    "moved_furthest": lambda: PLACES[-1],
    "moved_alone": lambda: mean(behind("alone_turned")),
    "moved_alone_low": lambda: min(behind("alone_turned")),
    "moved_alone_high": lambda: max(behind("alone_turned")),
    "unmoved_alone": lambda: mean(behind("alone_unmoved")),
    "unmoved_alone_low": lambda: min(behind("alone_unmoved")),
    "unmoved_alone_high": lambda: max(behind("alone_unmoved")),
    "moved_missing": lambda: mean(behind("missing")),
    "moved_missing_low": lambda: min(behind("missing")),
    "moved_missing_high": lambda: max(behind("missing")),
    "moved_own_low": lambda: min(behind("turned")),
    "moved_own_high": lambda: max(behind("turned")),
    "moved_front_low": lambda: float(extra("turned")[0].low),
    "moved_front_high": lambda: float(extra("turned")[0].high),
    "rounded_texts": lambda: len(lost("channel", 2, "before").values),
    "rounded_length": lambda: int(load().quantised[0]["length"]),
    "rounded_group": lambda: GROUP,
    "order_3_low": lambda: float(lost_by_order().min()),
    "order_3_high": lambda: float(lost_by_order().max()),
    **{
        f"{scale}_{bits}_{when}": partial(lambda *of: float(lost(*of).mean), scale, bits, when)
        for scale in ("channel", "token")
        for bits in (2, 3, 4)
        for when in ("before", "after")
    },
    "eight_bits_most": lambda: max(
        abs(float(lost(scale, 8, when).mean)) for scale in SCALES for when in ("before", "after")
    ),
    "cache_length": lambda: 131_072,
    "llama_cache": lambda: gibibytes("Llama-3.1-8B", 131_072),
    "hybrid_cache": lambda: gibibytes("Qwen3.5-27B", 131_072),
    "hybrid_naive": lambda: every_layer(131_072),
    "hybrid_layers": lambda: fields("Qwen3.5-27B")["text_config"]["num_hidden_layers"],
    "hybrid_full": lambda: fields("Qwen3.5-27B")["text_config"]["layer_types"].count(
        "full_attention"
    ),
    "gemma_cache": lambda: gibibytes("Gemma-3-12B", 131_072),
    "deepseek_cache": lambda: gibibytes("DeepSeek-V3", 131_072),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "dynamic-ntk-cache": dynamic_ntk_cache,
    "longrope-switch": longrope_switch,
    "mla-rotated-part": mla_rotated_part,
    "attention-sinks": attention_sinks,
    "move-cached-passage": move_cached_passage,
    "quantise-keys": quantise_keys,
    "kv-memory": kv_memory,
}
