"""Points of the lab's curves are followed to what was counted."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from lab.measuring.recall import recall_at
from lab.queue.leases import Progress, finish
from lab.queue.perform import ROWS
from lab.spec import counting_spec, recall_spec, text_spec
from lab.training.checkpoints import DATA, load_checkpoint
from lab.training.steps import asked_in_update
from pages.lab.recall import RecallCurve, _series
from tests.conftest import said_number
from tests.pages.drive import figures, open_screen, sentences
from tests.pages.lab.test_screen import SPEC, keys, losses, row, rows_of, start, tell
from tests.pages.test_screens import check_point


def followed(app, place):
    """The value under the formula of a point."""
    (said,) = (c.value for c in app.caption if c.value.startswith(f"{place}: "))
    return said_number(said.removeprefix(f"{place}: ").split()[0])


def marked(app, key):
    """Place and value of the mark in a chart."""
    *_, mark = next(header for header, _ in figures(app) if header["key"] == key)["data"]
    assert mark["marker"]["symbol"] == "square-open"
    return mark["x"][0], mark["y"][0]


def formulas(app):
    return "\n".join(element.value for element in app.markdown)


def fields(app):
    return [field.key for field in app.text_input if field.key.endswith("_point")]


def ended(lab, spec, rows, steps=()):
    number = start(lab, spec)
    tell(lab, number, 10, 10, losses(*steps))
    finish(lab.engine, number, "lease", Progress(10, 10, {}, 5.0), rows)
    return number


# Recall against distance


def test_a_distance_is_followed_to_the_questions_asked(lab):
    app = open_screen("lab", times="2", recall_point="C, 112")
    assert sentences(app) == []
    drawn = next(header for header, _ in figures(app) if header["key"] == "recall")["data"]
    names = [trace["name"] for trace in drawn if trace.get("name")]
    assert [name[:2] for name in names if re.match("[A-Z] ", name)] == ["A ", "B ", "C "]
    run = load_checkpoint(DATA / f"{SPEC.name}.safetensors")
    cells = recall_at(run.model, run.spec, 256, "slide", contexts=16)
    cell = next(cell for cell in cells if cell.distance == 112)
    share = 100 * cell.right / cell.asked
    assert followed(app, "C · sliding window, distance 112") == share
    assert marked(app, "recall") == (112, share)
    assert f"{cell.right}/{cell.asked}" in formulas(app)
    check_point(app, "recall")


# Training


def test_a_step_is_followed_once_the_job_has_ended(lab):
    ended(lab, SPEC, [row(64, 90)], steps=(10, 20))
    app = open_screen("lab", times="1")
    assert app.text_input(key="training_loss_point").value == "20"
    app.text_input(key="training_loss_point").set_value("10").run()
    assert sentences(app) == []
    said = [
        said_number(re.match(r"Update 10: (\S+)", c.value)[1])
        for c in app.caption
        if c.value.startswith("Update 10: ")
    ]
    assert said == [0.4, 50.0]
    assert marked(app, "training_loss") == (10, 0.4)
    assert marked(app, "training_accuracy") == (10, 50.0)
    assert f"{asked_in_update(SPEC, 10)}$" in formulas(app)
    check_point(app, "training_loss")
    app = open_screen("lab", times="1", training_loss_point="15")
    assert sentences(app) == ["The point must be update 10, 20; got '15'. Showing 20."]


def test_under_way_nothing_is_followed_before_a_point_is_chosen(lab):
    number = start(lab)
    tell(lab, number, 440, 1100, losses(10, 20))
    app = open_screen("lab", times="1")
    assert fields(app) == []
    assert any("Choose a point" in caption.value for caption in app.caption)
    app = open_screen("lab", times="1", training_loss_point="20")
    assert fields(app) == ["training_loss_point"]
    assert marked(app, "training_loss") == (20, 0.2)
    tell(lab, number, 450, 1100, losses(30))
    app.run()
    assert app.text_input(key="training_loss_point").value == "20"
    assert len(figures(app)[0][0]["data"][0]["x"]) == 3


def test_a_loss_that_is_no_number_is_not_followed(lab):
    number = start(lab)
    points = [
        {"name": "loss", "done": 10, "value": float("nan")},
        {"name": "accuracy", "done": 10, "value": 0.5},
    ]
    tell(lab, number, 10, 10, points)
    finish(lab.engine, number, "lease", Progress(10, 10, {}, 5.0), [row(64, 90)])
    app = open_screen("lab", times="1")
    assert not app.exception
    assert sentences(app) == []
    assert "training_loss_point" not in fields(app)


# Measured at every length


@pytest.mark.parametrize(
    ("make", "means"),
    [
        (recall_spec, {"near": (70.0, "60/100"), "far": (50.0, "50/100")}),
        (text_spec, {"bits": (2.5, "{(2 + 2)}/2")}),
        (counting_spec, {"wrong": (15.0, "10/100")}),
    ],
)
def test_a_length_is_followed_over_seeds_and_of_one_run(lab, make, means):
    for seed in (0, 1):
        spec = make("alibi", seed)
        ended(lab, spec, rows_of(spec.task, seed))
    for query in ({"view": "longer", "task": spec.task}, {"view": "jobs", "job": "1"}):
        app = open_screen("lab", **query)
        assert sentences(app) == []
        for measure, (mean, first) in means.items():
            check_point(app, f"measured_{measure}")
            assert first in formulas(app)
            if query["view"] == "longer":
                assert marked(app, f"measured_{measure}")[1] == mean
                assert r"\bar y" in formulas(app)


def test_what_starts_from_the_model_as_it_is_is_followed_there(lab):
    rows = [row(64, 90, 128), row(64, 40), row(64, 70, method="yarn"), row(96, 75, method="yarn")]
    number = ended(lab, SPEC, rows)
    app = open_screen("lab", view="jobs", job=str(number), measured_near_point="1, 1")
    assert sentences(app) == []
    assert followed(app, "YaRN, n / L 1") == 90.0
    app.text_input(key="measured_near_point").set_value("1, 2").run()
    assert followed(app, "YaRN, n / L 2") == 72.5
    assert "70 + 75" in formulas(app)
    check_point(app, "measured_near")


def test_lengths_that_are_still_measured_wait_for_a_click(lab):
    number = start(lab)
    folder = lab.settings.folder(number)
    folder.mkdir(parents=True)
    (folder / ROWS).write_text(json.dumps([{"recall": [row(64, 90)]}]))
    tell(lab, number, 1101, 1141, losses(10))
    assert "measured_near_point" not in fields(open_screen("lab", times="1"))
    app = open_screen("lab", times="1", measured_near_point="2")
    assert followed(app, "n / L 2") == 90.0
    assert "measured_near" in keys(app)


def test_the_band_of_a_share_stays_within_all_and_nothing() -> None:
    some = pd.DataFrame({"distance": [1, 2, 3], "asked": [50, 50, 0], "right": [50, 0, 0]})
    drawn = _series("", RecallCurve("none", some), "rope")
    low, high = np.asarray(drawn.low), np.asarray(drawn.high)
    assert high[0] == 100 > low[0] > 90
    assert low[1] == 0 < high[1] < 10
    assert np.isnan(low[2])
