"""Follow a number: the formula of one cell with its numbers, down to the value in the picture."""

import re
from collections.abc import Sequence

import streamlit as st

from posenc import Step

ROUNDED = "Numbers in the formula are rounded."


def follow(steps: Sequence[Step], *, key: str, place: str, unit: str = "", drawn: str = "") -> None:
    """Show the steps to one number, a line for each.

    The lines are inline formulas, which break at their signs where the screen is narrow.

    Args:
        steps: The calculation; the last value is the one that the picture draws.
        key: Name of the picture.
        place: Where the number stands, in words: "row 40, column 10".
        unit: Unit of the last value.
        drawn: What the picture shows there instead, as a sentence; empty where it is the value.
    """
    with st.container(key=f"follow_{key}", gap="xxsmall"):
        lines = [f"${step.latex}$" for step in steps]
        numbered = [f"{n}. {line}" for n, line in enumerate(lines, 1)]
        st.markdown("\n".join(numbered) if len(lines) > 1 else lines[0])
        value = steps[-1].value
        rounded = ROUNDED if value == value else ""
        st.caption(" ".join(filter(None, (exact_words(steps[-1], place, unit), rounded, drawn))))


def place_field(field: str, default: str, label: str, *, help: str, width: int = 220) -> str:
    """The field that says which number is followed; clicks write into it, and the URL holds it.

    Args:
        field: Its key, and the name of the URL parameter.
        default: What it holds before anybody touches it.
        label: Its label.
        help: What it is, in a sentence or two.
        width: Pixels.
    """
    state = st.session_state
    # A field that nobody has touched follows the default when the picture becomes another one.
    if field in state and state[field] == state.get(f"_{field}_default") != default:
        state[field] = default
    state[f"_{field}_default"] = default
    return st.text_input(
        label, value=default, key=field, help=help, bind="query-params", width=width
    )


def exact_words(last: Step, place: str, unit: str = "") -> str:
    """The value with all of its digits."""
    if last.value != last.value:
        return f"At {place} there is nothing to compute."
    value = int(last.value) if abs(last.value) < 1e15 and last.value % 1 == 0 else last.value
    digits = f"{value:,}" if abs(value) >= 1e4 else repr(value)  # 4096, but 16,384
    return " ".join(filter(None, (f"At {place}:", minus(digits), unit, "in float64.")))


def minus(text: str) -> str:
    """The text with minus signs before its numbers, as formulas and axes have them."""
    return re.sub(r"(?<![\w.)])-(?=[\d.]|inf)", "−", text)
