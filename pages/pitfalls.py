"""Pitfalls: the mistakes that real code makes, each wrong beside right."""

import pandas as pd
import streamlit as st
import torch

from plots.heatmap import small_multiples
from posenc.pitfall_cases import PITFALLS, Pitfall
from ui import controls, screen
from ui.chart import chart
from ui.pitfalls import two_codes

CODE = """\
from posenc.pitfall_cases import PITFALLS

pitfall = PITFALLS["{name}"]
wrong, right = pitfall.pictures()
values = wrong
print(f"{{pitfall.check.__name__}}: off by {{pitfall.check(pitfall.wrong):.3g}} in the wrong form,")
print(f"by {{pitfall.check(pitfall.right):.3g}} in the right one")
print(values)
"""


def main() -> None:
    lesson = screen.header("pitfalls")
    left, right = screen.columns()
    with left:
        name = controls.choice(
            "pitfall",
            "Mistake",
            list(PITFALLS),
            help="Met in published code or asked about in its issues, from tables to caches.",
        )
        st.markdown(lesson.sections[name])
    pitfall = PITFALLS[name]
    with right:
        show_pictures(pitfall)
        show_codes(pitfall)
    screen.notice(lesson)
    screen.tabs(lesson, numbers=lambda: frames(pitfall), code=CODE.format(name=name))


def show_pictures(pitfall: Pitfall) -> None:
    """Wrong, right and their difference on one scale, and what the check measures."""
    wrong, right = pitfall.pictures()
    panels = {"wrong": wrong, "right": right, "difference": wrong - right}
    chart(
        small_multiples(
            [(panel, values.numpy()) for panel, values in panels.items()],
            title=f"Wrong, right, and wrong − right: {pitfall.value}",
            x_title=pitfall.cols,
            y_title=pitfall.rows,
            signed=True,
            value_name=pitfall.value,
        ),
        key="wrong_and_right",
        alt=f"Three heatmaps of {pitfall.value}: the wrong form, the right form, the difference",
        height=330,
    )
    first = pitfall.first_difference()
    screen.readouts(
        {
            "largest difference": f"{panels['difference'].nan_to_num().abs().max().item():.4g}",
            "starts at": f"{pitfall.rows} = {first}",
            "check on the wrong form": f"{pitfall.check(pitfall.wrong):.4g}",
            "check on the right form": f"{pitfall.check(pitfall.right):.4g}",
        },
        help={
            "check on the wrong form": "How far it is from the invariant that is named beside the "
            f"picture. Here it may be {pitfall.tolerance:g} at most."
        },
    )


def show_codes(pitfall: Pitfall) -> None:
    """The two forms as they run here."""
    wrong, right = two_codes(pitfall)
    for column, title, code in zip(
        st.columns(2, gap="medium"), ("Wrong", "Right"), (wrong, right), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            st.code(code, language="python", wrap_lines=True)


def frames(pitfall: Pitfall) -> screen.Frames:
    wrong, right = pitfall.pictures()
    return {"wrong": table(pitfall, wrong), "right": table(pitfall, right)}


def table(pitfall: Pitfall, values: torch.Tensor) -> pd.DataFrame:
    return pd.DataFrame(values.numpy()).rename_axis(index=pitfall.rows, columns=pitfall.cols)


main()
