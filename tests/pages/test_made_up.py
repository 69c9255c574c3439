"""A made-up method and a made-up encoding: one line in their list, and they are everywhere."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor
from typer.testing import CliRunner

from advisor import known_models
from advisor.__main__ import app as command_line
from lab.measuring.recall import recall_at
from lab.model.encodings import build_encoding
from lab.model.methods import reader, scaling, tried
from lab.queue.work.orders import check_finetuning
from lab.spec import RunSpec, recall_spec
from lab.training.checkpoints import DATA, load_checkpoint
from pages.measured.contenders import contenders
from plots.looks import UNKNOWN
from posenc import PositionalEncoding, attend
from posenc.attention.steps.biases import bias_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.catalogue import CATALOGUE, Entry
from posenc.places import relative_position
from posenc.quantity.lines import distance_step
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step, factor, number
from posenc.random_model import RandomProjections
from posenc.scaling.methods import METHODS, Method
from posenc.words import say
from tests.pages.drive import figures, ids, open_screen, sentences
from tests.posenc.latex import check_lines

NAME, TITLE = "made_up", "Made-up thing"


@dataclass(frozen=True)
class Halving:
    """Every frequency divided by twice the factor."""

    factor: float
    needs_length: ClassVar[bool] = False

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        return inv_freq / (2 * self.factor), 1.0


@pytest.fixture
def method(monkeypatch: pytest.MonkeyPatch) -> Method:
    made = Method(NAME, say("Made-up thing"), Halving, lambda case: Halving(case.factor))
    monkeypatch.setitem(METHODS, NAME, made)
    return made


SLOPE = 0.1


@dataclass(frozen=True)
class FadingBias(QueryByKey):
    """The bias of `Fading`, drawn and followed."""

    length: int
    name = say("fading")
    signed = True

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        return -SLOPE * relative_position(rows, cols).abs().double()

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        distance = distance_step(row, col, symmetric=True)
        numbers = rf"-{number(SLOPE)} \cdot {factor(distance.value)}"
        return distance, Step("b", r"-0.1\,\delta", numbers, value_at(self, row, col))


class Fading(PositionalEncoding):
    """A bias that falls by a tenth with every token of distance."""

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        return -SLOPE * relative_position(q_positions, k_positions).abs().to(scores)


@pytest.fixture
def encoding(monkeypatch: pytest.MonkeyPatch) -> Entry:
    made = Entry(
        id=NAME,
        title=say("Made-up thing"),
        year=2026,
        paper="Nobody 2026",
        places=("bias",),
        trained=say("none"),
        cost=say("none"),
        used_by=(),
        shift_invariant=True,
        causal_only=False,
        kind=Fading,
        build=lambda shape: Fading(),
        bias_picture=lambda encoding, head, length: FadingBias(length),
    )
    monkeypatch.setitem(CATALOGUE, NAME, made)
    return made


def control(app: Any, key: str) -> Any:
    """A list of choices, of one or of many."""
    return next(one for one in (*app.multiselect, *app.selectbox) if one.key == key)


def drawn_grey(app: Any) -> bool:
    """Whether its curve is there, in the look of what has none."""
    traces = [trace for figure, _ in figures(app) for trace in figure["data"]]
    mine = [trace for trace in traces if TITLE in trace.get("name", "")]
    assert mine, "no curve"
    return all(trace["line"]["color"] == UNKNOWN.color for trace in mine)


# The method


@pytest.mark.parametrize("screen", ["config", "scaling"])
def test_the_method_is_drawn_and_told_on_both_screens_of_methods(screen, method) -> None:
    app = open_screen(screen, methods=["none", NAME])
    assert not app.exception
    assert sentences(app) == []
    assert NAME in ids(control(app, "methods"))
    assert drawn_grey(app)
    said = [line for one in app.markdown for line in one.value.split("\n") if TITLE in line]
    assert any("slows every pair" in line for line in said)
    frames = [*app.dataframe, *app.table]
    rows = [row for frame in frames for row in map(str, frame.value.index)]
    assert any(TITLE in row for row in rows)


def test_every_picture_of_the_studio_draws_the_method(method) -> None:
    for view in ("angles", "resolution", "scores", "short_prompts"):
        app = open_screen("config", view=view, methods=["none", NAME])
        assert not app.exception
        assert drawn_grey(app), view
    assert not open_screen("config", view="ledger", methods=["none", NAME]).exception


def test_the_method_is_compared_side_by_side(method) -> None:
    app = open_screen("side_by_side", view="curves", b=f"rope_{NAME}")
    assert not app.exception
    assert sentences(app) == []
    assert drawn_grey(app)


def test_the_lab_reads_and_fine_tunes_with_the_method(method) -> None:
    assert NAME in tried()
    assert scaling(NAME, 4.0, 128) == Halving(4.0)
    spec = recall_spec("rope")
    model = load_checkpoint(DATA / f"{spec.name}.safetensors").model
    inv_freq = reader(model, spec, 512, NAME).encoding.inv_freq
    torch.testing.assert_close(inv_freq, model.encoding.inv_freq / 8)
    assert recall_at(model, spec, 256, NAME, contexts=1)[0].method == NAME
    check_finetuning(spec, NAME, 4)
    assert NAME in ids(control(open_screen("lab"), "method"))


def test_measured_curves_and_the_command_line_list_the_method(method) -> None:
    assert any(one.method == NAME for one in contenders().values())
    file = json.dumps(known_models()["Llama-2-7B"].config)
    told = CliRunner().invoke(command_line, ["explain", "-", "--target", "16384"], input=file)
    assert told.exit_code == 0
    (row,) = [line for line in told.stdout.split("\n") if TITLE in line]
    assert row.split()[2:4] == ["8", "8"]


# The encoding


def test_the_atlas_has_the_encoding(encoding) -> None:
    app = open_screen("home", encoding=NAME)
    assert not app.exception
    assert sentences(app) == []
    assert NAME in ids(control(app, "encoding"))
    assert [figure["key"] for figure, _ in figures(app)] == ["chosen", "places"]
    (gallery,) = [one.proto.body for one in app.get("html") if "posenc-gallery" in one.proto.body]
    assert f"<b>{CATALOGUE[NAME].title}</b>" in gallery


def test_the_encoding_is_compared(encoding) -> None:
    app = open_screen("side_by_side", view="curves", b=NAME)
    assert not app.exception
    assert sentences(app) == []
    assert drawn_grey(app)


@pytest.mark.parametrize("screen", ["live_attention", "why_position", "kv_cache"])
def test_typed_text_is_read_with_the_encoding(screen, encoding) -> None:
    more = {"model": "random"} if screen == "live_attention" else {}
    app = open_screen(screen, encoding=NAME, **more)
    assert not app.exception
    assert sentences(app) == []
    assert control(app, "encoding").value == NAME


def test_its_bias_is_followed_in_live_attention(encoding) -> None:
    tokens = torch.arange(6)
    layer = RandomProjections(seed=0, d_model=8, num_heads=2, head_dim=4)
    q, k, v = layer.project(layer.embed(tokens.tolist()))
    trace = attend(q, k, v, Fading(), mask="causal", trace=True)
    bias = bias_steps(Fading(), 1, 5, 2)
    check_lines(bias)
    assert [step.value for step in bias] == [3, pytest.approx(-0.3)]
    steps = attention_steps(trace, "weights", 5, 2, 1, bias=bias)
    assert bias[0] in steps
    assert steps[-1].value == trace.weights[0, 1, 5, 2]


def test_the_lab_trains_the_encoding(encoding) -> None:
    spec = RunSpec.from_dict({**recall_spec("nope").to_dict(), "encoding": NAME})
    assert isinstance(build_encoding(spec), Fading)
    assert NAME in ids(control(open_screen("lab"), "encoding"))


def test_the_verified_table_says_nothing_was_compared(encoding) -> None:
    app = open_screen("verified")
    assert any(TITLE in one.value for one in app.caption)
