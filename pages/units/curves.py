"""How much each pair is slowed: the setting that was typed, and what the target needs."""

from dataclasses import dataclass

import numpy as np
from torch import Tensor

from plots.lines import Series, lines
from plots.looks import UNKNOWN, look
from posenc import Step
from posenc.units.convert import RopeUnits, Unit
from posenc.units.findings import corrected
from posenc.units.steps import needed_steps, slowed_steps
from posenc.words import say
from ui import notebooks, screen
from ui.charts.curve import curve_chart
from ui.words import _, translate

OWN, LINEAR, MEANT, NEEDED = "own", "linear", "meant", "needed"
LABELS = {
    OWN: say("this setting"),
    LINEAR: say("linear with the same slowest pair"),
    MEANT: say("probably meant"),
    NEEDED: say("needed for the target"),
}
LOOKS = {OWN: look("ntk"), LINEAR: look("linear"), MEANT: look("yarn")}


@dataclass(frozen=True)
class Typed:
    """What was typed, and what it makes of the model.

    Attributes:
        typed: Unit and number of one or two settings.
        setting: What they make.
        target: L, tokens to read.
    """

    typed: tuple[tuple[Unit, float], ...]
    setting: RopeUnits
    target: int

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
        """What is drawn, by id."""
        s = self.setting
        found = {OWN: self.setting.slowed}
        if self.meant is not None:
            found[MEANT] = self.meant.slowed
        elif s.alpha > 1:
            found[LINEAR] = self.linear.slowed
        return found | {NEEDED: s.needed(self.target)}

    def code(self) -> str:
        """A program that converts the setting likewise and prints the curves as `values`."""
        (unit, value), *rest = self.typed
        s = self.setting
        also = f", also={rest[0]!r}" if rest else ""
        rows = {
            OWN: "setting.slowed",
            MEANT: "meant.slowed",
            LINEAR: "linear.slowed",
            NEEDED: f"setting.needed({self.target})",
        }
        model = f"head_dim={s.head_dim}, trained_base={s.trained_base}, "
        model += f"trained_length={s.trained_length}"
        made = {MEANT: f"meant = {self.meant!r}\n", LINEAR: f"linear = {self.linear!r}\n"}
        return (
            f"setting = convert_units(\n    {unit!r}, {value}, {model}{also}\n)\n"
            "print(setting.alpha, setting.base, setting.factor, setting.freq_scale)\n"
            + "".join(made.get(name, "") for name in self.curves())
            + f"values = torch.stack([{', '.join(rows[name] for name in self.curves())}])\n"
        )


def show_curves(s: Typed) -> screen.Frames:
    """The curves over the pairs; their table."""
    pairs = np.arange(s.setting.head_dim // 2)
    curves = {name: y.numpy() for name, y in s.curves().items()}
    names = {name: translate(LABELS[name]) for name in curves}
    looks = {name: LOOKS.get(name, UNKNOWN) for name in curves}
    figure = lines(
        pairs,
        [
            Series(names[name], y, color=looks[name].color, dash=looks[name].dash, marker="")
            for name, y in curves.items()
        ],
        title=_("How much each pair is slowed (analytic)"),
        x_title=_("pair i, from fast to slow"),
        y_title=_("trained θᵢ / θᵢ of the setting"),
        log_y=True,
    )
    shown = {OWN: s.setting, MEANT: s.meant, LINEAR: s.linear}

    def explain(curve: int, pair: int) -> tuple[Step, ...]:
        units = shown.get(list(curves)[curve])
        return (
            needed_steps(s.setting, s.target, pair) if units is None else slowed_steps(units, pair)
        )

    made = [shown[name] for name in curves if name != NEEDED]
    notebooks.computed(
        "slowed",
        d=s.setting.head_dim,
        base=s.setting.trained_base,
        trained=s.setting.trained_length,
        target=s.target,
        settings=[(one.base, one.factor) for one in made if one is not None],
    )
    curve_chart(
        figure,
        explain,
        key="slowed",
        alt=_(
            "Curves over the pairs: how much the setting slows each, and how much the target needs"
        ),
        names=list(names.values()),
        places=(0, len(pairs) - 1),
        x_name=_("pair"),
        default=(0, len(pairs) // 2),
        height=380,
    )
    by_name = {names[name]: y for name, y in curves.items()}
    return {_("slowed"): screen.curve_frame(_("pair"), pairs.tolist(), by_name)}
