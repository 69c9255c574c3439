"""Keys in few bits, rounded before the rotation or after it: bits of a text that this costs.

Every key is rounded, the newest too; values and queries stay as they are.

Sources: Liu et al. 2024, "KIVI", arXiv:2402.02750, whose code rotates keys and then rounds them, 32
tokens of a channel by a scale; Hooper et al. 2024, "KVQuant", section 3.2, arXiv:2401.18079, which
rounds them before the rotation, a channel by a scale.
"""

import time
from functools import partial

from torch import Tensor

from advisor.comparing.layer import RopeLayer
from models.change import Change
from models.forward import forward
from models.measuring.prices import Rotation, Wrong
from models.measuring.table import MEASURED, OF_TEXT, Row, measured, tables
from models.measuring.texts import Text
from models.opened import Model
from posenc import RoPE

BITS = (2, 3, 4, 8)
GROUP = 32
"""Numbers that share a scale, where neither a whole channel nor a whole key does."""
SCALES = ("channel", "channel_group", "token")
"""Numbers that share a scale: a channel in the whole text; `GROUP` tokens of a channel; the
channels of a token's key in a head, `GROUP` of them at a time."""
WHENS = ("before", "after")
COLUMNS = (
    OF_TEXT
    | {
        "scale": str,
        "bits": int,
        "when": str,
        "length": int,
        "tokens": int,
        "rounded_bits": float,
        "exact_bits": float,
    }
    | MEASURED
)
"""A row: mean bits per token over `tokens` tokens, with keys in `bits` bits and with exact ones."""
KEY = ("model", "sha256", "length")
FILE = "quantised.csv"
table = tables(FILE, COLUMNS, KEY)
"""Prices of keys in few bits, in a folder."""


def rounded(x: Tensor, bits: int, scale: str) -> Tensor:
    """Numbers rounded to 2^bits levels, from the least to the largest that share a scale.

    Args:
        x: (…, length, channels); both are multiples of `GROUP`, or are not split.
        bits: Of a number.
        scale: One of `SCALES`.
    """
    if scale == "channel":
        parts, along = x, -2
    elif scale == "channel_group":
        parts, along = x.unflatten(-2, (-1, GROUP)), -2
    else:
        parts, along = x.unflatten(-1, (-1, GROUP)), -1
    low, high = parts.amin(along, keepdim=True), parts.amax(along, keepdim=True)
    step = ((high - low) / (2**bits - 1)).clamp_min(1e-12)
    return (((parts - low) / step).round() * step + low).reshape(x.shape)


def rotated(
    q: Tensor,
    k: Tensor,
    m: Tensor,
    n: Tensor,
    layer: RopeLayer,
    *,
    bits: int,
    scale: str,
    when: str,
) -> Rotation:
    """Rotate queries, and keys that are rounded before or after it."""
    rope = RoPE(layer.head_dim, layer.base, layout=layer.pairing, rotary_dim=layer.rotary_dim)
    if when == "before":
        return rope.rotate(q, rounded(k, bits, scale), m, n)
    q, k = rope.rotate(q, k, m, n)
    return q, rounded(k, bits, scale)


def quantised_rows(model: Model, text: Text) -> list[Row]:
    """Read one text with exact keys, then in every way: a row for each way.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()

    def bits_of(change: Change) -> float:
        return forward(model, text.ids, change, kept_bytes=0).bits().double().mean().item()

    exact = bits_of(Change())
    ways = [(scale, bits, when) for scale in SCALES for bits in BITS for when in WHENS]
    found = [
        bits_of(Wrong(rotation=partial(rotated, bits=bits, scale=scale, when=when)))
        for scale, bits, when in ways
    ]
    same = measured(
        model,
        begin,
        **text.columns,
        length=len(text.ids),
        tokens=len(text.ids) - 1,
        exact_bits=round(exact, 5),
    )
    return [
        same | {"scale": scale, "bits": bits, "when": when, "rounded_bits": round(one, 5)}
        for (scale, bits, when), one in zip(ways, found, strict=True)
    ]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    two = [row for row in rows if row["bits"] == min(BITS)]
    lost = (float(row["rounded_bits"]) - float(row["exact_bits"]) for row in two)
    return ", ".join(
        f"{row['scale']} {row['when']} {bits:+.3f}" for row, bits in zip(two, lost, strict=True)
    )
