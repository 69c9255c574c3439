"""How much each pair is slowed: the setting that was typed, and what the target needs."""

from dataclasses import dataclass

from torch import Tensor

from plots.lines import Series
from plots.looks import UNKNOWN, look
from posenc import Step
from posenc.units.convert import RopeUnits, Unit
from posenc.units.findings import corrected
from posenc.units.steps import needed_steps, slowed_steps
from posenc.words import say
from ui import screen
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
    """The typed settings, and the model that they make.

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
        """Curves by id: how much each pair is slowed."""
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


def figure(s: Typed) -> screen.LinesFigure:
    """The curves over the pairs."""
    curves = s.curves()
    shown = {OWN: s.setting, MEANT: s.meant, LINEAR: s.linear}

    def steps(curve: int, pair: int) -> tuple[Step, ...]:
        units = shown.get(list(curves)[curve])
        return (
            needed_steps(s.setting, s.target, pair) if units is None else slowed_steps(units, pair)
        )

    made = [shown[name] for name in curves if name != NEEDED]
    looks = {name: LOOKS.get(name, UNKNOWN) for name in curves}
    pairs = s.setting.head_dim // 2
    return screen.LinesFigure(
        key="slowed",
        alt=_(
            "Curves over the pairs: how much the setting slows each, and how much the target needs"
        ),
        x=range(pairs),
        series=[
            Series(
                translate(LABELS[name]),
                y,
                color=looks[name].color,
                dash=looks[name].dash,
                marker="",
            )
            for name, y in curves.items()
        ],
        title=_("How much each pair is slowed (analytic)"),
        x_title=_("pair i, from fast to slow"),
        y_title=_("trained θᵢ / θᵢ of the setting"),
        log_y=True,
        steps=steps,
        x_name=_("pair"),
        point=(0, pairs // 2),
        table=say("slowed"),
        settings={
            "d": s.setting.head_dim,
            "base": s.setting.trained_base,
            "trained": s.setting.trained_length,
            "target": s.target,
            "settings": [(one.base, one.factor) for one in made if one is not None],
        },
        height=380,
    )
