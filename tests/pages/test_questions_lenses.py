"""Problems that people bring, each on the screen that answers it, with the answer's number.

The numbers are worked out here by hand or stand in the golden file; none comes from the screen.
"""

import math

import numpy as np
import pytest

from tests.pages.drive import drawn, figures, open_screen, sentences


def pictures(app):
    assert not app.exception
    assert sentences(app) == []
    return [header for header, _ in figures(app)]


def metrics(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def said(app) -> str:
    """The sentence above the pictures."""
    return next(block.value for block in app.markdown if block.value.count("**") >= 2)


def cell(picture, row: int, column: int) -> float:
    """The value drawn at a position, whatever block it lies in."""
    trace = picture["data"][0]
    if "y0" in trace:
        index = round((row - trace["y0"]) / trace["dy"])
    else:
        index = int(np.searchsorted(trace["y"], row, side="right")) - 1
    return float(np.asarray(trace["z"])[index, column])


# Old keys in the cache were rotated under the old base of dynamic NTK

DYNAMIC = {"view": "Growing base", "prompt": "4096", "decoded": "2048"}


def test_cached_keys_under_dynamic_ntk():
    """Llama-2, factor 2, at 6144 of 4096: 2 · 1.5 - 1 = 2, so the base is 10000 · 2^(128/126)."""
    app = open_screen("kv_cache", **DYNAMIC)
    angles, scores, timeline = pictures(app)
    base = 10000 * 2 ** (128 / 126)
    assert f"the base is {base:,.0f}" in said(app)
    assert "under 10,000" in said(app)
    for key, pair in ((12, 5), (2004, 30), (4068, 60)):
        expected = key * (10000 ** (-pair / 64) - base ** (-pair / 64))
        near = key + np.arange(-24, 25)
        reach = near[[0, -1]] * expected / key
        assert reach[0] <= cell(angles, key, pair) <= reach[1]
    errors = np.asarray(scores["data"][0]["y"])
    assert errors[0] == errors[-1] == 0, "the first key and the newest are right"
    assert f"**{100 * errors.mean():.0f} %** of a score's own size" in said(app)
    mean = np.asarray(timeline["data"][0]["y"])
    assert mean[0] == 0
    assert 1.1 < mean[16] < math.sqrt(2)


@pytest.mark.parametrize(
    ("cache", "turned", "run"),
    [
        ("on write", "2,048", "2,048"),
        ("on read", "10,486,784", "2,048"),
        ("recomputed", "10,486,784", "10,486,784"),
    ],
)
def test_what_repairs_the_cache_and_what_it_takes(cache, turned, run):
    """4097 + … + 6144 = 10 486 784."""
    app = open_screen("kv_cache", cache=cache, **DYNAMIC)
    angles = drawn(pictures(app)[0])
    assert (np.abs(angles).max() > 100) == (cache == "on write")
    assert ("No cached key is wrong" in said(app)) == (cache != "on write")
    row = app.dataframe[0].value.loc[cache]
    assert row.iloc[1:].tolist() == [turned, run]


def test_up_to_the_trained_length_no_key_is_wrong():
    app = open_screen("kv_cache", view="Growing base", prompt="2048", decoded="2048")
    assert drawn(pictures(app)[0]).max() == 0


# LongRoPE switches its list at the trained length, and the cache with it


def test_longrope_switches_at_token_4097():
    """Golden lists of Phi-3-mini-128k; pair 32 is divided by 62.917 in place of 2.1."""
    app = open_screen("kv_cache", view="LongRoPE", prompt="4000", decoded="97")
    lists, angles, *_ = pictures(app)
    short, long, ratio = drawn(lists)
    assert 1 / short[:3] == pytest.approx([0.909091, 0.909091, 0.909091], abs=1e-6)
    assert short[[0, -1]] == pytest.approx([1.1, 3.05])
    assert long[[0, -1]] == pytest.approx([1.07, 64.76], rel=1e-6)
    assert ratio[32] == pytest.approx(62.917393 / 2.1, rel=1e-6)
    assert metrics(app)["switches at token"] == "4,097"
    assert "takes the **long list**" in said(app)
    lost = 2000 * 10000 ** (-32 / 48) * (1 / 2.1 - 1 / 62.917393)
    assert cell(angles, 2000, 32) == pytest.approx(lost, rel=0.01)
    before = open_screen("kv_cache", view="LongRoPE", prompt="4000", decoded="96")
    assert "takes the **short list**" in said(before)
    assert drawn(pictures(before)[1]).max() == 0


def test_typed_lists_that_do_not_fit_get_a_sentence():
    app = open_screen("kv_cache", view="LongRoPE", lists="typed", long_factor="1, 2")
    assert sentences(app) == ["long_factor must hold 4 numbers like short_factor, got 2."]
