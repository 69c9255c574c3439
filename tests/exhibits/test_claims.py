"""What lessons say in words or typed numbers, tried on the data and the library."""

import pandas as pd
import pytest

from exhibits.answers import answer
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.yarn import YaRN
from tests.conftest import ROOT


def recall(method: str, near: bool) -> pd.Series:
    """Shares found by the lab's RoPE models of base 128 at four times their length, by seed."""
    rows = pd.read_csv(ROOT / "data/lab/recall.csv")
    rows = rows[rows.run.str.startswith("recall-rope-base128") & (rows.length == 512)]
    rows = rows[(rows.tuned == 0) & (rows.method == method) & ((rows.distance <= 128) == near)]
    counts = rows.groupby("run")[["right", "asked"]].sum()
    return counts.right / counts.asked


def test_lab_a_long_text_spoils_about_half_of_the_near_keys() -> None:
    assert recall("none", near=True).between(0.45, 0.55).all()
    assert recall("slide", near=True).min() > 0.98
    assert recall("yarn", near=False).between(0.75, 0.85).all()


def test_lab_nothing_far_is_found_through_a_window_in_each_layer() -> None:
    assert recall("window", near=False).max() < 2 / 32  # a guess is one in 32


def test_lab_yarn_keeps_one_pair_of_sixteen() -> None:
    theta = rope_inv_freq(32, 128.0)[0]
    scaled, factor = YaRN(4, 128).apply(theta, 128.0)
    assert [pair for pair in range(16) if scaled[pair] == theta[pair]] == [0]
    assert factor > 1


def test_how_far_scores_move_does_not_say_what_a_model_loses() -> None:
    moved, lost = (
        [answer(f"{measure}_{name}") for name in ("linear", "ntk", "yarn")]
        for measure in ("short", "real_short")
    )
    assert moved[0] > moved[1] > moved[2]
    assert lost[0] > lost[2] > lost[1]
    assert answer("short_yarn_turned") < answer("short_yarn") / 2


def test_stale_keys_of_pair_1_are_off_by_less_than_those_of_the_worst() -> None:
    assert answer("stale_first") == pytest.approx(1.7, abs=0.05)
    assert answer("stale_pair") == 7
