"""Units: one setting for a longer context, in the words of every engine."""

import math
from typing import Any, cast

import pandas as pd
import streamlit as st

from pages.units.curves import Typed, figure
from posenc.units.convert import UNITS, RopeUnits, Unit, alpha_for_length, convert_units
from posenc.units.findings import units_findings
from posenc.words import say
from ui import controls, screen
from ui.controls.advice import choose_engine, finding_words, show_written
from ui.words import _, number, translate

LLAMA_2 = {"head_dim": 128, "trained_base": 10000.0, "trained_length": 4096, "target": 8192}
NOTHING = "nothing"
ONE = {"second": NOTHING, "second_value": 2.0, **LLAMA_2}
PRESETS = {
    "alpha": {"unit": "alpha", "value": 2.5, **ONE},
    "compress": {"unit": "compress", "value": 4.0, **ONE, "target": 16384},
    "freq_scale": {"unit": "freq_scale", "value": 8.0, **ONE, "target": 32768},
    "both": {"unit": "alpha", "value": 2.0, **ONE, "second": "compress"},
    "code-llama": {"unit": "base", "value": 1e6, **ONE, "target": 16384},
}
PRESET_LABELS = {
    "alpha": say("α 2.5 on Llama 2"),
    "compress": say("compress_pos_emb 4"),
    "freq_scale": say("freq-scale 8.0"),
    "both": say("Both at once"),
    "code-llama": say("Code Llama's base"),
}
NAMES = {
    "alpha": say("α (alpha_value)"),
    "base": say("base (rope_theta)"),
    "factor": say("factor (rope-scale)"),
    "freq_scale": say("freq-scale"),
    "compress": say("compress_pos_emb"),
}
SHORT_NAMES = {
    "alpha": "α",
    "base": say("base"),
    "factor": say("factor"),
    "freq_scale": say("freq-scale"),
    "compress": say("compress_pos_emb"),
}


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the setting, draw what it does, write it for every engine."""
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        unit, value = choose_setting()
        target = controls.number(
            "target",
            _("Target length L"),
            8192,
            8,
            2**30,
            step=4096,
            help=_("Tokens that are to be read."),
        )
        model = choose_model()
        second = choose_second()
    shown = None
    with right, screen.guard():
        typed = ((unit, value), *second)
        setting = convert_units(unit, value, **model, also=second[0] if second else None)
        shown = show(Typed(typed, setting, target))
    return shown


def choose_setting() -> tuple[Unit, float]:
    """Draw the setting that the reader has."""
    unit = controls.choice(
        "unit",
        _("What you have"),
        NAMES,
        help=_("α and base change the base of the frequencies; the other three divide positions."),
    )
    value: float = controls.number(
        "value",
        _("Its value"),
        2.5,
        0.001,
        1e9,
        step=0.5,
        help=_("The number, as the guide or the command line has it."),
    )
    return cast(Unit, unit), value


def choose_model() -> dict[str, Any]:
    """Draw what the model was trained with."""
    return {
        "head_dim": controls.number(
            "head_dim",
            _("Head width d"),
            128,
            4,
            512,
            step=2,
            help=_("Rotated channels; 128 in Llama."),
        ),
        "trained_base": controls.number(
            "trained_base",
            _("Trained base b"),
            10000.0,
            1.5,
            1e9,
            step=10000.0,
            help=_(
                "`rope_theta` of the model's own config.json; 10000 in Llama 2, 1000000 in Qwen2.5."
            ),
        ),
        "trained_length": controls.number(
            "trained_length",
            _("Trained length L₀"),
            4096,
            8,
            2**30,
            step=1024,
            help=_("Tokens in training; 4096 in Llama 2."),
        ),
    }


def choose_second() -> tuple[tuple[Unit, float], ...]:
    """Draw a second setting beside the first; none where nothing is chosen."""
    with st.expander(_("A second setting")):
        second = controls.choice(
            "second",
            _("And also"),
            {NOTHING: _("nothing"), **NAMES},
            help=_("Engines take a factor and a base at once; both then change the frequencies."),
        )
        value: float = controls.number(
            "second_value", _("Its value"), 2.0, 0.001, 1e9, step=0.5, help=_("The second number.")
        )
    return () if second == NOTHING else ((cast(Unit, second), value),)


def show(s: Typed) -> screen.ScreenView:
    """Findings, the setting in every unit, the curves, and what to paste."""
    shown = s.meant or s.setting
    for finding in units_findings(s.setting, s.target, *s.typed):
        st.markdown(finding_words(finding))
    screen.readouts({SHORT_NAMES[unit]: short(getattr(shown, unit)) for unit in UNITS})
    if s.meant is not None:
        st.caption(_("These are the numbers that were probably meant."))
    drawn = figure(s).draw()
    show_readouts(s)
    st.header(_("The same in every unit"), anchor=False)
    if s.meant is not None:
        st.markdown(_("For the setting that was probably meant:"))
    show_dialects(shown, s.target)
    if shown.factor < 1:
        st.markdown(_("No engine is made for a factor below 1, so there are no settings to paste."))
    else:
        show_commands(shown, s.target)
    return screen.ScreenView(drawn.tables, s.code())


def show_readouts(s: Typed) -> None:
    """Show the setting's effect, and the factors that the target needs."""
    setting = s.setting
    reach = setting.reach
    needed = alpha_for_length(
        setting.head_dim,
        setting.trained_base,
        setting.trained_length,
        max(s.target, setting.trained_length),
    )
    stretch = max(s.target / setting.trained_length, 1)
    screen.readouts(
        {
            _("slowest pair ÷"): number(float(setting.slowed[-1]), ".4g"),
            _("fastest pair ÷"): number(float(setting.slowed[0]), ".4g"),
            _("tokens without new angles"): (
                number(math.floor(reach)) if reach < 1e18 else _("any number")
            ),
            _("α that {target:,} needs", target=s.target): number(needed, ".4g"),
            _("factor that {target:,} needs", target=s.target): number(stretch, ".4g"),
        }
    )


def show_dialects(shown: RopeUnits, target: int) -> None:
    """The table: one number in every unit."""
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
    frame = pd.DataFrame(
        [row[1:] for row in rows],
        pd.Index([row[0] for row in rows], name=_("unit")),
        columns=[_("value"), _("where it is written")],
    )
    st.table(frame)


def show_commands(shown: RopeUnits, target: int) -> None:
    """Show the settings for the chosen engine."""
    st.header(_("Settings to paste"), anchor=False)
    engine = choose_engine()
    show_written(engine, lambda: shown.command(engine, target))


def short(value: float) -> str:
    """Six digits, or all of those before the point: a base of a million is no power of ten."""
    return number(value, ",.0f" if 1e5 <= value < 1e15 else ",.6g")


screen.show("units", draw)
