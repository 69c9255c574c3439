"""Measure a checkpoint: what the screen says before, while and after a model is measured."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from models.measuring.own import Picked, Unit
from models.measuring.own_run import TABLES, Plan
from models.results.tables import load
from pages.own.before import roughly
from tests.models import tiny
from tests.pages.drive import address, drawn, figures, metrics, open_screen, sentences

EXAMPLE = "shipped-rope"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab of its own, in which no worker starts, and no other model."""
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "models"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    monkeypatch.setattr("lab.queue.starting.ensure_worker", lambda lab: False)
    return tmp_path


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


def captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


def with_example() -> AppTest:
    app = open_screen("own")
    press(app, "Take the project's model")
    return app


def test_without_a_model_the_screen_says_what_to_put_where(home: Path) -> None:
    app = open_screen("own")
    assert not app.exception
    assert f"`{home / 'models'}`" in "".join(one.value for one in app.markdown)
    shipped = load()
    assert f"An example: {shipped.about.title}" in captions(app)
    first = [
        row["bits"]
        for row in shipped.losses
        if row["text"] == "topics" and row["method"] == "none" and row["length"] == 16384
    ]
    example = figures(app)[0][0]
    assert len(drawn(example)[0]) == len(first)
    # What would be measured here: by n / L, and errors against what never breaks.
    named = [curve["name"] for curve in example["data"] if "name" in curve]
    assert {"as trained", "sliding window", "YaRN ×2", "linear ×2"} < set(named)
    assert not any("×4" in name for name in named)
    assert "difference to *sliding window*" in captions(app)
    press(app, "Take the project's model")
    shown = metrics(app)
    assert shown["parameters"] == "467,584"
    assert shown["trained length L"] == "128"
    assert "10 min hold about:" in captions(app)
    assert "What each more takes, about: another text " in captions(app)


def test_a_directory_that_cannot_be_read_gets_its_sentence(home: Path) -> None:
    (home / "models" / "broken").mkdir(parents=True)
    (home / "models" / "broken" / "config.json").write_text("{")
    [sentence] = sentences(open_screen("own"))
    assert "config.json of broken cannot be read" in sentence
    assert "line 1" in sentence


def rows(model: str, text: str, method: str, factor: float, bits: list[float]) -> list[Any]:
    same = {
        "model": model,
        "text": text,
        "kind": "python",
        "sha256": text,
        "method": method,
        "factor": factor,
        "length": 256,
        "seconds": 1.0,
        "versions": "none",
    }
    return [same | {"first": 64 * at, "tokens": 64, "bits": one} for at, one in enumerate(bits)]


def test_an_ordered_measurement_draws_growing_curves(home: Path) -> None:
    with_example()
    app = open_screen("own", times="2", minutes="3", methods="yarn")
    press(app, "Measure")
    assert sentences(app) == []
    with Lab(LabSettings.from_environment()) as lab:
        [job] = lab.jobs()
        assert job.payload | {"model": ""} == {
            "name": EXAMPLE,
            "minutes": 3,
            "times": 2,
            "methods": ["yarn"],
            "keys": True,
            "text": "",
            "model": "",
        }
        assert lab.pace() is None
        folder = lab.settings.folder(job.id)
    folder.mkdir(parents=True)
    unit = Unit("loss", "topics", "none", 1.0, 256, 1e9)
    Plan(1e9, Picked(256, (unit,), {"text": 2.0}, 1.0)).write(folder)
    table, name = TABLES["loss"](folder), job.payload["model"]
    table.add(rows(name, "topics", "none", 1.0, [4, 3, 5, 6]))
    app = open_screen("own")
    assert "1 text: another may say something else." in captions(app)
    assert "Picked: 256 tokens of `topics`: as trained." in captions(app)
    assert drawn(figures(app)[0][0]).tolist() == [[4, 3, 5, 6]]
    table.add(rows(name, "topics", "yarn", 2.0, [4, 3, 3, 4]))
    for text, more in (("email", 1), ("asyncio", 3)):
        table.add(rows(name, text, "none", 1.0, [4 + more, 3, 5, 6]))
        table.add(rows(name, text, "yarn", 2.0, [4 + 2 * more, 3, 3, 4]))
    app = open_screen("own", own_point="1, 32")
    assert sentences(app) == []
    assert "YaRN ×2, position in the text 32: 6.6666" in captions(app)
    figure = figures(app)[0][0]
    shown = drawn(figure)
    assert shown[:2, 0] == pytest.approx([4 + 4 / 3, 4 + 8 / 3])
    assert shown[:2, 3] == pytest.approx([6, 4])
    assert "Mean over 3 texts" in captions(app)
    differences = np.array([0, 1, 3])  # text by text, in the first block
    band = figure["data"][2]["y"]
    assert max(band) == pytest.approx(shown[1, 0] - differences.mean() + 3, abs=1e-5)


def test_a_limit_asks_on_ones_own_machine(home: Path) -> None:
    with_example()
    app = open_screen("own", minutes="180")
    assert "asks for 3 hours, and 2 are allowed here: take fewer minutes" in app.warning[0].value
    assert figures(app)
    press(app, "Measure")
    with Lab(LabSettings.from_environment()) as lab:
        assert lab.jobs() == []
        app.checkbox[0].check().run()
        press(app, "Measure")
        assert lab.jobs()[0].payload["minutes"] == 180


def test_where_nothing_fits_the_page_stands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_example()
    monkeypatch.setattr("pages.own.before.PACE", 1e5)
    app = open_screen("own", times="16", minutes="1")
    (said,) = app.warning
    assert said.value.startswith(f"One pass of {EXAMPLE} over 2,048 tokens takes about ")
    assert "raise Minutes to " in said.value
    assert figures(app)


@pytest.mark.parametrize(
    ("seconds", "words"), [(3.4, "3 s"), (600, "10 min"), (9000, "2 h 30 min")]
)
def test_times(seconds: float, words: str) -> None:
    assert roughly(seconds) == words


def test_what_is_compared_stays_where_one_model_can_do_less(home: Path) -> None:
    for name, family in {"a-gemma-with-two-rotations": "gemma3_text", "b-llama": "llama"}.items():
        (home / "models" / name).mkdir(parents=True)
        tiny.save(family, home / "models" / name)
    left_out = "Left out for this model: "
    app = open_screen("own", checkpoint="a-gemma-with-two-rotations")
    first = ["yarn", "ntk", "linear", "slide"]
    assert app.multiselect(key="methods").value == first
    assert f"{left_out}YaRN, NTK-aware, linear." in captions(app)
    app.selectbox(key="checkpoint").set_value("b-llama").run()
    assert app.multiselect(key="methods").value == first
    assert left_out not in captions(app)
    assert "methods" not in address(app)
    app.multiselect(key="methods").set_value(["yarn", "dynamic_ntk"]).run()
    app.selectbox(key="checkpoint").set_value("a-gemma-with-two-rotations").run()
    assert app.multiselect(key="methods").value == ["yarn", "dynamic_ntk"]
    assert f"{left_out}YaRN, dynamic NTK." in captions(app)
    app.selectbox(key="checkpoint").set_value("b-llama").run()
    assert address(app)["methods"] == ["yarn", "dynamic_ntk"]
