"""THE list of methods: every way to read further, by id.

Every other list of methods (screens, lab, command line, exports, colours) is looked up in it. To
add one: a file beside this one with its class, and a line in `METHODS`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, cast

from torch import Tensor

from posenc.rope.scaling import Scaling
from posenc.scaling.by_parts import NTKByParts
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.ntk import NTK
from posenc.scaling.proportional import Proportional
from posenc.scaling.remap.distances import Remapping
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.remap.rerope import LeakyReRoPE, ReRoPE
from posenc.scaling.remap.self_extend import SelfExtend
from posenc.scaling.yarn import YaRN, yarn_mscale
from posenc.words import say

Need = Literal[
    "trained", "alpha", "inv_freq", "target", "shown", "window", "declared", "length", "distances"
]
"""Needs of a method besides its factor: fields of `Case`; "length", that the frequencies are
worked out anew for the length of every text; "distances", attention code of its own, since it
changes distances and no frequencies."""


@dataclass(frozen=True)
class Case:
    """A method's arguments: how far to read, and how the model was trained.

    Only `factor` is always needed; `Method.needs` names the others.

    Attributes:
        factor: k, target length / trained length, at least 1.
        trained: L₀, tokens of the training without scaling.
        alpha: α of the methods that have one.
        inv_freq: θ without scaling, float64 (pairs,).
        target: L, tokens to read.
        shown: Tokens of the longest text that training has shown; remappings lead back to it.
        window: w, distances that a remapping keeps.
        declared: The scaling that the model's file asks for.
        chunks: Dual Chunk Attention, where the file asks for it.
    """

    factor: float
    trained: int = 0
    alpha: float = 2.0
    inv_freq: Tensor | None = None
    target: int = 0
    shown: int = 0
    window: int = 0
    declared: Scaling | None = None
    chunks: DualChunk | None = None


@dataclass(frozen=True)
class Method:
    """One way to read further.

    Attributes:
        id: Short ASCII word: stands in addresses, results and dictionaries.
        title: What readers see, a sentence that can be told in another language.
        kind: Class of what it makes; None where that depends on the case, or is nothing.
        make: What it makes of a case: a scaling, a remapping for those that need "distances", or
            None for plain frequencies. Raises ValueError where the case lacks something.
        parameter: The field of the case that says by how much it stretches; none where nothing
            does.
        needs: What it needs of a case besides `factor`, and of who reads with it.
        form_of: Id of the method that this is another form of; short lists leave it out.
        list: The one of LongRoPE's lists that is taken whatever the length.
    """

    id: str
    title: str
    kind: type | None
    make: Callable[[Case], Scaling | Remapping | None]
    parameter: Literal["factor", "alpha", "declared", ""] = "factor"
    needs: tuple[Need, ...] = ()
    form_of: str = ""
    list: Literal["", "short", "long"] = ""

    @property
    def remaps(self) -> bool:
        """Whether it changes distances and not frequencies."""
        return "distances" in self.needs

    def scaling(self, case: Case) -> Scaling | None:
        """The method's scaling for a case, for methods that change frequencies.

        Raises:
            ValueError: If the case lacks something.
        """
        return cast(Scaling | None, self.make(case))

    def remapping(self, case: Case) -> Remapping:
        """The method's remapping for a case, for methods that change distances.

        Raises:
            ValueError: If the case lacks something.
        """
        return cast(Remapping, self.make(case))

    def fits(self, given: tuple[Need, ...]) -> bool:
        """Whether it needs nothing besides what is given."""
        return set(self.needs) <= set(given)


def unscaled(declared: Scaling | None) -> Scaling | None:
    """The frequencies of a file without extension; pairs at rest are none."""
    return replace(declared, factor=1.0) if isinstance(declared, Proportional) else None


def _yarn(case: Case) -> Scaling:
    """With the bounds of the file where it asks for YaRN."""
    own = case.declared
    if isinstance(own, YaRN):
        return replace(own, factor=case.factor, original_length=case.trained, attention_factor=None)
    return YaRN(case.factor, case.trained)


def _list(case: Case) -> Scaling:
    if not isinstance(case.declared, LongRoPE):
        raise ValueError("short_factor and long_factor must be in the file, which has neither.")
    return case.declared


def _proportional(case: Case) -> Scaling:
    """The pairs that made a full turn in training; the others stop."""
    if case.inv_freq is None:
        raise ValueError("inv_freq must be given, got nothing.")
    turned = angle_coverage(case.inv_freq, case.trained, case.trained).full_turn
    return Proportional(float(turned.sum()) / len(turned))


def _self_extend(case: Case) -> Remapping:
    """The smallest groups that bring the target back into the shown length."""
    far = (case.target - case.window) / (case.shown - case.window)
    return SelfExtend(case.window, max(1, math.ceil(far)))


def _leaky(case: Case) -> Remapping:
    """The slowing with which the farthest distance ends at the last shown one."""
    last = case.target - 1
    window = case.window
    slower = (last - window) / max(case.shown - 1 - window, 1)
    return LeakyReRoPE(window, max(1.0, slower))


def _dual_chunk(case: Case) -> Remapping:
    """The file's chunks, else 3/4 and 1/8 of the shown length."""
    return case.chunks or DualChunk(max(1, case.shown * 3 // 4), max(1, case.shown // 8))


_REMAPS: tuple[Need, ...] = ("target", "shown", "window", "distances")
_ALL = (
    Method("declared", say("as declared"), None, lambda c: c.declared, "declared", ("declared",)),
    Method("none", say("none"), None, lambda c: unscaled(c.declared), ""),
    Method("linear", say("linear"), Linear, lambda c: Linear(c.factor)),
    Method("ntk", say("NTK-aware"), NTK, lambda c: NTK(c.factor)),
    Method("ntk_base", say("NTK base"), NTK, lambda c: NTK(c.factor, "base"), form_of="ntk"),
    Method("ntk_fixed", say("NTK fixed"), NTK, lambda c: NTK(c.factor, "fixed"), form_of="ntk"),
    Method("ntk_mixed", say("NTK mixed"), NTK, lambda c: NTK(c.factor, "mixed"), form_of="ntk"),
    Method(
        "ntk_alpha",
        say("NTK alpha"),
        NTK,
        lambda c: NTK(c.factor, alpha=c.alpha),
        "alpha",
        ("alpha",),
        form_of="ntk",
    ),
    Method(
        "dynamic_ntk",
        say("dynamic NTK"),
        DynamicNTK,
        lambda c: DynamicNTK(c.alpha, c.trained),
        "alpha",
        ("trained", "alpha", "length"),
    ),
    Method(
        "ntk_by_parts",
        say("NTK-by-parts"),
        NTKByParts,
        lambda c: NTKByParts(c.factor, c.trained),
        needs=("trained",),
    ),
    Method(
        "yarn_paper",
        say("YaRN (paper)"),
        NTKByParts,
        lambda c: NTKByParts(c.factor, c.trained, attention_factor=yarn_mscale(c.factor)),
        needs=("trained",),
        form_of="yarn",
    ),
    Method("yarn", say("YaRN"), YaRN, _yarn, needs=("trained",)),
    Method(
        "yarn_no_temperature",
        say("YaRN, no temperature"),
        YaRN,
        lambda c: YaRN(c.factor, c.trained, attention_factor=1.0),
        needs=("trained",),
        form_of="yarn",
    ),
    Method(
        "longrope_short",
        say("LongRoPE short list"),
        LongRoPE,
        _list,
        "",
        ("declared",),
        list="short",
    ),
    Method(
        "longrope_long", say("LongRoPE long list"), LongRoPE, _list, "", ("declared",), list="long"
    ),
    Method(
        "llama3",
        say("Llama-3"),
        Llama3,
        lambda c: Llama3(c.factor, original_length=c.trained),
        needs=("trained",),
    ),
    Method(
        "proportional",
        say("proportional"),
        Proportional,
        _proportional,
        "",
        ("trained", "inv_freq"),
    ),
    Method("self_extend", say("Self-Extend"), SelfExtend, _self_extend, "", _REMAPS),
    Method("rerope", say("ReRoPE"), ReRoPE, lambda c: ReRoPE(c.window), "", _REMAPS),
    Method("leaky_rerope", say("Leaky ReRoPE"), LeakyReRoPE, _leaky, "", _REMAPS),
    Method("dual_chunk", say("Dual Chunk"), DualChunk, _dual_chunk, "", _REMAPS),
)

METHODS: dict[str, Method] = {method.id: method for method in _ALL}
"""Every method by its id, in the order in which lists show them."""


def fitting(*given: Need) -> dict[str, Method]:
    """The methods that need nothing besides their factor and what is given."""
    return {name: method for name, method in METHODS.items() if method.fits(given)}
