"""One setting, five dialects: α, base, factor, frequency scale and compression of positions.

Two things can be changed: the base (α and base say by how much) and the step between positions
(factor, freq_scale and compress). Together θ'_i = b'^(-2i/d) / s.
"""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from advisor.engines.engine import Written
from advisor.fields import LARGEST_BASE, LARGEST_FACTOR
from advisor.rope import RopeConfig
from posenc.checks import check_choice, check_int, check_number
from posenc.waves import geometric
from posenc.words import Sentence, say

Unit = Literal["alpha", "base", "factor", "freq_scale", "compress"]
UNITS: dict[str, Sentence] = {
    "alpha": say(
        "ExLlama `--alpha`, exllamav2 `--rope_alpha`, "
        "text-generation-webui before 4.1 `--alpha_value`"
    ),
    "base": say("transformers and vLLM `rope_theta`, llama.cpp `--rope-freq-base`"),
    "factor": say('transformers and vLLM `factor` of "linear", llama.cpp `--rope-scale`'),
    "freq_scale": say("llama.cpp `--rope-freq-scale`, koboldcpp `--ropeconfig`, its first number"),
    "compress": say(
        "ExLlama and text-generation-webui before 4.1 `--compress_pos_emb`, "
        "exllamav2 `--rope_scale`"
    ),
}
"""The units and what engines call them."""
OF_BASE = ("alpha", "base")
SMALLEST_TRAINED = 8  # below it even the fastest pair, one radian per token, makes no full turn


