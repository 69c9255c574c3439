"""Pitfalls: a cell of any panel is followed in both forms, down to the value of that panel."""

import pytest

from tests.pages.drive import open_screen


@pytest.mark.parametrize(("panel", "last"), [("w", "-31"), ("r", "-15.5"), ("w-r", "-15.5")])
def test_both_forms_stand_below_each_other(panel: str, last: str) -> None:
    app = open_screen("pitfalls", wrong_and_right_at=f"{panel}, 0, 31")
    steps = next(one.value for one in app.markdown if one.value.startswith("1. "))
    assert r"-2^{-8h/n} \cdot {(i - j)} = -2^{-8 \cdot 0/8} \cdot 31 = -31" in steps
    assert (
        r"-2^{-8{(h + 1)}/n} \cdot {(i - j)} = -2^{-8 \cdot {(0 + 1)}/8} \cdot 31 = -15.5" in steps
    )
    assert steps.endswith(f"= {last}$")
