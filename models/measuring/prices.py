"""Price of a mistake with positions in a real model: bits of a text read wrongly less read rightly.

The text is short, so that a right reading is the model as it was trained.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from advisor.comparing.layer import RopeLayer
from advisor.layers import Layer
from models.change import Change
from models.forward import forward
from models.measuring.loss import trained_length
from models.measuring.table import MEASURED, OF_TEXT, Row, measured, tables
from models.measuring.texts import Text
from models.opened import Model
from posenc import PositionalEncoding, RoPE
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import apply_rope, rope_cos_sin
from posenc.scaling import YaRN
from posenc.scaling.dynamic import DynamicNTK
from posenc.waves import rope_angles

FACTOR = 4.0
"""Factor of the methods that are told something wrong."""
COLUMNS = (
    OF_TEXT
    | {
        "mistake": str,
        "length": int,
        "first": int,
        "tokens": int,
        "wrong_bits": float,
        "right_bits": float,
    }
    | MEASURED
)
"""A row: mean bits per token over the `tokens` tokens behind position `first`, read either way.
"""
KEY = ("model", "sha256", "mistake", "length")
FILE = "pitfalls.csv"
table = tables(FILE, COLUMNS, KEY)
"""Prices of mistakes, in a folder."""

Rotation = tuple[Tensor, Tensor]
Rotate = Callable[[Tensor, Tensor, Tensor, Tensor, RopeLayer], Rotation]
"""From q, k (1, heads, length, head_dim), their positions and a layer to what attends."""


class Rotated(PositionalEncoding):
    """Rotation by any function.

    Args:
        rotation: What is done.
        layer: Of the model.
    """

    def __init__(self, rotation: Rotate, layer: RopeLayer) -> None:
        super().__init__()
        self.rotation = rotation
        self.layer = layer

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what the function makes of them."""
        return self.rotation(q, k, q_positions, k_positions, self.layer)


@dataclass(frozen=True, kw_only=True)
class Wrong(Change):
    """A mistake that is no choice of a reader.

    Args:
        rotation: What layers that rotate do in place of their rotation.
    """

    rotation: Rotate

    def encoding(self, layer: Layer, index: int, heads: int) -> PositionalEncoding:
        """The mistake in layers that rotate; the others as they are."""
        if isinstance(layer, RopeLayer):
            return Rotated(self.rotation, layer)
        return super().encoding(layer, index, heads)


@dataclass(frozen=True)
class Mistake:
    """A mistake and what is right in its place, for a model and the length of a text.

    Args:
        wrong: How the text is read wrongly.
        right: How it is read rightly; as the config says without.
        behind: Part of the text whose tokens do not count: they come before the mistake.
    """

    wrong: Callable[[Model, int], Change]
    right: Callable[[Model, int], Change] = lambda model, length: Change()
    behind: float = 0.0


