"""Pitfalls: mistakes that are easily made, each wrong beside right."""

import pandas as pd
import streamlit as st
import torch

from exhibits.pitfalls.all import PITFALLS
from exhibits.pitfalls.case import Pitfall
from pages.pitfalls import prices
from pages.pitfalls.pictures import panels, two_codes
from posenc.words import say
from ui import controls, screen
from ui.words import _, number, translate

CODE = """\
pitfall = PITFALLS["{name}"]
wrong, right = pitfall.pictures()
values = wrong
print(f"{{pitfall.check.__name__}}: off by {{pitfall.check(pitfall.wrong):.3g}} in the wrong form,")
print(f"by {{pitfall.check(pitfall.right):.3g}} in the right one")
"""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    left, right = screen.columns()
    with left, st.container(key="first"):
        name = controls.choice(
            "pitfall",
            _("Mistake"),
            {name: pitfall.title for name, pitfall in PITFALLS.items()},
            help=_(
                "Most of these mistakes were met in public code or in its issues; each says where."
            ),
        )
        with st.container(key="symptom"):
            st.markdown(lesson.sections[name])
    pitfall = PITFALLS[name]
    with right:
        show_pictures(pitfall)
        prices.show_price(name)
        show_codes(pitfall)
        prices.show_all()
        controls.say_misspelt(["pitfall"])
    return screen.ScreenView(lambda: frames(pitfall), CODE.format(name=name))


def show_pictures(pitfall: Pitfall) -> None:
    """Wrong, right and their difference on one scale, and what the check measures."""
    panels(pitfall).draw()
    wrong, right = pitfall.pictures()
    of_wrong, of_right = _("check on the wrong form"), _("check on the right form")
    screen.readouts(
        {
            _("largest difference"): number((wrong - right).nan_to_num().abs().max().item(), ".4g"),
            _("starts at"): _(
                "{rows} = {first}", rows=pitfall.rows, first=pitfall.first_difference()
            ),
            of_wrong: number(pitfall.check(pitfall.wrong), ".4g"),
            of_right: number(pitfall.check(pitfall.right), ".4g"),
        },
        help={
            of_wrong: _(
                "How far the form is from the invariant that is named beside the picture. A right "
                "form may be off by {tolerance:g} at most.",
                tolerance=pitfall.tolerance,
            )
        },
    )


def show_codes(pitfall: Pitfall) -> None:
    """The two forms as they run here."""
    wrong, right = two_codes(pitfall)
    for column, title, code in zip(
        st.columns(2, gap="medium"), (_("**Wrong**"), _("**Right**")), (wrong, right), strict=True
    ):
        with column:
            st.markdown(title)
            st.code(code, language="python", wrap_lines=True)


def frames(pitfall: Pitfall) -> screen.Frames:
    wrong, right = pitfall.pictures()
    both: dict[str, pd.DataFrame] = {
        say("wrong"): table(pitfall, wrong),
        say("right"): table(pitfall, right),
    }
    return {**both, **prices.numbers()}


def table(pitfall: Pitfall, values: torch.Tensor) -> pd.DataFrame:
    rows, columns = translate(pitfall.rows), translate(pitfall.cols)
    return pd.DataFrame(values.numpy()).rename_axis(index=rows, columns=columns)


screen.show("pitfalls", draw)
