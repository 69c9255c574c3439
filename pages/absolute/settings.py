"""Controls that several pictures of absolute positions have, and the presets."""

from dataclasses import dataclass
from typing import Any, ClassVar

from posenc.sinusoidal.formula import SinusoidalLayout
from posenc.words import say
from ui import controls, screen
from ui.controls import choice, entry, number

START: dict[str, Any] = {
    "view": "table",
    "d_model": 64,
    "length": 128,
    "base": 10000.0,
    "layout": "interleaved",
    "source": "trained",
}
PRESETS: controls.Presets = {
    "width_64": (say("64 dimensions"), START),
    "worked": (say("Worked example, d = 4"), START | {"d_model": 4, "length": 10}),
    "transformer": (say("Transformer base"), START | {"d_model": 512, "length": 512}),
    "bert": (
        say("BERT-base's size"),
        START | {"view": "learned", "source": "random", "d_model": 768, "length": 512},
    ),
}
LAYOUTS = {
    "interleaved": say("interleaved"),
    "concatenated": say("concatenated"),
    "tensor2tensor": "tensor2tensor",
}
BYTES_A_DIMENSION = 16_000
"""Peak memory of one dimension of whole rows: a float64, in two copies, for 1,000 rows."""


def d_model(least: int = 1, **more: Any) -> Any:
    help = say("d_model; 512 in the base Transformer, 768 in BERT-base.")
    return entry(number, say("Width d"), 64, least, 8192, help=help, **more)


def length(**more: Any) -> Any:
    help = say("Positions 0 … L − 1; 512 in BERT.")
    return entry(number, say("Length L"), 128, 1, 100_000_000, help=help, **more)


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("d_model", "base")

    d_model: int = d_model()
    length: int = length()
    base: float = entry(
        number,
        say("Base"),
        10000.0,
        1.001,
        1e12,
        help=say("base in the formula; 10000 in the Transformer."),
    )
    layout: SinusoidalLayout = entry(
        choice,
        say("Layout"),
        LAYOUTS,
        help=say("Order of the columns. tensor2tensor also has its own frequencies."),
    )

    @property
    def sinusoid(self) -> tuple[int, float, SinusoidalLayout]:
        """The arguments that all sinusoidal functions share."""
        return self.d_model, self.base, self.layout

    @property
    def program(self) -> dict[str, Any]:
        """The same by the names of a program."""
        return screen.only(self, "d_model", "base", "layout")
