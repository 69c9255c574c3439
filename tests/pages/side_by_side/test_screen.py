"""Encodings compared: equal ones differ by nothing, different ones by what posenc says."""

import numpy as np
import pytest
import torch

from lab.training.checkpoints import DATA, load_checkpoint
from pages.side_by_side.comparison import (
    LAWS,
    TRAINED,
    ComparisonSettings,
    compare,
    contender,
    titles,
)
from pages.side_by_side.settings import SAME_WORD
from posenc import RoPE
from posenc.catalogue import CATALOGUE, ModelShape
from tests.pages.drive import figures, open_screen, sentences
from tests.pages.test_screens import check_panels, check_snippet
from ui.text.tokens import byte_tokens, word_tokens

CODE = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\n" * 3
SHAPE = ModelShape(d_model=16, num_heads=2, head_dim=8, length=9)


def readouts(app):
    return {metric.label: float(metric.value) for metric in app.metric}


@pytest.mark.parametrize(
    ("model", "stage"), [("random", "logits"), ("trained", "position"), ("trained", "surplus")]
)
def test_any_cell_of_any_panel_is_followed_to_the_number_drawn(model, stage):
    cells = np.random.default_rng(len(model) + len(stage)).integers(0, 16, (3, 2))
    for tag, (one, other) in zip(("B", "D", "C-A"), cells.tolist(), strict=True):
        row, col = max(one, other), min(one, other)
        four = {"a": "rope", "b": "alibi", "c": "rope_yarn", "d": "learned"}
        asked = {
            "view": "matrices",
            "text": CODE,
            "tokens": "bytes",
            "model": model,
            "stage": stage,
        }
        app = open_screen("side_by_side", panels_at=f"{tag}, {row}, {col}", **four, **asked)
        assert not app.exception
        check_panels(app, "panels")


@pytest.mark.parametrize("name", titles())
def test_the_code_of_a_contender_builds_it(name):
    one = contender(name, factor=2.0, trained=8)
    names: dict = {}
    exec("from posenc import RoPE", names)
    exec("from posenc.scaling import NTK, Linear, Llama3, NTKByParts, YaRN", names)
    names["CATALOGUE"] = CATALOGUE
    built = eval(one.code, names | {"shape": SHAPE})
    assert type(built) is type(one.build(SHAPE))
    mine, theirs = one.build(SHAPE), built
    if one.entry == "rope":
        assert torch.equal(mine.inv_freq, theirs.inv_freq)
        assert mine.attention_factor == theirs.attention_factor


@pytest.mark.parametrize("view", ["curves", "cost"])
def test_other_views_print_their_numbers(view):
    app = open_screen("side_by_side", view=view, tab="code", a="cope", b="rope_yarn", d="learned")
    assert not app.exception
    check_snippet(app)


@pytest.mark.parametrize("point", ["B, 5", "b,5", "1, 5"])  # the last in addresses of earlier times
def test_a_curve_is_called_by_the_letter_of_its_control(point):
    app = open_screen("side_by_side", view="curves", score_point=point)
    assert any(one.value.startswith("B ALiBi, distance 5: **") for one in app.markdown)
    assert app.text_input(key="entropy_point").value.startswith("A, ")
    assert not sentences(app)


def test_cost_is_measured_for_each():
    app = open_screen("side_by_side", view="cost", a="t5", b="cope", c="none")
    parameters, time, memory = (figure["data"][0]["y"] for figure, _ in figures(app))
    assert parameters.tolist() == [32 * 4, 16 * 9]  # buckets x heads; head_dim x (length + 1)
    assert time.min() > 0
    assert memory.min() > 0
    first = figures(app)[0][0]
    assert first["data"][0]["text"] == ["128<br> ", "144<br> "]
    titles = [figure["layout"]["title"]["text"] for figure, _ in figures(app)]
    assert titles == [
        "Parameters for 4 heads, counted",
        "Time (ms), measured",
        "Memory (KiB), measured",
    ]


def test_where_nothing_is_learned_a_sentence_says_so():
    app = open_screen("side_by_side", view="cost", a="rope", b="alibi")
    assert "None of these learns anything: 0 parameters each." in [
        one.value for one in app.markdown
    ]
    titles = [figure["layout"]["title"]["text"] for figure, _ in figures(app)]
    assert titles == ["Time (ms), measured", "Memory (KiB), measured"]


def told(app):
    """The sentences above the picture."""
    return next(one.value for one in app.markdown if "random" in one.value or "One" in one.value)


