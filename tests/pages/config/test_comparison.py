"""The Scaling studio's methods, sentences and pictures, without a screen."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import RopeConfig
from advisor.comparing.outcome import compare
from advisor.comparing.task import Task
from advisor.inputs.read import Given
from pages.config.comparison import Studio, Vectors
from pages.config.pairs import angles, wavelengths
from pages.config.prices import ledger, short_prompts
from pages.config.scores import resolution, scores
from pages.config.verdict import row, verdict
from plots.figure import Figure
from posenc.scaling.methods import METHODS
from tests.advisor.comparing.test_outcome import layer_of, one
from tests.advisor.reader.test_hostile import CONFIGS, EXTREME, MODEL_TYPES, SCALARS, TYPED
from tests.drawn import as_plotly
from ui.charts.points import CurvePoint
from ui.controls.model_config import OWN, Model
from ui.screen.figures.points import PointFigure
from ui.screen.figures.together import RowFigure
from ui.screen.picture import Picture

ALL = list(METHODS)
VIEWS = (wavelengths, angles, resolution, scores, short_prompts, ledger)


def test_sentences_name_the_least_factor_and_rested_pairs() -> None:
    ntk = one("ntk", Task.of(layer_of("Llama-2-7B"), 65536))
    assert "k = 44.6 is the smallest" in verdict(ntk)
    task = Task.of(layer_of("Gemma-4", "full_attention"), 10**6)
    rested = "turns 192 pairs that were at rest in training"
    assert rested in verdict(one("yarn", task))
    assert row(one("none", task))["slowest"] == "at rest"


# Whatever a file says: sentences and pictures of finite numbers, or a sentence


def check_finite(figure: Any) -> None:
    """Finite numbers, or a gap, in every trace and every line drawn across."""
    for trace in figure.data:
        for axis in (trace.x, trace.y):
            if axis is not None:
                assert not np.isinf(np.asarray(axis, dtype=np.float64)).any()
        assert np.isfinite(np.asarray(trace.x, dtype=np.float64)).all()
    for shape in figure.layout.shapes:
        ends = [shape.x0, shape.x1, shape.y0, shape.y1]
        assert all(math.isfinite(end) for end in ends if end is not None)


def check_everything(config: RopeConfig, target: int, as_in_file: bool, vectors: Vectors) -> None:
    """Findings, verdicts, table and every picture of each kind of layer."""
    assert all(len(finding.message) < 500 for finding in config.findings)
    model = Model(OWN, "Your file.", config, Given("config", config.source))
    for kind, layer in config.rotary.items():
        try:
            task = Task.of(layer, target, as_in_file, config.dual_chunk)
            methods, refused = compare(ALL, task)
        except ValueError as error:
            assert len(str(error)) < 4000  # noqa: PT017 - most files get further
            continue
        assert all(len(why) < 400 for why in refused.values())
        words = " ".join(verdict(method) for method in methods)
        words += " ".join(" ".join(row(method).values()) for method in methods)
        assert not {"nan", "inf"} & set(words.replace("(", " ").replace(".", " ").split())
        studio = Studio(model, kind, task, methods, refused, vectors)
        for view in VIEWS:
            picture = view(studio)
            for figure in drawn(picture):
                check_finite(as_plotly(figure))
            compile(picture.code, view.__name__, "exec")


def drawn(picture: Picture) -> Iterator[Figure]:
    """The figures of curves and bars, those beside each other too."""
    point = CurvePoint(0, 1, "")
    for figure in picture.figures:
        its = figure(point) if callable(figure) else figure
        for part in its.figures if isinstance(its, RowFigure) else [its]:
            if isinstance(part, PointFigure):
                yield part.drawing()


TARGETS = st.integers(-2, 100) | st.integers(2, 10**12) | st.sampled_from([2**31, 2**53, 10**12])
VECTORS = st.builds(
    Vectors,
    st.sampled_from(["alike", "independent", "typed"]),
    st.integers(0, 2**31 - 1),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4).map(tuple),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4).map(tuple),
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    config=CONFIGS,
    scaling=TYPED | EXTREME,
    model_type=MODEL_TYPES | SCALARS,
    target=TARGETS,
    as_in_file=st.booleans(),
    vectors=VECTORS,
)
def test_any_file_gives_pictures_or_a_sentence(
    config: dict, scaling: dict, model_type: Any, target: int, as_in_file: bool, vectors: Vectors
) -> None:
    fields = {"head_dim": 64, "rope_scaling": scaling, "max_position_embeddings": 4096}
    for given_fields in (fields | config | {"model_type": model_type}, fields):
        try:
            read = RopeConfig.from_hf(given_fields)
        except ValueError as refused:
            assert len(str(refused)) < 400  # noqa: PT017 - it may also be read
            continue
        check_everything(read, target, as_in_file, vectors)