def power_first(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Angles by base ** 2i / d: the power before the division."""
    d = layer.rotary_dim
    return _turned(q, k, m, n, layer, d / layer.base ** torch.arange(0, d, 2, dtype=torch.float64))


def multiplied(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Positions times the divisor."""
    return _turned(q, k, m, n, layer, 1 / _plain(layer).inv_freq)


def unscaled_scores(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Scores that are not divided by √d."""
    q, k = _plain(layer).rotate(q, k, m, n)
    return q / layer.softmax_scale, k


def query_ahead(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Queries one position further on than the keys of their own tokens."""
    return _plain(layer).rotate(q, k, m + 1, n)


def rounded_angles(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Angles in bfloat16, their cosines and sines exact."""
    theta = _plain(layer).inv_freq

    def turned(x: Tensor, at: Tensor) -> Tensor:
        angles = rope_angles(at, theta).bfloat16().to(x.dtype)
        return rotate_pairs(x, angles.cos(), angles.sin(), layer.pairing)

    return turned(q, m), turned(k, n)


def rounded_cos_sin(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
    """Cosines and sines in bfloat16 of exact angles."""
    theta = _plain(layer).inv_freq

    def turned(x: Tensor, at: Tensor) -> Tensor:
        cos, sin = rope_cos_sin(at, theta, dtype=torch.bfloat16)
        return rotate_pairs(x, cos.to(x.dtype), sin.to(x.dtype), layer.pairing)

    return turned(q, m), turned(k, n)


def heads_as_positions(key_heads: int) -> Rotate:
    """Rotate while the heads stand where the rotation expects the positions."""

    def rotation(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
        groups = q.shape[1] // key_heads
        of_q = torch.arange(q.shape[1])
        of_k = torch.arange(key_heads).repeat_interleave(groups)
        turned_q, turned_k = _turned(
            q.transpose(1, 2), k.transpose(1, 2), of_q, of_k, layer, _plain(layer).inv_freq
        )
        return turned_q.transpose(1, 2), turned_k.transpose(1, 2)

    return rotation


def yarn_for(original_length: int) -> Rotate:
    """YaRN that is told this trained length."""

    def rotation(q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer) -> Rotation:
        return _plain(layer, YaRN(FACTOR, original_length)).rotate(q, k, m, n)

    return rotation


def grown_base(model: Model) -> float:
    """The base that dynamic NTK with α = 2 has at twice the trained length."""
    layers = map(model.layer, range(len(model.layers)))
    layer = next(one for one in layers if isinstance(one, RopeLayer))
    trained = trained_length(model)
    return DynamicNTK(2.0, trained).new_base(layer.rotary_dim // 2, layer.base, 2 * trained)


def _plain(layer: RopeLayer, scaling: YaRN | None = None) -> RoPE:
    return RoPE(
        layer.head_dim,
        layer.base,
        layout=layer.pairing,
        scaling=scaling,
        rotary_dim=layer.rotary_dim,
    )


def _turned(
    q: Tensor, k: Tensor, m: Tensor, n: Tensor, layer: RopeLayer, theta: Tensor
) -> Rotation:
    return apply_rope(q, m, theta, layer.pairing), apply_rope(k, n, theta, layer.pairing)


MISTAKES: dict[str, Mistake] = {
    "power_first": Mistake(lambda model, n: Wrong(rotation=power_first)),
    "multiplied": Mistake(lambda model, n: Wrong(rotation=multiplied)),
    "layout": Mistake(lambda model, n: Change(other_layout=True)),
    "heads_as_positions": Mistake(
        lambda model, n: Wrong(rotation=heads_as_positions(model.net.config.num_key_value_heads))
    ),
    "bfloat16": Mistake(lambda model, n: Change(rounded=True)),
    "trained_length": Mistake(
        lambda model, n: Wrong(rotation=yarn_for(int(FACTOR) * trained_length(model))),
        lambda model, n: Wrong(rotation=yarn_for(trained_length(model))),
    ),
    "cached_keys": Mistake(
        lambda model, n: Change(base=grown_base(model), cached=n // 2),
        lambda model, n: Change(base=grown_base(model)),
        behind=0.5,
    ),
    "scale": Mistake(lambda model, n: Wrong(rotation=unscaled_scores)),
    "query_ahead": Mistake(lambda model, n: Wrong(rotation=query_ahead)),
    "scaled_twice": Mistake(
        lambda model, n: Change(method="linear", factor=FACTOR**2),
        lambda model, n: Change(method="linear", factor=FACTOR),
    ),
    "rounded_angles": Mistake(lambda model, n: Wrong(rotation=rounded_angles)),
    "rounded_cos_sin": Mistake(lambda model, n: Wrong(rotation=rounded_cos_sin)),
    "shifted": Mistake(lambda model, n: Change(offset=100_000)),
}
"""By the id of the pitfall that shows it, and then what has no picture; "shifted" costs nothing,
and "rounded_cos_sin" hardly anything."""


def price_rows(model: Model, text: Text, mistake: str, known: dict[Change, Tensor]) -> list[Row]:
    """Measure one mistake on one text: one row.

    Args:
        model: The model.
        text: What is read.
        mistake: Id of one of `MISTAKES`.
        known: Bits of right readings of this text, which many mistakes share; it grows.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()
    one = MISTAKES[mistake]
    length = len(text.ids)
    first = int(one.behind * length)
    rightly = one.right(model, length)
    if rightly not in known:
        known[rightly] = forward(model, text.ids, rightly, kept_bytes=0).bits().double()
    wrong = forward(model, text.ids, one.wrong(model, length), kept_bytes=0).bits(first)
    right = known[rightly][first:]
    same = measured(model, begin, **text.columns, mistake=mistake, length=length, first=first)
    bits = {
        "tokens": length - 1 - first,
        "wrong_bits": round(wrong.double().mean().item(), 5),
        "right_bits": round(right.mean().item(), 5),
    }
    return [same | bits]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    return f"{rows[0]['wrong_bits']:.3f} bits, rightly {rows[0]['right_bits']:.3f}"
