"""Converter: one setting for a longer context, in the words of every engine."""

import math
from dataclasses import dataclass

import pandas as pd

from advisor.units.convert import UNITS, RopeUnits, alpha_for_length
from advisor.units.findings import units_findings
from pages.units.curves import figure
from pages.units.settings import NAMES, PRESETS, Settings
from posenc.words import say
from ui import screen
from ui.controls.advice import choose_engine, finding_words, show_written
from ui.words import _, number, translate

SHORT_NAMES = {**NAMES, "alpha": "α", "base": say("base"), "factor": say("factor")}


def picture(s: Settings) -> screen.Picture:
    """The setting in every unit, findings, the curves, and what to paste."""
    shown = s.meant or s.setting
    findings = [finding_words(one) for one in units_findings(s.setting, s.target, *s.typed)]
    return screen.Picture(
        figures=[
            screen.ReadoutsFigure(
                readouts={SHORT_NAMES[unit]: short(getattr(shown, unit)) for unit in UNITS},
                caption=_("These are the numbers that were probably meant:") if s.meant else "",
            ),
            screen.WordsFigure("\n\n".join(findings)),
            figure(s),
            screen.ReadoutsFigure(readouts=readouts(s)),
            screen.WordsFigure(
                _("For the setting that was probably meant:") if s.meant else "",
                title=_("The same in every unit"),
            ),
            screen.WordTableFigure(name=say("units"), frame=dialects(shown, s.target)),
            Commands(shown, s.target),
        ],
    )


def readouts(s: Settings) -> dict[str, str]:
    """The setting's effect, and the factors that the target needs."""
    needed = alpha_for_length(
        s.head_dim, s.trained_base, s.trained_length, max(s.target, s.trained_length)
    )
    stretch = max(s.target / s.trained_length, 1)
    reach = s.setting.reach
    return {
        _("slowest pair ÷"): number(float(s.setting.slowed[-1]), ".4g"),
        _("fastest pair ÷"): number(float(s.setting.slowed[0]), ".4g"),
        _("tokens without new angles"): (
            number(math.floor(reach)) if reach < 1e18 else _("any number")
        ),
        _("α that {target:,} needs", target=s.target): number(needed, ".4g"),
        _("factor that {target:,} needs", target=s.target): number(stretch, ".4g"),
    }


def dialects(shown: RopeUnits, target: int) -> pd.DataFrame:
    rows = [
        (translate(NAMES[unit]), number(getattr(shown, unit), ".8g"), translate(where))
        for unit, where in UNITS.items()
    ]
    dynamic = shown.dynamic_factor(target)
    if dynamic is not None and shown.factor == 1 and dynamic >= 1:
        where = _(
            'transformers `factor` of "dynamic", for the same base at {target:,} tokens',
            target=target,
        )
        rows.append((_("dynamic factor"), number(dynamic, ".8g"), where))
    columns = [_("unit"), _("value"), _("where it is written")]
    return pd.DataFrame(rows, columns=columns).set_index(columns[0])


@dataclass(frozen=True)
class Commands:
    """The settings for the chosen engine."""

    setting: RopeUnits
    target: int

    def draw(self) -> screen.Drawn:
        """The choice of an engine, and its settings."""
        if self.setting.factor < 1:
            words = _("There are no settings to paste for a factor below 1.")
            return screen.WordsFigure(words).draw()
        screen.WordsFigure(title=_("Settings to paste")).draw()
        engine = choose_engine()
        show_written(engine, lambda: self.setting.command(engine, self.target))
        return screen.Drawn()


def short(value: float) -> str:
    """Six digits, or all of those before the point: a base of a million is no power of ten."""
    return number(value, ",.0f" if 1e5 <= value < 1e15 else ",.6g")


PICTURES: screen.Pictures = {"units": (say("Units"), Settings, picture)}

screen.show("units", screen.screen_of(PICTURES, PRESETS))
