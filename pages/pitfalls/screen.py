"""Pitfalls: the mistakes that real code makes, each wrong beside right."""

import pandas as pd
import streamlit as st
import torch

from exhibits.pitfalls.all import PITFALLS
from exhibits.pitfalls.case import Pitfall
from pages.pitfalls.pictures import panels, two_codes
from posenc.quantity.view import MAX_CELLS
from ui import controls, screen
from ui.charts.panels import follow_panels

CODE = """\
pitfall = PITFALLS["{name}"]
wrong, right = pitfall.pictures()
values = wrong
print(f"{{pitfall.check.__name__}}: off by {{pitfall.check(pitfall.wrong):.3g}} in the wrong form,")
print(f"by {{pitfall.check(pitfall.right):.3g}} in the right one")
"""


def main() -> None:
    lesson = screen.header("pitfalls")
    left, right = screen.columns()
    with left:
        titles: dict[str, str] = {pitfall.title: name for name, pitfall in PITFALLS.items()}
        title = controls.choice(
            "pitfall",
            "Mistake",
            list(titles),
            help="Met in published code or asked about in its issues, from tables to caches.",
        )
        name = titles[title]
        st.markdown(lesson.sections[name])
    pitfall = PITFALLS[name]
    with right:
        show_pictures(pitfall)
        show_codes(pitfall)
    screen.notice(lesson)
    screen.tabs(lesson, screen.ScreenView(lambda: frames(pitfall), CODE.format(name=name)))


def show_pictures(pitfall: Pitfall) -> None:
    """Wrong, right and their difference on one scale, and what the check measures."""
    follow_panels(
        [panels(pitfall)],
        key="wrong_and_right",
        default=pitfall.largest_difference(),
        tag="difference",
        cells=(MAX_CELLS, MAX_CELLS),
    )
    wrong, right = pitfall.pictures()
    screen.readouts(
        {
            "largest difference": f"{(wrong - right).nan_to_num().abs().max().item():.4g}",
            "starts at": f"{pitfall.rows} = {pitfall.first_difference()}",
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
