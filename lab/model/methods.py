"""The ways to read a trained model past its training length."""

import torch

from lab.checked import one_of
from lab.model.encodings import encoding_for, interpolated_table
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from posenc import CoPE, Learned, RoPE, XPos
from posenc.rope.scaling import Scaling
from posenc.scaling.methods import METHODS, Case, Need, fitting

WINDOW, INTERPOLATE = "window", "interpolate"
"""No methods, but what these are compared with: a mask of the last L tokens, a stretched table."""
SLIDE = "slide"
"""A sliding window that is read anew for every answer: what a model knows of the last L tokens."""


GIVEN: tuple[Need, ...] = ("trained", "alpha", "length")
"""Arguments that the lab can give a method: α is 2; frequencies are computed for every length."""
FORMS = ("yarn_no_temperature",)
"""Other forms of a method are left out: each would make every job longer by a tenth. This one shows
what YaRN's temperature is for."""


def tried() -> tuple[str, ...]:
    """Ids of what is tried on a RoPE model past its training length.

    They are the methods of `posenc.scaling.methods` that need no more than the lab can give. The
    factor is s = n / L at each length n.
    """
    methods = fitting(*GIVEN).values()
    return (*(m.id for m in methods if not m.form_of or m.id in FORMS), WINDOW)


def scaling(method: str, factor: float, train_length: int) -> Scaling | None:
    """The scaling of one of `tried()` for `factor` times the training length.

    Raises:
        ValueError: If the method is not known.
    """
    if method not in tried():
        raise ValueError(one_of("method", method, tried()))
    if method == WINDOW or (factor <= 1 and "length" not in METHODS[method].needs):
        return None
    return METHODS[method].scaling(Case(factor, train_length))


def reader(model: LanguageModel, spec: RunSpec, length: int, method: str = "none") -> LanguageModel:
    """The model made ready to read `length` tokens by one of `tried()`.

    A learned table also knows "interpolate". The weights are shared, not copied.
    """
    trained = model.encoding
    if method == INTERPOLATE and isinstance(trained, Learned):
        rows = max(length, spec.train_length)
        return model.with_encoding(interpolated_table(trained, rows))
    how = scaling(method, length / spec.train_length, spec.train_length)
    return model.with_encoding(encoding_for(trained, length, spec.seed, how))


def model_methods(model: LanguageModel) -> tuple[str, ...]:
    """Methods that can be tried on this model past its training length."""
    if isinstance(model.encoding, RoPE):
        return tried()
    return ("none", INTERPOLATE) if isinstance(model.encoding, Learned) else ("none",)


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
