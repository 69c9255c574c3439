"""Loss by position of one long text, under a way to read further than a model was trained to."""

import time
from dataclasses import dataclass

import torch
from torch import Tensor

from advisor import RopeConfig
from models.change import Change, methods
from models.forward import forward
from models.measuring.table import MEASURED, OF_TEXT, Row, measured, tables
from models.measuring.texts import Text
from models.opened import Model
from posenc.scaling.methods import METHODS

BLOCK = 1024
"""Positions whose loss is one mean."""
SLIDE = "slide"
"""Id of the reference: see `sliding_bits`."""
DECLARED = "declared"
"""Id of reading a model as its config says, where that asks for a scaling already."""
LOSS_METHODS = ("none", SLIDE, "yarn", "ntk", "linear", "dynamic_ntk", "ntk_by_parts", "llama3")
"""Methods that are measured unless others are asked for, the most telling first."""
STRIDES = 4
"""The window moves on by its length divided by this."""
COLUMNS = (
    OF_TEXT
    | {"method": str, "factor": float, "length": int, "first": int, "tokens": int, "bits": float}
    | MEASURED
)
"""A row: mean bits per token over `tokens` tokens, from the one behind position `first` on."""
KEY = ("model", "sha256", "method", "factor", "length")
"""Key of a pass: what has these alike is not measured again."""
FILE = "losses.csv"
table = tables(FILE, COLUMNS, KEY)
"""Losses by position, in a folder."""


def trained_length(model: Model) -> int:
    """Tokens that a rotary model was trained on, before any scaling.

    Raises:
        ValueError: If nothing in it rotates, or its config does not say.
    """
    if not model.rotates:
        raise ValueError(f"{model.title} does not rotate.")
    return trained_of(model.config, model.title)


def trained_of(config: RopeConfig, name: str) -> int:
    """Tokens that a model with this config was trained on, before any scaling.

    Raises:
        ValueError: If the config does not say.
    """
    lengths = [layer.trained_length for layer in config.rotary.values()]
    if length := max((n for n in lengths if n), default=config.reach):
        return length
    raise ValueError(f"{name} does not say its trained length.")


def check_method(method: str) -> str:
    """Return the id of a method.

    Raises:
        ValueError: If losses cannot be measured under it.
    """
    allowed = (SLIDE, *methods())
    if method in allowed:
        return method
    raise ValueError(
        f"There is no method {method!r:.80}; these can be measured: {', '.join(allowed)}."
    )


def factor_of(method: str, factor: float | None, length: int, trained: int) -> float:
    """The factor that a method is told: 1 where it has none; length / trained when None."""
    if method == SLIDE or not METHODS[method].parameter:
        return 1.0
    return max(1.0, length / trained) if factor is None else factor


def bits(model: Model, ids: list[int], method: str, factor: float) -> Tensor:
    """Bits of every token after the first, −log₂ p, float32 (length - 1,).

    Args:
        model: The model.
        ids: The text.
        method: See `check_method`, or `DECLARED`.
        factor: Of the method.

    Raises:
        ValueError: If the model cannot be read so.
    """
    if method == SLIDE:
        return sliding_bits(model, ids, trained_length(model))
    change = Change() if method == DECLARED else Change(method=method, factor=factor)
    return forward(model, ids, change, kept_bytes=0).bits()


def sliding_bits(model: Model, ids: list[int], window: int) -> Tensor:
    """Bits of every token from a window that moves on, read as trained: nothing is stretched.

    The first window starts at the first token; each further one starts a quarter of a window
    later and gives the tokens that the one before did not reach. So a token is told by all that
    is before it, or by three quarters of a window to a whole one of it. A window for every token
    would be told by all of it, at the price of as many passes as tokens.

    Args:
        model: The model.
        ids: The text.
        window: Tokens of a window.

    Returns:
        float32 (length - 1,).
    """
    as_trained = Change(method="none")
    pieces = []
    done = 1  # tokens whose bits are known; the first has none
    for start in starts(len(ids), window):
        end = min(start + window, len(ids))
        seen = forward(model, ids[start:end], as_trained, kept_bytes=0)
        pieces.append(seen.bits(done - 1 - start))
        done = end
    return torch.cat(pieces)


def starts(length: int, window: int) -> list[int]:
    """Where the windows of a text start."""
    step = max(1, window // STRIDES)
    return list(range(0, max(length - window, 0) + step, step)) if length > window else [0]


@dataclass(frozen=True)
class Size:
    """Sizes that the cost of a pass depends on.

    Args:
        parameters: Of the model.
        width: Channels between layers.
        layers: How many.
    """

    parameters: int
    width: int
    layers: int

    def operations(self, length: int, window: int) -> float:
        """Two for each weight and token, and those of causal attention, in windows that move."""
        reads = [min(window, length - at) for at in starts(length, window)]
        return sum(2.0 * n * (self.parameters + n * self.width * self.layers) for n in reads)


def cost(model: Model, length: int, method: str = "none") -> float:
    """Operations of a pass: two for each weight and token, and those of causal attention."""
    window = trained_length(model) if method == SLIDE else length
    size = Size(model.parameters, model.width, len(model.layers))
    return size.operations(length, window)


def loss_rows(
    model: Model, text: Text, method: str, factor: float, block: int = BLOCK
) -> list[Row]:
    """Measure one text under one method: a row for each block of positions.

    Args:
        model: The model.
        text: The text.
        method: See `check_method`.
        factor: Of the method.
        block: Positions whose loss is one mean.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()
    found = bits(model, text.ids, method, factor).double()
    same = measured(
        model, begin, **text.columns, method=method, factor=factor, length=len(text.ids)
    )
    return [
        same | {"first": at * block, "tokens": len(part), "bits": round(part.mean().item(), 5)}
        for at, part in enumerate(found.split(block))
    ]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    return f"{rows[0]['bits']:.3f} bits at first, {rows[-1]['bits']:.3f} at last"
