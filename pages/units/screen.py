"""Units: one setting for a longer context, in the words of every engine."""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import streamlit as st
from torch import Tensor

from plots.lines import Series, lines
from posenc import Step
from posenc.units.convert import UNITS, RopeUnits, Unit, alpha_for_length, convert_units
from posenc.units.findings import corrected, units_findings
from posenc.units.steps import needed_steps, slowed_steps
from ui import controls, screen
from ui.charts.curve import curve_chart
from ui.controls.advice import finding_words
from ui.controls.methods import STYLES

LLAMA_2 = {"head_dim": 128, "trained_base": 10000.0, "trained_length": 4096, "target": 8192}
ONE = {"second": "nothing", "second_value": 2.0, **LLAMA_2}
PRESETS = {
    "α 2.5 on Llama 2": {"unit": "alpha", "value": 2.5, **ONE},
    "compress_pos_emb 4": {"unit": "compress", "value": 4.0, **ONE, "target": 16384},
    "freq-scale 8.0": {"unit": "freq_scale", "value": 8.0, **ONE, "target": 32768},
    "Both at once": {"unit": "alpha", "value": 2.0, **ONE, "second": "compress"},
    "Code Llama's base": {"unit": "base", "value": 1e6, **ONE, "target": 16384},
}
NAMES = {
    "alpha": "α (alpha_value)",
    "base": "base (rope_theta)",
    "factor": "factor (rope-scale)",
    "freq_scale": "freq-scale",
    "compress": "compress_pos_emb",
}
NOTHING = "nothing"
JSON = "transformers"
OWN, LINEAR, NEEDED = "this setting", "linear with the same slowest pair", "needed for the target"
MEANT = "probably meant"
LOOKS = {OWN: "NTK-aware", LINEAR: "linear", MEANT: "YaRN"}


@dataclass(frozen=True)
class Settings:
    """What the controls say."""

    typed: tuple[tuple[Unit, float], ...]
    setting: RopeUnits
    target: int

    @property
    def meant(self) -> RopeUnits | None:
        return corrected(self.setting, *self.typed)

    def curves(self) -> dict[str, Tensor]:
        s, found = self.setting, {OWN: self.setting.slowed}
        if self.meant is not None:
            found[MEANT] = self.meant.slowed
        elif s.alpha > 1:
            found[LINEAR] = self.linear.slowed
        return found | {NEEDED: s.needed(self.target)}

    @property
    def linear(self) -> RopeUnits:
        s = self.setting
        return RopeUnits(
            s.head_dim, s.trained_base, s.trained_length, s.trained_base, s.factor * s.alpha
        )

    def code(self) -> str:
        (unit, value), *rest = self.typed
        s, also = self.setting, f", also={rest[0]!r}" if rest else ""
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
            "import torch\nfrom posenc import RopeUnits, convert_units\n\n"
            f"setting = convert_units(\n    {unit!r}, {value}, {model}{also}\n)\n"
            "print(setting.alpha, setting.base, setting.factor, setting.freq_scale)\n"
            + "".join(made.get(name, "") for name in self.curves())
            + f"values = torch.stack([{', '.join(rows[name] for name in self.curves())}])\n"
            "print(values)\n"
        )


def picture(s: Settings) -> screen.Frames:
    pairs = np.arange(s.setting.head_dim // 2)
    curves = {name: y.numpy() for name, y in s.curves().items()}
    series = []
    for name, y in curves.items():
        color, dash = STYLES[LOOKS[name]] if name in LOOKS else (None, "dot")
        series.append(Series(name, y, color=color or "#666666", dash=dash, marker=""))
    figure = lines(
        pairs,
        series,
        title="How much each pair is slowed (analytic)",
        x_title="pair i, from fast to slow",
        y_title="trained θᵢ / θᵢ of the setting",
        log_y=True,
    )
    alt = "Curves over the pairs: how much the setting slows each, and how much the target needs"
    shown = {OWN: s.setting, MEANT: s.meant, LINEAR: s.linear}

    def explain(curve: int, pair: int) -> tuple[Step, ...]:
        units = shown.get(list(curves)[curve])
        return (
            needed_steps(s.setting, s.target, pair) if units is None else slowed_steps(units, pair)
        )

    curve_chart(
        figure,
        explain,
        key="slowed",
        alt=alt,
        names=list(curves),
        places=(0, len(pairs) - 1),
        x_name="pair",
        default=(0, len(pairs) // 2),
        height=380,
    )
    return {"slowed": screen.curve_frame("pair", pairs, curves)}


def readouts(s: Settings) -> None:
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
            "slowest pair ÷": f"{float(setting.slowed[-1]):.4g}",
            "fastest pair ÷": f"{float(setting.slowed[0]):.4g}",
            "tokens without new angles": f"{math.floor(reach):,}" if reach < 1e18 else "any number",
            f"α that {s.target:,} needs": f"{needed:.4g}",
            f"factor that {s.target:,} needs": f"{stretch:.4g}",
        }
    )


