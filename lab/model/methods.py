"""The ways to read a trained model past its training length."""

import torch

from lab.model.encodings import encoding_for, interpolated_table
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from posenc import (
    NTK,
    CoPE,
    DynamicNTK,
    Learned,
    Linear,
    Llama3,
    NTKByParts,
    RoPE,
    XPos,
    YaRN,
)
from posenc.rope.scaling import Scaling

# How a RoPE model is read past its training length. The factor is s = n / L at each length n.
METHODS = {
    "none": "as trained",
    "linear": "linear (PI)",
    "ntk": "NTK",
    "dynamic_ntk": "dynamic NTK, factor 2",
    "ntk_by_parts": "NTK-by-parts",
    "yarn": "YaRN",
    "yarn_no_temperature": "YaRN without its temperature",
    "llama3": "Llama-3",
    "window": "window mask of L",
}
SLIDE = "slide"
"""A sliding window that is read anew for every answer: what a model knows of the last L tokens."""


def scaling(method: str, factor: float, train_length: int) -> Scaling | None:
    """The scaling of a method of `METHODS` for `factor` times the training length.

    Raises:
        ValueError: If the method is not known.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r:.40}.")
    if method in ("none", "window") or (factor <= 1 and method != "dynamic_ntk"):
        return None
    match method:
        case "linear":
            return Linear(factor)
        case "ntk":
            return NTK(factor)
        case "dynamic_ntk":
            return DynamicNTK(2.0, train_length)
        case "ntk_by_parts":
            return NTKByParts(factor, train_length)
        case "yarn":
            return YaRN(factor, train_length)
        case "yarn_no_temperature":
            return YaRN(factor, train_length, attention_factor=1.0)
        case _:
            return Llama3(factor, original_length=train_length)


def reader(model: LanguageModel, spec: RunSpec, length: int, method: str = "none") -> LanguageModel:
    """The model made ready to read `length` tokens by a method of `METHODS`.

    A learned table also knows "interpolate". The weights are shared, not copied.
    """
    trained = model.encoding
    if method == "interpolate" and isinstance(trained, Learned):
        rows = max(length, spec.train_length)
        return model.with_encoding(interpolated_table(trained, rows))
    how = scaling(method, length / spec.train_length, spec.train_length)
    return model.with_encoding(encoding_for(trained, length, spec.seed, how))


def methods_for(model: LanguageModel) -> tuple[str, ...]:
    """What can be tried on this model past its training length."""
    if isinstance(model.encoding, RoPE):
        return tuple(METHODS)
    return ("none", "interpolate") if isinstance(model.encoding, Learned) else ("none",)


def longest_for(model: LanguageModel, spec: RunSpec, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Those of `lengths` (in training lengths) that the encoding can be read at.

    xPos leaves the range of float32 beyond its reach; CoPE holds all scores of a row block.
    """
    if isinstance(model.encoding, XPos):
        reach = 2 * model.encoding.reach(torch.float32)
        return tuple(n for n in lengths if n * spec.train_length <= reach)
    if isinstance(model.encoding, CoPE):
        return tuple(n for n in lengths if n <= 16)
    return lengths