@dataclass(frozen=True)
class RopeUnits:
    """A setting that stretches a model's rotary frequencies, in every unit.

    Args:
        head_dim: Rotated channels d, even, at least 4.
        trained_base: b, the base the model was trained with.
        trained_length: L₀, tokens.
        base: b', the base it is run with.
        factor: s, what every position is divided by.
    """

    head_dim: int
    trained_base: float
    trained_length: int
    base: float
    factor: float = 1.0

    def __post_init__(self) -> None:
        check_int("head_dim", self.head_dim, 4, even=True, maximum=65536)
        check_number("trained_base", self.trained_base, above=1, maximum=LARGEST_BASE)
        check_int("trained_length", self.trained_length, SMALLEST_TRAINED)
        check_number("base", self.base, above=1, maximum=LARGEST_BASE)
        check_number("factor", self.factor, 1 / LARGEST_FACTOR, maximum=LARGEST_FACTOR)

    @property
    def alpha(self) -> float:
        """α of NTK-aware scaling, b' = b·α^(d/(d-2)): what the slowest pair is divided by."""
        return (self.base / self.trained_base) ** ((self.head_dim - 2) / self.head_dim)

    @property
    def freq_scale(self) -> float:
        """1 / s."""
        return 1 / self.factor

    @property
    def compress(self) -> float:
        """s, as compress_pos_emb."""
        return self.factor

    @property
    def inv_freq(self) -> Tensor:
        """θ'_i = b'^(-2i/d) / s, float64 (d/2,), radians per position."""
        return geometric(self.base, self.head_dim // 2) / self.factor

    @property
    def slowed(self) -> Tensor:
        """θ_i / θ'_i, how much each pair is slowed, float64 (d/2,): s·α^(2i/(d-2))."""
        return geometric(self.trained_base, self.head_dim // 2) / self.inv_freq

    @property
    def reach(self) -> float:
        """Longest text, tokens, in which no pair goes more than one position past training.

        L₀ times what the least slowed pair is slowed by, of those that made no full turn.
        """
        first = unfinished_pair(self.head_dim, self.trained_base, self.trained_length)
        if first is None:
            return math.inf
        return self.trained_length * float(self.slowed[first:].min())

    def needed(self, target_length: int) -> Tensor:
        """How much each pair has to be slowed so that the target shows no new angle, (d/2,).

        L / L₀ for pairs that made no full turn in training, NaN for the others.
        """
        check_int("target_length", target_length, 2)
        first = unfinished_pair(self.head_dim, self.trained_base, self.trained_length)
        out = torch.full((self.head_dim // 2,), torch.nan, dtype=torch.float64)
        if first is not None:
            out[first:] = target_length / self.trained_length
        return out

    def dynamic_factor(self, target_length: int) -> float | None:
        """`factor` of transformers' dynamic scaling that has this base at the target length.

        (α - 1) / (L/L₀ - 1); None up to the trained length, where it has no effect.
        """
        stretch = target_length / self.trained_length
        return (self.alpha - 1) / (stretch - 1) if stretch > 1 else None

    def config(self, target_length: int) -> RopeConfig:
        """The setting as a configuration that declares the target length.

        Raises:
            ValueError: If the factor is below 1.
        """
        scaling = {"rope_type": "linear", "factor": self.factor} if self.factor != 1 else {}
        return self._llama(target_length, {"rope_type": "default", **scaling}, self.base)

    def command(self, engine: str, target_length: int) -> Written:
        """Settings for an engine.

        Args:
            engine: Id of one of `advisor.engines.all.ENGINES`.
            target_length: L, tokens.

        Raises:
            ValueError: If the factor is below 1, or the engine cannot do it.
        """
        trained = self._llama(self.trained_length, {"rope_type": "default"}, self.trained_base)
        return self.config(target_length).settings(engine, trained)

    def _llama(self, length: int, scaling: dict[str, object], base: float) -> RopeConfig:
        return RopeConfig.from_hf(
            {
                "model_type": "llama",
                "head_dim": self.head_dim,
                "max_position_embeddings": length,
                "rope_parameters": {**scaling, "rope_theta": base},
            }
        )


def unfinished_pair(head_dim: int, base: float, trained_length: int) -> int | None:
    """The fastest pair that makes no full turn within the trained length; None if all make one."""
    unfinished = torch.nonzero(trained_length * geometric(base, head_dim // 2) < 2 * torch.pi)
    return int(unfinished[0]) if len(unfinished) else None


def convert_units(
    unit: Unit,
    value: float,
    *,
    head_dim: int = 128,
    trained_base: float = 10000.0,
    trained_length: int = 4096,
    also: tuple[Unit, float] | None = None,
) -> RopeUnits:
    """Read a setting in one unit, or in two at once.

    Args:
        unit: What the value is: "alpha", "base", "factor", "freq_scale" or "compress".
        value: The number, taken as it stands; `probably_meant` says when it looks mistaken.
        head_dim: Rotated channels d.
        trained_base: b, the base the model was trained with.
        trained_length: L₀, tokens.
        also: A second setting that is given beside it.

    Raises:
        ValueError: If a number is out of range, or both settings say the same thing differently.

    Source: α: bloc97 2023, in Peng et al. 2023, section 3.1, arXiv:2309.00071, and
    turboderp/exllama; factor: Chen et al. 2023, arXiv:2306.15595; freq_scale: llama.cpp.
    """
    given = [(unit, value)] if also is None else [(unit, value), also]
    bases = []
    factors = []
    for name, number in given:
        check_choice("unit", name, tuple(UNITS))
        check_number(name, number, above=0, maximum=LARGEST_BASE)
        if name in OF_BASE:
            power = head_dim / (head_dim - 2) if head_dim > 2 else 1.0
            bases.append(number if name == "base" else trained_base * number**power)
        else:
            factors.append(1 / number if name == "freq_scale" else float(number))
    for found in (bases, factors):
        if len(found) == 2 and not math.isclose(*found, rel_tol=1e-3):
            both = " and ".join(f"{name} {number:g}" for name, number in given)
            what = "the base" if found is bases else "the step between positions"
            raise ValueError(
                f"{both} must not contradict each other: both set {what}. Give one of them."
            )
    base = float(bases[0]) if bases else float(trained_base)
    return RopeUnits(head_dim, trained_base, trained_length, base, factors[0] if factors else 1.0)


def alpha_for_length(
    head_dim: int, trained_base: float, trained_length: int, target_length: int
) -> float:
    """The smallest α with which no pair goes more than one position past training.

    (L / L₀)^((d-2) / (2c)), c the first pair that made no full turn in training: more
    than the stretch of the text, since pairs before the last are slowed by less than α.

    Raises:
        ValueError: If a number is out of range.
    """
    RopeUnits(head_dim, trained_base, trained_length, trained_base)  # checks the numbers
    check_int("target_length", target_length, trained_length)
    first = unfinished_pair(head_dim, trained_base, trained_length)
    if first is None:
        return 1.0
    return float((target_length / trained_length) ** ((head_dim - 2) / (2 * first)))