def dialects(shown: RopeUnits, target: int) -> None:
    """The table: one number in every unit."""
    rows = [
        (NAMES[unit], f"{getattr(shown, unit):.8g}", where, unit) for unit, where in UNITS.items()
    ]
    dynamic = shown.dynamic_factor(target)
    if dynamic is not None and shown.factor == 1 and dynamic >= 1:
        where = f'transformers factor of "dynamic", for the same base at {target:,} tokens'
        rows.append(("dynamic factor", f"{dynamic:.8g}", where, ""))
    frame = pd.DataFrame(
        [row[1:3] for row in rows],
        pd.Index([row[0] for row in rows], name="unit"),
        columns=["value", "where it is written"],
    )
    st.table(frame)


def commands(shown: RopeUnits, target: int) -> None:
    st.header("Settings to paste", anchor=False)
    written = shown.commands(target)
    left, right = st.columns(2)
    for index, (engine, words) in enumerate(written.items()):
        with left if index in (0, 3, 4) else right:
            st.markdown(f"**{engine}**")
            st.code(words, language="json" if engine == JSON else "bash", wrap_lines=True)


def short(value: float) -> str:
    """Six digits, or all of those before the point: a base of a million is no power of ten."""
    return f"{value:,.0f}" if 1e5 <= value < 1e15 else f"{value:,.6g}"


def show(s: Settings) -> screen.ScreenView:
    shown = s.meant or s.setting
    for finding in units_findings(s.setting, s.target, *s.typed):
        st.markdown(finding_words(finding))
    screen.readouts({NAMES[unit].partition(" ")[0]: short(getattr(shown, unit)) for unit in UNITS})
    if s.meant is not None:
        st.caption("These are the numbers that were probably meant.")
    tables = picture(s)
    readouts(s)
    st.header("The same in every unit", anchor=False)
    if s.meant is not None:
        st.markdown("For the setting that was probably meant:")
    dialects(shown, s.target)
    if shown.factor < 1:
        st.markdown("No engine is meant to be run so: there is nothing to paste.")
    else:
        commands(shown, s.target)
    return screen.ScreenView(lambda: tables, s.code())


lesson = screen.header("units")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    unit = controls.choice(
        "unit", "What you have", NAMES,
        help="α and base change the base of the frequencies; the other three divide positions.",
    )  # fmt: skip
    value = controls.number(
        "value", "Its value", 2.5, 0.001, 1e9, step=0.5,
        help="The number, as the guide or the command line has it.",
    )  # fmt: skip
    target = controls.number(
        "target", "Target length L", 8192, 8, 2**30, step=4096,
        help="Tokens that are to be read.",
    )  # fmt: skip
    head_dim = controls.number(
        "head_dim", "Head width d", 128, 4, 512, step=2, help="Rotated channels; 128 in Llama."
    )
    trained_base = controls.number(
        "trained_base", "Trained base b", 10000.0, 1.5, 1e9, step=10000.0,
        help="rope_theta of the model's own config.json; 10000 in Llama 2, 1000000 in Qwen2.5.",
    )  # fmt: skip
    trained_length = controls.number(
        "trained_length", "Trained length L₀", 4096, 8, 2**30, step=1024,
        help="Tokens in training; 4096 in Llama 2.",
    )  # fmt: skip
    with st.expander("A second setting"):
        second = controls.choice(
            "second", "And also", {NOTHING: NOTHING, **NAMES},
            help="Engines take a factor and a base at once, and then both act.",
        )  # fmt: skip
        second_value = controls.number(
            "second_value", "Its value", 2.0, 0.001, 1e9, step=0.5, help="The second number."
        )

shown = None
with right, screen.guard():
    asked = [(unit, value)] + ([(second, second_value)] if second != NOTHING else [])
    typed = cast("tuple[tuple[Unit, float], ...]", tuple(asked))
    setting = convert_units(
        *typed[0],
        head_dim=head_dim,
        trained_base=trained_base,
        trained_length=trained_length,
        also=typed[1] if len(typed) > 1 else None,
    )
    shown = show(Settings(typed, setting, target))
screen.notice(lesson)
screen.tabs(lesson, shown)
