"""The controls of the ALiBi screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from torch import Tensor

from posenc import alibi_slopes
from posenc.alibi.picture import ALiBiBias, ALiBiTwoSided
from posenc.words import say
from ui import controls
from ui.controls import choice, entry, number, powers
from ui.text import controls as text_controls

PRESETS: controls.Presets = {
    "heads_8": (say("8 heads"), {"num_heads": 8, "length": 64, "mode": "causal"}),
    "bloom": (say("BLOOM-176B (112 heads)"), {"num_heads": 112, "length": 2048, "mode": "causal"}),
    "mpt": (say("MPT-7B (32 heads)"), {"num_heads": 32, "length": 2048, "mode": "causal"}),
    "baichuan2": (
        say("Baichuan2-13B (40 heads)"),
        {"num_heads": 40, "length": 4096, "mode": "causal"},
    ),
    "encoder": (say("Encoder, 12 heads"), {"num_heads": 12, "length": 512, "mode": "symmetric"}),
}
MODES = {
    "causal": say("causal"),
    "symmetric": say("symmetric"),
    "asymmetric": say("asymmetric"),
}


@dataclass(frozen=True, kw_only=True)
class Heads:
    """The heads, of which each has a slope."""

    first: ClassVar[Sequence[str]] = ("num_heads",)

    num_heads: int = entry(
        number,
        say("Heads n"),
        8,
        1,
        256,
        help=say("n in the formula; 32 in MPT-7B, 112 in BLOOM-176B."),
    )

    @property
    def slopes(self) -> Tensor:
        """float64 (num_heads,)."""
        return alibi_slopes(self.num_heads)


@dataclass(frozen=True, kw_only=True)
class OneHead(Heads):
    """The same on a text, with a head to be followed."""

    first: ClassVar = ("num_heads", "head")

    head: int = text_controls.head()
    length: int = entry(
        powers,
        say("Length"),
        64,
        4,
        2**27,
        help=say("Tokens in the picture; 2048 in BLOOM's training."),
    )

    @property
    def slope(self) -> float:
        return self.slopes[self.head].item()


@dataclass(frozen=True, kw_only=True)
class Settings(OneHead):
    """The same with a treatment of future keys."""

    mode: str = entry(
        choice,
        say("Future keys"),
        MODES,
        help=say(
            "Causal: hidden, as in decoders. Symmetric: minus slope times |i − j|, for encoders. "
            "Asymmetric: a different slope after the query than before it."
        ),
        wide=True,
        above=True,
    )
    future: float = entry(
        number,
        say("Future slope ÷ slope"),
        2.0,
        0.0,
        64.0,
        step=0.5,
        help=say("1 is the symmetric form; with 0, keys after the query lose nothing."),
        when=lambda s: s.mode == "asymmetric",
    )

    def bias(self, slope: float, length: int) -> ALiBiBias | ALiBiTwoSided:
        if self.mode == "asymmetric":
            return ALiBiTwoSided(slope, self.future * slope, length)
        return ALiBiBias(slope, length, symmetric=self.mode == "symmetric")

    @property
    def future_keys(self) -> dict[str, Any]:
        """Treatment of keys in the future, for a program."""
        return {"mode": self.mode, "future": self.future}
