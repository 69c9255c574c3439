"""How much each pair is slowed: the setting that was typed, and what the target needs."""

from advisor.units.steps import needed_steps, slowed_steps
from pages.units.settings import LINEAR, MEANT, NEEDED, OWN, Settings
from plots.lines import Series
from plots.looks import UNKNOWN, look
from plots.names import name_curves
from posenc.quantity.step import Step
from posenc.words import say
from ui import screen
from ui.words import _, translate

LABELS = {
    OWN: say("this setting"),
    LINEAR: say("linear with the same slowest pair"),
    MEANT: say("probably meant"),
    NEEDED: say("needed for the target"),
}
LOOKS = {OWN: look("ntk"), LINEAR: look("linear"), MEANT: look("yarn")}


def figure(s: Settings) -> screen.LinesFigure:
    """The curves over the pairs."""
    curves = s.curves()
    shown = {OWN: s.setting, MEANT: s.meant, LINEAR: s.linear}

    def steps(curve: int, pair: int) -> tuple[Step, ...]:
        units = shown.get(list(curves)[curve])
        return (
            needed_steps(s.setting, s.target, pair) if units is None else slowed_steps(units, pair)
        )

    made = [shown[name] for name in curves if name != NEEDED]
    pairs = s.setting.head_dim // 2
    return screen.LinesFigure(
        key="slowed",
        alt=_(
            "Curves over the pairs: how much the setting slows each, and how much the target needs"
        ),
        x=range(pairs),
        series=[
            Series(translate(LABELS[name]), y, **vars(LOOKS.get(name, UNKNOWN)) | {"marker": ""})
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
        finish=name_curves,
        height=380,
    )
