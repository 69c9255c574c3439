"""A stretched text: what the browser is sent is posenc's and what was measured, nothing else."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
import torch

from posenc import rope_inv_freq
from posenc.scaling import NTK, Linear, YaRN
from posenc.study import angle_coverage
from tests.conftest import ROOT
from tests.pages.drive import moving, open_screen

SMOLLM2 = {"head_dim": "64", "base": "100000", "train_length": "8192"}


def sent(app) -> dict:
    """Data that the browser is sent."""
    return moving(app, "stretch")


def scaling(method: str, factor: float, trained: int):
    made = {"linear": Linear(factor), "ntk": NTK(factor), "yarn": YaRN(factor, trained)}
    return made.get(method)


@pytest.mark.parametrize("settings", [{}, SMOLLM2 | {"factor": "3.5", "times": "2.5"}])
def test_frequencies_and_new_angles_are_posencs(settings) -> None:
    data = sent(open_screen("scaling", view="stretch", **settings))
    head_dim, base = int(settings.get("head_dim", 128)), float(settings.get("base", 10000))
    trained = int(settings.get("train_length", 4096))
    plain = rope_inv_freq(head_dim, base)[0]
    assert data["theta"] == plain.tolist()
    assert {way["factor"] for way in data["ways"]} == {2, 4, 8, float(settings.get("factor", 4))}
    assert len(data["ways"]) == 4 * len({way["factor"] for way in data["ways"]})
    limit = np.array(data["limit"])
    for way in data["ways"]:
        inv_freq, _ = rope_inv_freq(head_dim, base, scaling(way["method"], way["factor"], trained))
        assert way["theta"] == inv_freq.tolist()
        for times in (1, 2.5, 4, 8):  # as the browser decides what is red
            length = round(times * trained)
            is_new = angle_coverage(plain, trained, length, inv_freq).is_new
            assert ((length - 1) * np.array(way["theta"]) > limit).tolist() == is_new.tolist()


def test_the_losses_are_those_of_the_shipped_table() -> None:
    measured = sent(open_screen("scaling", view="stretch"))["measured"]
    table = pd.read_csv(ROOT / "data" / "models" / "losses.csv")
    drawn = ["none", "slide", "linear", "ntk", "yarn"]
    table = table[(table.length == 16384) & table.method.isin(drawn)]
    rows = table.groupby("text").text.transform("size")
    table = table[rows == rows.max()]  # texts that were read in every way
    curves = {
        key: rows.pivot(index="text", columns="first", values="bits")
        for key, rows in table.groupby(["method", "factor"])
    }
    window = curves["slide", 1.0]
    assert measured["texts"] == f"{len(window)} texts"
    assert {(way["method"], way["factor"]) for way in measured["ways"]} == set(curves)
    assert ("linear", 8.0) not in curves, "and so the picture must say that it was not measured"
    for way in measured["ways"]:
        bits = curves[way["method"], way["factor"]]
        np.testing.assert_allclose(way["mean"], bits.mean().to_numpy())
        less = bits - window
        beside = bits.mean() - less.mean()
        np.testing.assert_allclose(way["low"], (beside + less.min()).to_numpy())
        np.testing.assert_allclose(way["high"], (beside + less.max()).to_numpy())
        behind = table[table["first"] >= 8192].groupby("first").tokens.first()
        weights = behind / behind.sum()
        assert way["behind"] == pytest.approx((bits[behind.index] @ weights).mean())
        gains = less[behind.index] @ weights
        assert way["gain"] == pytest.approx(gains.mean(), abs=1e-12)
        assert way["gainLow"] == pytest.approx(gains.min(), abs=1e-12)
        assert way["gainHigh"] == pytest.approx(gains.max(), abs=1e-12)


def test_the_snippet_prints_the_angles_of_every_pair() -> None:
    app = open_screen("scaling", view="stretch", method="yarn", times="2", tab="code", **SMOLLM2)
    snippet = [block.value for block in app.code if block.language == "python"][-1]
    names: dict = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(snippet, "snippet", "exec"), names)
    plain = rope_inv_freq(64, 1e5)[0]
    scaled = rope_inv_freq(64, 1e5, YaRN(4.0, 8192))[0]
    expected = torch.stack([8191 * plain, 16383 * scaled])
    torch.testing.assert_close(names["values"], expected, rtol=1e-12, atol=0)
    assert "0 pairs meet new angles" in printed.getvalue()


def test_one_pair_and_a_short_training_are_no_errors() -> None:
    extreme = {"head_dim": "2", "train_length": "4", "times": "64", "tab": "numbers"}
    app = open_screen("scaling", view="stretch", **extreme)
    assert not app.exception
    data = sent(app)
    assert [one["id"] for one in data["methods"]] == ["none", "linear", "yarn"]
    assert data["ends"] == 64
    assert data["clocks"] == [0]
