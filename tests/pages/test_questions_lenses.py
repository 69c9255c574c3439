"""Problems that people bring, each on the screen that answers it, with the answer's number.

The numbers are worked out here by hand or stand in the golden file; none comes from the screen.
"""

import contextlib
import io

import numpy as np
import pytest
import torch

from tests.pages.drive import drawn, figures, metrics, open_screen, sentences


def pictures(app):
    assert not app.exception
    assert sentences(app) == []
    return [header for header, _ in figures(app)]


def said(app) -> str:
    """The sentence above the pictures."""
    return next(block.value for block in app.markdown if block.value.count("**") >= 2)


# Old keys in the cache were rotated under the old base of dynamic NTK


def test_cached_keys_under_dynamic_ntk():
    """Llama-2, factor 2, at 6144 of 4096: 2 · 1.5 - 1 = 2, so the base is 10000 · 2^(128/126)."""
    app = open_screen("kv_cache", view="growing_base", prompt="4096", decoded="2048")
    _angles, scores, _timeline = pictures(app)
    base = 10000 * 2 ** (128 / 126)
    assert f"the base is {base:,.0f}" in said(app)
    assert "for the prompt alone it was 10,000" in said(app)
    errors = np.asarray(scores["data"][0]["y"])
    assert f"**{100 * errors.mean():.0f}%** of a score's usual size" in said(app)
    work = app.dataframe[0].value.iloc[:, 1:]
    assert work.loc["on read"].tolist() == ["10,486,784", "2,048"]  # 4097 + … + 6144
    assert work.loc["recomputed"].tolist() == ["10,486,784", "10,486,784"]


# LongRoPE switches its list at the trained length, and the cache with it


def test_longrope_switches_at_token_4097():
    """Golden lists of Phi-3-mini-128k; pair 32 is divided by 62.917 in place of 2.1."""
    app = open_screen("kv_cache", view="longrope", prompt="4000", decoded="97")
    assert metrics(app)["switches at token"] == "4,097"
    assert "takes the **long list**" in said(app)
    before = open_screen("kv_cache", view="longrope", prompt="4000", decoded="96")
    assert "takes the **short list**" in said(before)
    assert drawn(pictures(before)[1]).max() == 0


def test_typed_lists_that_do_not_fit_get_a_sentence():
    app = open_screen("kv_cache", view="longrope", lists="typed", long_factor="1, 2")
    assert sentences(app) == ["long_factor must hold 4 numbers like short_factor; got 2."]


# Positions collide in bfloat16 and float16


@pytest.mark.parametrize(
    ("dtype", "stored", "first", "last"),
    [("bfloat16", "15,936", 15_905, 15_967), ("float16", "15,960", 15_957, 15_963)],
)
def test_positions_that_fall_together(dtype, stored, first, last):
    model = {"head_dim": "4", "base": "10000"}
    app = open_screen("rope", view="Precision", dtype=dtype, position="15962", **model)
    assert f"**15,962** as **{stored}**" in said(app)
    assert f"from {first:,} to {last:,}" in said(app)
    alike = torch.arange(first - 1, last + 2).to(getattr(torch, dtype)).double()
    assert (alike == float(stored.replace(",", ""))).sum() == last - first + 1
    table = app.dataframe[0].value
    assert table["first position like the one before"].tolist() == ["257", "2,049", "16,777,217"]
    assert table["15,962 becomes"].tolist() == ["15,936", "15,960", "15,962"]


# The layout of a checkpoint


def test_the_conversion_on_the_screen_runs():
    app = open_screen("rope", view="Layouts", head_dim="8", rotary_dim="4", query="1", key="1")
    code = next(block.value for block in app.code if "def interleaved_to_half" in block.value)
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "conversion", "exec"), names)
    rows = torch.arange(16.0)[:, None]  # two heads of 8, 4 of them rotated
    moved = names["interleaved_to_half"](rows, 2, rotary_dim=4)[:, 0].tolist()
    assert moved == [0, 2, 1, 3, 4, 5, 6, 7, 8, 10, 9, 11, 12, 13, 14, 15]
    assert names["q_proj"].shape == (64, 16)
    assert names["k_proj"].shape == (16, 16)


# Left padding and position ids


def shown_differences(app) -> dict[str, np.ndarray]:
    titles = ("RoPE", "ALiBi", "T5 bias", "Learned", "Sinusoidal", "FIRE")
    panels = [panel for panel in pictures(app)[0]["data"] if "z" in panel]
    assert tuple(panel["name"] for panel in panels) == titles
    return {panel["name"]: np.nan_to_num(np.asarray(panel["z"])) for panel in panels}


def test_a_common_shift_of_ids_changes_learned_tables_alone():
    shifted = open_screen("relative", view="padding", ids="3, 4, 5, 6, 7", padding="3")
    found = {name: np.abs(d).max() for name, d in shown_differences(shifted).items()}
    assert max(found["RoPE"], found["ALiBi"], found["T5 bias"]) < 1e-12
    assert min(found["Learned"], found["Sinusoidal"]) > 0.1
    assert "every id shifted by 3" in said(shifted)
    counted = open_screen("relative", view="padding", ids="0, 1, 2, 3, 4", padding="3")
    assert max(np.abs(d).max() for d in shown_differences(counted).values()) < 1e-12
    assert "counted from the mask" in said(counted)


def test_a_gap_changes_scores_across_it_and_none_within():
    """ALiBi's first head of 4 has slope 1/4: 46 more positions cost 11.75 - 0.25."""
    app = open_screen("relative", view="padding", ids="0, 1, 2, 49, 50", padding="0")
    found = shown_differences(app)
    for name in ("RoPE", "ALiBi", "T5 bias"):
        assert np.abs(found[name][:3, :3]).max() < 1e-12
        assert np.abs(found[name][3:, 3:]).max() < 1e-12
    np.testing.assert_allclose(found["ALiBi"][3:, :3], -46 / 4, rtol=1e-6)
    assert np.abs(found["RoPE"][3:, :3]).max() > 0.1
    assert "2 → 49" in said(app)


def test_an_id_past_a_learned_table_is_refused_there_alone():
    app = open_screen("relative", view="padding", ids="600, 601, 602")
    (sentence,) = sentences(app)
    assert "positions must lie between 0 and 511" in sentence
    assert metrics(app)["Learned"] == "refused"
    assert float(metrics(app)["RoPE"]) < 1e-9
    wrong = open_screen("relative", view="padding", ids="1.5, 2")
    assert sentences(wrong) == ["ids must be integers from 0 to 16777216, got 1.5."]
