"""Walks as plain files: what stands on a page, told without a browser."""

from pathlib import Path

import pytest
from PIL import Image

from scripts.site import files
from scripts.site.drawn import Drawn, Picture
from scripts.site.steps import body
from scripts.static_site import export
from ui.screen.lesson import load


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "models"))


@pytest.mark.usefixtures("no_model")
def test_without_a_model_everything_else_is_written_and_what_lacks_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Picture("one", "A picture", "chart/chart.js", b"x", "bin", 300)
    monkeypatch.setattr(files, "draw", lambda screen, step: Drawn([picture], []))
    lacking = export(tmp_path / "site", ("kv_cache", "measured", "live_attention"))
    walk = load("live_attention").walk
    assert lacking == [f"live_attention/{at}.html" for at in range(1, len(walk) + 1)]
    for at, step in enumerate(walk, 1):
        text = (tmp_path / "site" / "live_attention" / f"{at}.html").read_text("utf-8")
        assert f"<h1>{step.title}</h1>" in text
        assert "The model was not installed" in text
        assert "data-module" not in text
    drawn = (tmp_path / "site" / "measured" / "1.html").read_text("utf-8")
    assert "data-module" in drawn
    assert "was not installed" not in drawn
    assert (tmp_path / "site" / "index.html").is_file()
    chapter = (tmp_path / "site" / "kv_cache.html").read_text("utf-8")
    assert "Scaling studio" in chapter
    assert 'href=\\"config' not in chapter, "a page of the app, which is not here"


def told_of(picture: Picture, is_spoken_of: bool) -> str:
    return f"<figure>{picture.alt}</figure>"


def test_a_shared_link_has_a_picture_whose_address_is_whole(tmp_path: Path) -> None:
    export(tmp_path / "site", ("which",), "https://course.example/")
    text = (tmp_path / "site" / "which.html").read_text("utf-8")
    picture = "static/course/shown/which.png"
    assert f'property="og:image" content="https://course.example/{picture}"' in text
    with Image.open(tmp_path / "site" / picture) as image:
        assert image.size == (1200, 630)
    assert f'<img src="{picture}"' in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_the_table_that_a_step_speaks_of_stands_first_and_controls_are_in_the_app() -> None:
    lesson = load("live_attention")
    at, step = next((n, s) for n, s in enumerate(lesson.walk, 1) if "*All controls*" in s.text)
    assert step.outline is not None
    picture = Picture("stage_matrix", "A picture", "chart/chart.js", b"x", "bin", 300)
    table = "**Most likely**\n\n| token | probability |\n| --- | ---: |\n| `street` | 61 % |"
    text = body(lesson, at, Drawn([picture], [], [table]), "", told_of)
    assert text.index("<code>street</code>") < text.index("A picture")
    assert "are in the app" in text
