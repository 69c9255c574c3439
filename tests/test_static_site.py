"""Walks as plain files: what stands on a page, told without a browser."""

from pathlib import Path

from PIL import Image

from scripts.static_site import export
from ui.screen.lesson import load


def test_a_chapter_is_written_with_its_steps_and_its_data(tmp_path: Path) -> None:
    export(tmp_path / "site", ("kv_cache", "live_attention"))
    text = (tmp_path / "site" / "live_attention.html").read_text("utf-8")
    for step in load("live_attention").walk:
        assert step.title in text
    assert (tmp_path / "site/static/course/data/live_attention.js").is_file()
    assert (tmp_path / "site" / "index.html").is_file()
    chapter = (tmp_path / "site" / "kv_cache.html").read_text("utf-8")
    assert "Scaling studio" in chapter
    assert 'href=\\"config' not in chapter, "a page of the app, which is not here"


def test_a_shared_link_has_a_picture_whose_address_is_whole(tmp_path: Path) -> None:
    export(tmp_path / "site", ("which",), "https://course.example/")
    text = (tmp_path / "site" / "which.html").read_text("utf-8")
    picture = "static/course/shown/which.png"
    assert f'property="og:image" content="https://course.example/{picture}"' in text
    with Image.open(tmp_path / "site" / picture) as image:
        assert image.size == (1200, 630)
    assert f'<img src="{picture}"' in (tmp_path / "site" / "index.html").read_text("utf-8")
