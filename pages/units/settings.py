"""The controls of the Converter, and the settings that they make."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from torch import Tensor

from advisor.units.convert import RopeUnits, Unit, convert_units
from advisor.units.findings import corrected
from posenc.words import say
from ui import controls
from ui.controls import choice, entry, number

LLAMA_2 = {"head_dim": 128, "trained_base": 10000.0, "trained_length": 4096, "target": 8192}
NOTHING = "nothing"
ONE = {"second": NOTHING, "second_value": 2.0, **LLAMA_2}
PRESETS: controls.Presets = {
    "alpha": (say("α 2.5 on Llama 2"), {"unit": "alpha", "value": 2.5, **ONE}),
    "compress": (
        say("compress_pos_emb 4"),
        {"unit": "compress", "value": 4.0, **ONE, "target": 16384},
    ),
    "freq_scale": (
        say("freq-scale 8.0"),
        {"unit": "freq_scale", "value": 8.0, **ONE, "target": 32768},
    ),
    "both": (say("Both at once"), {"unit": "alpha", "value": 2.0, **ONE, "second": "compress"}),
    "code-llama": (
        say("Code Llama's base"),
        {"unit": "base", "value": 1e6, **ONE, "target": 16384},
    ),
}
NAMES = {
    "alpha": say("α (alpha_value)"),
    "base": say("base (rope_theta)"),
    "factor": say("factor (rope-scale)"),
    "freq_scale": say("freq-scale"),
    "compress": say("compress_pos_emb"),
}
OWN, LINEAR, MEANT, NEEDED = "own", "linear", "meant", "needed"
SECOND = say("A second setting")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """One or two settings as they were typed, and the model that they are for."""

    first: ClassVar = ("unit", "value")

    unit: Unit = entry(
        choice,
        say("What you have"),
        NAMES,
        help=say(
            "α and base change the base of the frequencies; the other three divide positions."
        ),
    )
    value: float = entry(
        number,
        say("Its value"),
        2.5,
        0.001,
        1e9,
        step=0.5,
        help=say("The number, as the guide or the command line has it."),
    )
    target: int = entry(
        number,
        say("Target length L"),
        8192,
        8,
        2**30,
        step=4096,
        help=say("Tokens that are to be read."),
    )
    head_dim: int = entry(
        number,
        say("Head width d"),
        128,
        4,
        512,
        even=True,
        help=say("Rotated channels; 128 in Llama 2."),
    )
    trained_base: float = entry(
        number,
        say("Trained base b"),
        10000.0,
        1.5,
        1e9,
        step=10000.0,
        help=say(
            "`rope_theta` of the model's own config.json; 10000 in Llama 2, 1000000 in Qwen2.5."
        ),
    )
    trained_length: int = entry(
        number,
        say("Trained length L₀"),
        4096,
        8,
        2**30,
        step=1024,
        help=say("Tokens of a text in training; 4096 in Llama 2."),
    )
    second: str = entry(
        choice,
        say("And also"),
        {NOTHING: say("nothing"), **NAMES},
        help=say("Engines take a factor and a base at once; both then change the frequencies."),
        under=SECOND,
    )
    second_value: float = entry(
        number,
        say("Its value"),
        2.0,
        0.001,
        1e9,
        step=0.5,
        help=say("The second number."),
        under=SECOND,
    )

    @property
    def typed(self) -> tuple[tuple[Unit, float], ...]:
        """Unit and number of the one or two settings."""
        first = (self.unit, self.value)
        if self.second == NOTHING:
            return (first,)
        return (first, (cast(Unit, self.second), self.second_value))

    @cached_property
    def setting(self) -> RopeUnits:
        """The setting in every unit.

        Raises:
            ValueError: If the two contradict each other, or a number does not suit.
        """
        (unit, value), *second = self.typed
        return convert_units(
            unit,
            value,
            head_dim=self.head_dim,
            trained_base=self.trained_base,
            trained_length=self.trained_length,
            also=second[0] if second else None,
        )

    @property
    def meant(self) -> RopeUnits | None:
        """The setting as it was probably meant; None where it looks right."""
        return corrected(self.setting, *self.typed)

    @property
    def linear(self) -> RopeUnits:
        """The factor that slows the slowest pair as much."""
        s = self.setting
        return RopeUnits(
            s.head_dim, s.trained_base, s.trained_length, s.trained_base, s.factor * s.alpha
        )

    def curves(self) -> dict[str, Tensor]:
        """Curves by id: how much each pair is slowed."""
        found = {OWN: self.setting.slowed}
        if self.meant is not None:
            found[MEANT] = self.meant.slowed
        elif self.setting.alpha > 1:
            found[LINEAR] = self.linear.slowed
        return found | {NEEDED: self.setting.needed(self.target)}