def test_it_opens_with_the_wave_of_rope_and_the_line_of_alibi():
    app = open_screen("side_by_side")
    assert not app.exception
    rope, alibi = (np.array(trace["y"]) for trace in figures(app)[0][0]["data"][:2])
    assert len(rope) == 8  # so few that a phone names each word in the matrices
    turns = np.diff(np.sign(np.diff(rope)))
    assert sorted(turns[turns != 0]) == [-2, 2]  # up, down and up again
    np.testing.assert_allclose(np.diff(alibi), -0.25, rtol=1e-5)
    assert told(app) == (
        "One word, repeated: only position makes a difference. "
        "RoPE's score is a sum of waves. ALiBi's score falls in a straight line."
    )


def test_what_is_random_is_said_above_the_picture():
    for view in ("curves", "matrices"):
        app = open_screen("side_by_side", view=view, b="t5", c="fire")
        assert told(app).endswith("What training would set is random here: T5 bias, FIRE.")
        app = open_screen("side_by_side", view=view, text="one other")
        assert told(app).startswith("The words' queries and keys are random here.")


@pytest.mark.parametrize("name", LAWS)
def test_a_repeated_word_has_the_score_that_is_said(name):
    settings = ComparisonSettings(
        word_tokens(SAME_WORD), "", 4, 16, 0, torch.device("cpu"), causal=True
    )
    [one] = compare(settings, [contender(name, 4.0, 16)], "logits", 0)
    steps = one.scores.diff()
    if name == "nope":
        assert steps.abs().max() < 1e-5
    elif name == "alibi":
        torch.testing.assert_close(steps, torch.full_like(steps, -0.25), atol=1e-5, rtol=0)
    elif name == "t5":  # buckets of one distance each, then 8 wider ones
        assert (steps[:8].abs() > 1e-5).all()
        assert (steps[8:].abs() > 1e-5).sum() <= 7
    else:  # that of the pairs of channels: each a wave, at the rotation of the pair
        freqs = RoPE(16).inv_freq.double()
        angles = torch.outer(torch.arange(64.0, dtype=torch.float64), freqs)
        waves = torch.cat([angles.cos(), angles.sin()], dim=1)
        found = torch.linalg.lstsq(waves, one.scores[:, None]).solution
        torch.testing.assert_close((waves @ found)[:, 0], one.scores, atol=1e-4, rtol=0)


def test_the_matrices_are_large_and_untrained():
    app = open_screen("side_by_side", view="matrices")
    (first, _), (difference, _) = figures(app)
    assert [trace["z"].shape for trace in first["data"][:2]] == [(8, 8)] * 2
    assert len(difference["data"]) == 1 or difference["data"][1].get("type") != "heatmap"
    for figure in (first, difference):
        assert "nothing trained" in figure["layout"]["title"]["text"].replace("<br>", " ")
    assert [metric.label for metric in app.metric] == ["largest |B − A|"]


def trained(**query):
    return open_screen("side_by_side", model="trained", text=PROGRAM, **query)


def test_trained_models_read_the_same_bytes():
    app = trained(
        a="rope",
        b="rope_linear",
        c="rope",
        layer="1",
        head="2",
        stage="weights",
        view="matrices",
        factor="3",
        tab="code",
    )
    assert not app.exception
    check_snippet(app)
    assert readouts(app)["largest |C − A|"] == 0.0
    assert readouts(app)["largest |B − A|"] > 0.01


def test_trained_curves_print_numbers_past_their_length():
    app = trained(view="curves", a="rope", b="rope_yarn", c="rope_ntk", d="none", tab="code")
    assert not app.exception
    assert [*app.warning, *app.error] == []
    assert len(figures(app)[0][0]["data"][0]["y"]) == len(PROGRAM) > 128
    check_snippet(app)


def test_no_trained_model_or_too_many_bytes_is_a_sentence():
    app = trained(a="rope", b="shaw")
    assert not app.exception
    assert "No trained model with Shaw ships." in app.error[0].value
    app = open_screen("side_by_side", model="trained", text="x" * 1025, a="rope", b="rope")
    assert "at most 1,024" in app.error[0].value


def test_the_trained_models_have_the_sizes_that_are_said():
    spec = load_checkpoint(DATA / "text-rope-s0.safetensors").spec
    for name in ("layers", "heads", "head_dim", "train_length"):
        assert getattr(spec, name) == getattr(TRAINED, name)


def test_what_the_lesson_says_past_the_trained_length():
    """55% and 0.3%."""
    text = byte_tokens(CODE * 5)
    settings = ComparisonSettings(text, "", 4, 32, 0, torch.device("cpu"), causal=True, layer=1)
    both = [contender(name, 4.0, 128) for name in ("rope", "rope_yarn")]
    plain, yarn = compare(settings, both, "weights", 0)
    assert settings.length == 405
    assert (f"{plain.far:.0%}", f"{yarn.far:.1%}") == ("55%", "0.3%")
