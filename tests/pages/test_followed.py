"""Wherever a point is followed on several charts, each shows the value that it draws."""

import re

import numpy as np
import pytest
import torch

from posenc import DynamicNTK, rope_inv_freq
from posenc.cache.picture import StaleKeys
from posenc.cache.stale_keys import stale_score_error
from posenc.precision.formula import cos_sin_error, max_angle_error
from tests.conftest import said_number
from tests.pages.drive import figures, open_screen, sentences


def followed_values(app) -> set[float]:
    """The values under the formulas, with all their digits."""
    found = (re.match(r"At .*: (\S+) .*in float64", one.value) for one in app.caption)
    return {said_number(one[1]) for one in found if one}


def marked(app) -> list[tuple[dict, float, float]]:
    """Every figure of curves or bars whose followed point is marked, with that point."""
    out = []
    for figure, _ in figures(app):
        *_, mark = figure["data"]
        if mark.get("marker", {}).get("symbol") == "square-open" and "z" not in figure["data"][0]:
            out.append((figure, mark["x"][0], mark["y"][0]))
    return out


def check_marks(app) -> None:
    """Every mark stands at the value that its chart draws there, and that is said below."""
    said = followed_values(app)
    for figure, x, y in marked(app):
        curves = [(list(trace["x"]), trace["y"]) for trace in figure["data"][:-1] if "x" in trace]
        drawn = [np.asarray(ys)[xs.index(x)] for xs, ys in curves if x in xs]
        assert not drawn or np.float32(y) in drawn, figure["key"]
        assert y in said, figure["key"]


def test_a_typed_point_is_followed_on_every_chart() -> None:
    app = open_screen("config", wavelengths_point="1, 7")
    assert [x for _, x, _ in marked(app)] == [7, 7, 7]
    said = [c.value for c in app.caption if c.value.startswith("At none, pair 7: ")]
    assert len(said) == 3


def test_a_curve_that_a_chart_does_not_draw_is_said() -> None:
    app = open_screen("config", view="angles", unseen_point="3, 40")
    assert [figure["key"] for figure, *_ in marked(app)] == ["turns"]
    words = "Not in this picture: seen in training, pair 40."
    assert [c.value for c in app.caption].count(words) == 2


def test_a_pair_at_rest_has_no_wavelength() -> None:
    methods = ["none", "proportional"]
    app = open_screen("config", methods=methods, wavelengths_point="1, 63")
    assert not app.exception
    assert [figure["key"] for figure, *_ in marked(app)] == ["frequencies"]


@pytest.mark.parametrize(
    ("view", "cell", "charts"),
    [
        ("decoding", "6, 2", {"attention", "stale"}),
        ("window", "9, 1", {"attention", "told", "moved"}),
        ("window", "9, 4", {"attention", "told", "moved"}),  # a key that is dropped
    ],
)
def test_one_cell_is_followed_on_every_heatmap_of_queries_and_keys(view, cell, charts) -> None:
    app = open_screen("kv_cache", view=view, attention_cell=cell, decoding_step="12")
    assert sentences(app) == []
    row, col = map(int, cell.split(","))
    place = f"At row {row}, column {col}"
    assert sum(one.value.startswith(place) for one in app.caption) == len(charts)
    drawn = {
        figure["key"]: np.asarray(figure["data"][0]["z"])[row, col] for figure, _ in figures(app)
    }
    said = {np.float32(value) for value in followed_values(app)}
    for key in charts:
        assert np.isnan(drawn[key]) or drawn[key] in said, key


@pytest.mark.parametrize(("encoding", "written"), [("xPos", "true"), ("RoPE", "false")])
def test_a_channel_of_a_cached_key_is_followed(written, encoding) -> None:
    app = open_screen("kv_cache", encoding=encoding, rotate_on_write=written, keys_cell="3, 5")
    keys = next(figure for figure, _ in figures(app) if figure["key"] == "keys")
    drawn = np.asarray(keys["data"][0]["z"])[3, 5]
    (said,) = (c.value for c in app.caption if c.value.startswith("At row 3, column 5: "))
    assert np.float32(said_number(said.split(": ")[1].split()[0])) == drawn


def test_a_key_of_a_long_text_is_followed_in_both_errors() -> None:
    query = {"view": "growing_base", "followed_key": "3000", "followed_pair": "20"}
    app = open_screen("kv_cache", **query)
    stale = StaleKeys(DynamicNTK(2.0, 4096), 128, 10000.0, 4096, 6144)
    at = torch.tensor([3000]), torch.arange(64)
    said = followed_values(app)
    assert stale.at(*at)[0, 20].item() in said
    assert stale_score_error(stale.at(*at))[0].item() in said
    app = open_screen("kv_cache", view="growing_base", angle_errors_cell="9000, 20")
    assert "row from 0 to 6,143" in sentences(app)[0]


def test_precision_is_followed_where_its_controls_say() -> None:
    query = {"dtype": "float16", "position": "4096", "stage": "angles"}
    app = open_screen("rope", view="Precision", length="4096", head_dim="4", **query)
    assert sentences(app) == []
    theta, at = rope_inv_freq(4, 1000.0)[0], torch.tensor([4096])
    expected = [
        max_angle_error(at, theta, torch.float16)[0].item(),
        cos_sin_error(at, theta, torch.float16, {"angles"})[0].max().item(),
    ]
    assert [(x, y) for _, x, y in marked(app)] == [(4096, y) for y in expected]
    assert followed_values(app) == set(expected)


def test_what_no_setting_has_to_do_is_said() -> None:
    app = open_screen("units", slowed_point="2, 3")
    words = "At needed for the target, pair 3 there is nothing to compute."
    assert any(one.value.startswith(words) for one in app.caption)
    assert any(r"\text{training}" in one.value for one in app.markdown)


@pytest.mark.parametrize(
    ("view", "key", "typed", "name"),
    [
        ("Layouts", "ways", "C, 9, 4", "not permuted, half"),
        ("Layouts", "layouts", "P, 1, 2", "permutation P"),
        ("Matrix", "planes", "1, 2, 3", "plane of pair 1"),
        ("Matrix", "planes", "R, 1, 0", "R"),
    ],
)
def test_a_panel_of_rope_is_followed(view, key, typed, name) -> None:
    app = open_screen("rope", view=view, head_dim="4", **{f"{key}_at": typed})
    assert sentences(app) == []
    tag, row, col = typed.split(", ")
    figure = next(figure for figure, _ in figures(app) if figure["key"] == key)
    panel = {"A": 0, "B": 1, "C": 2, "P": 2, "R": 2}.get(tag, 1)
    drawn = np.asarray(figure["data"][panel]["z"])[int(row), int(col)]
    place = f"At {name}, row {row}, column {col}: "
    (said,) = (one.value for one in app.caption if one.value.startswith(place))
    assert np.float32(said_number(said.removeprefix(place).split()[0])) == drawn
