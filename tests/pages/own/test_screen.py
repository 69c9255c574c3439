"""Your own checkpoint: what the screen says before, while and after a model is measured."""

import pytest

from lab.measuring.own_checkpoint import methods
from lab.queue.perform import perform
from lab.queue.settings import LabSettings
from lab.training.checkpoints import DATA
from pages.own.measuring import curve_table
from tests.pages.drive import drawn, figures, open_screen, sentences

pytestmark = pytest.mark.skipif(
    not (DATA / "text-rope-s0.safetensors").is_file(), reason="the shipped model is not there"
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A lab of its own, in which no worker starts."""
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    monkeypatch.setattr("lab.queue.jobs.Lab.ensure_worker", lambda lab: False)
    return tmp_path


def example(app):
    return next(button for button in app.button if "the project's model" in button.label)


def test_an_empty_folder_says_what_to_put_there(home):
    app = open_screen("own")
    assert not app.exception
    assert str(home / "checkpoints") in app.info[0].value
    example(app).click().run()
    assert not app.exception
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["parameters"] == "467,584"
    assert shown["trained length L"] == "128"


def test_a_directory_that_cannot_be_read_gets_its_sentence(home):
    (home / "checkpoints" / "broken").mkdir(parents=True)
    (home / "checkpoints" / "broken" / "config.json").write_text("{")
    [sentence] = sentences(open_screen("own"))
    assert "config.json of broken cannot be read" in sentence
    assert "line 1" in sentence


def test_a_measurement_is_queued_and_its_curve_drawn(home):
    app = open_screen("own")
    example(app).click().run()
    app = open_screen("own", times="2")
    next(button for button in app.button if button.label == "Measure").click().run()
    assert not app.exception
    assert sentences(app) == []
    from lab.queue.jobs import Lab

    with Lab(LabSettings.from_environment()) as lab:
        [job] = lab.jobs()
        assert job.payload["longest"] == 256
        assert set(job.payload["methods"]) == {"linear", "yarn"}
        rows = perform("own", job.payload, lab.settings.folder(job.id), lambda *_: None,
                       lambda: False)  # fmt: skip
    app = open_screen("own", times="2")
    assert not app.exception
    table = curve_table(rows)
    curves = drawn(figures(app)[0][0])
    assert curves.shape == (3, 2)
    start = table.loc[("none", 128)].bits
    assert curves[:, 0] == pytest.approx([start] * 3)
    assert curves[0, 1] == pytest.approx(table.loc[("none", 256)].bits)
    assert {row["method"] for row in rows} <= {*methods(), "slide"}
