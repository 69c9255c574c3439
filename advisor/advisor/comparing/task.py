"""Tasks: a length to read with given layers, and a method's rule for it."""

from dataclasses import dataclass, replace
from functools import cached_property

from torch import Tensor

from advisor.comparing.layer import RopeLayer
from posenc.checks import LONGEST, check_int
from posenc.reading.formula import Reading
from posenc.rope.formula import rope_inv_freq
from posenc.rope.scaling import Scaling
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.methods import Case, Method, unscaled
from posenc.scaling.remap.distances import Remapping
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.yarn import YaRN

SHORTEST = 8  # tokens that leave some distances to compare
LARGEST_GAIN = 1e30  # far from where float32 ends


@dataclass(frozen=True)
class Rule:
    """A method's scaling and remapping for a task.

    Attributes:
        scaling: The scaling, None for none.
        remapping: Which distances are shown instead of the true ones.
        list: "short" or "long" where one of LongRoPE's lists is used whatever the length.
    """

    scaling: Scaling | None
    remapping: Remapping | None = None
    list: str = ""

    def scaling_length(self, length: int) -> int | None:
        """The length that the scaling is told for a text of `length` tokens."""
        if self.list == "short":
            return None
        if self.list == "long" and isinstance(self.scaling, LongRoPE):
            return max(length, self.scaling.original_length + 1)
        return length


@dataclass(frozen=True)
class Task:
    """A length to read, the layers that read it, and the length that they were trained with.

    Attributes:
        layer: The layers as the file has them.
        trained: L₀, tokens of the training without scaling, at least 2.
        target: L, tokens to read, at least 2.
        factor: k, what the methods stretch by, at least 1.
        alpha: α of the methods that have one.
        window: w, distances that remappings keep, below L₀.
        as_in_file: The model was trained further with the file's scaling, to its declared length.
        chunks: Dual Chunk Attention, where the file asks for it.
    """

    layer: RopeLayer
    trained: int
    target: int
    factor: float
    alpha: float = 2.0
    window: int = 1
    as_in_file: bool = False
    chunks: DualChunk | None = None

    @classmethod
    def of(
        cls,
        layer: RopeLayer,
        target: int,
        as_in_file: bool = False,
        chunks: DualChunk | None = None,
        *,
        trained: int = 0,
        factor: float = 0.0,
        alpha: float = 2.0,
        window: int = 0,
    ) -> "Task":
        """Work out what is not set: zero stands for what follows from the lengths.

        Raises:
            ValueError: If a length is missing, too small, or the window does not fit in it.
        """
        trained = trained or layer.original_length or 0
        if not trained:
            raise ValueError(
                "The file gives no trained length (max_position_embeddings): set the trained "
                "length L₀ under Parameters."
            )
        if trained < SHORTEST:
            raise ValueError(
                f"The trained length must be at least {SHORTEST} tokens, got {trained}."
            )
        if target < SHORTEST:
            raise ValueError(f"The target length must be at least {SHORTEST} tokens, got {target}.")
        if 0 < factor < 1:
            raise ValueError(f"Factor k must be at least 1, or 0 for L / L₀; got {factor:g}.")
        as_in_file = as_in_file and layer.scaling is not None
        task = cls(layer, trained, target, 1.0, alpha, 1, as_in_file, chunks)
        if task.shown > LONGEST:
            raise ValueError(
                f"The file's scaling must reach at most {LONGEST:,} tokens, got {task.shown:,}."
            )
        window = window or max(1, task.shown // 4)
        if window >= task.shown:
            raise ValueError(
                f"Window w must be below the trained length {task.shown:,}, got {window:,}."
            )
        return replace(task, factor=factor or max(1.0, target / trained), window=window)

    @property
    def width(self) -> int:
        """Channels of a head, rotated or not."""
        return self.layer.head_dim + self.layer.nope_dim

    @property
    def unscaled(self) -> Scaling | None:
        """The layers without extension; pairs at rest are none."""
        return unscaled(self.layer.scaling)

    @property
    def own_scaling(self) -> Scaling | None:
        """The scaling that training has shown."""
        return self.layer.scaling if self.as_in_file else self.unscaled

    @property
    def shown(self) -> int:
        """Tokens of the longest text that training has shown."""
        declared = self.layer.target_length or 0
        return max(self.trained, declared) if self.as_in_file else self.trained

    @property
    def prompt(self) -> int:
        """Tokens of a prompt that needs no method."""
        return min(self.trained, self.shown, self.target)

    @cached_property
    def plain(self) -> Tensor:
        """θ without any scaling, float64 (pairs,)."""
        return rope_inv_freq(self.layer.rotary_dim, self.layer.base)[0]

    @cached_property
    def case(self) -> Case:
        """The arguments for the methods."""
        return Case(
            factor=self.factor,
            trained=self.trained,
            alpha=self.alpha,
            inv_freq=self.plain,
            target=self.target,
            shown=self.shown,
            window=self.window,
            declared=self.layer.scaling,
            chunks=self.chunks,
        )

    def rule(self, method: Method) -> Rule:
        """A method's rule here; a remapping leaves the frequencies as training has shown them.

        Raises:
            ValueError: If the method does not fit these layers.
        """
        if method.remaps:
            return Rule(self.own_scaling, method.remapping(self.case))
        return Rule(method.scaling(self.case), list=method.list)

    def knob(self, method: Method) -> str:
        """The number of the method that can be turned: "factor" (k), "alpha" (α), or none."""
        own = self.layer.scaling
        if method.parameter != "declared":
            return method.parameter
        if isinstance(own, DynamicNTK):
            return "alpha"
        return "factor" if isinstance(own, Linear | YaRN | Llama3) else ""

    def turned(self, method: Method, value: float) -> Scaling | None:
        """The method's scaling with another value of its `knob`."""
        if method.parameter == "declared":
            return replace(self.layer.scaling, factor=value)  # type: ignore[type-var]
        if method.parameter == "alpha":
            return method.scaling(replace(self.case, alpha=value))
        return method.scaling(replace(self.case, factor=value))

    def reading(self, rule: Rule, length: int) -> Reading:
        """How a rule reads a text of this length.

        Raises:
            ValueError: If the scaling refuses this head, or its frequencies are not finite.
        """
        inv_freq, factor = self.frequencies(rule.scaling, rule.scaling_length(length))
        reading = Reading(inv_freq, factor, self.multiplier(rule), rule.remapping)
        if not (bool(inv_freq.isfinite().all()) and reading.gain <= LARGEST_GAIN):
            raise ValueError(
                f"factors on the scores must stay below {LARGEST_GAIN:g} and frequencies finite, "
                f"got attention factor {factor:g} and softmax multiplier "
                f"{reading.softmax_multiplier:g}."
            )
        return reading

    def trained_reading(self, length: int) -> Reading:
        """How the model read texts of this length in training.

        Raises:
            ValueError: If the file's scaling gives no finite numbers.
        """
        return self.reading(Rule(self.own_scaling), length)

    def multiplier(self, rule: Rule) -> float:
        """The softmax multiplier, which only YaRN in DeepSeek's attention has."""
        if self.layer.softmax_multiplier == 1 or not isinstance(rule.scaling, YaRN):
            return 1.0
        return rule.scaling.softmax_multiplier

    def frequencies(self, scaling: Scaling | None, length: int | None) -> tuple[Tensor, float]:
        """Frequencies and attention factor of these layers under a scaling."""
        if scaling is None:
            return self.plain, 1.0
        if length is not None:
            check_int("length", length, 1)
        return scaling.apply(self.plain, self.layer.base, length)
