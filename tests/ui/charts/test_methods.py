"""Pictures of methods over the pairs."""

import math

import pytest
import torch

from plots.lines import Mark
from ui.charts.methods import NEAR, over_pairs, shade_beyond, with_factors

TRAINED, LONGEST = 4096, 100_000.0


@pytest.mark.parametrize("target", [5000, 8192, 30_000, 131_072, 10_000_000])
def test_labels_of_shade_and_target_keep_apart(target: int) -> None:
    waves = {"none": torch.logspace(1, math.log10(LONGEST), 16)}
    mark = Mark("y", target, "target", left=True)
    figure = over_pairs(waves, key="", alt="", title="", y_title="", settings=None, marks=[mark])
    figure = shade_beyond(figure.drawing(), TRAINED, target, waves)
    _, area, _ = figure.layout["shapes"]
    low, high = math.log(area["y0"]), math.log(area["y1"])
    at = {"top left": high, "bottom left": low}[area["label"]["textposition"]]
    assert abs(math.log(target) - at) >= (high - low) / 2 - 1e-9


@pytest.mark.parametrize("factors", [[1.5], [4.0], [8.0], [6.0, 6.2], [2.0, 1000.0], [4.0, 33.0]])
def test_factors_have_ticks_and_no_other_runs_into_them(factors: list[float]) -> None:
    curves = {"linear": torch.full((4,), factors[-1])}
    figure = over_pairs(curves, key="", alt="", title="", y_title="", settings=None).drawing()
    places = with_factors(figure, factors).layout["yaxis"]["tickvals"]
    assert set(factors) <= {*places}
    assert places[0] == 1
    others = [one for one in places if one not in factors]
    assert all(max(one / k, k / one) > NEAR for one in others for k in factors)
    assert len(places) <= 6 + len(factors)
