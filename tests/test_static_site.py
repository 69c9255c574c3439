"""Walks as plain files: what stands on a page, told without a browser."""

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image

from scripts.site import files
from scripts.static_site import export
from ui.charts import served
from ui.screen.lesson import load


def test_a_chapter_is_written_with_its_steps_and_its_data(tmp_path: Path) -> None:
    export(tmp_path / "site", ("kv_cache", "live_attention"))
    text = (tmp_path / "site" / "live_attention.html").read_text("utf-8")
    for step in load("live_attention").walk:
        assert step.title in text
    (scripts,) = (tmp_path / "site").glob("release-*")
    assert (scripts / "static/course/data/live_attention.js").is_file()
    assert (tmp_path / "site" / "index.html").is_file()
    chapter = (tmp_path / "site" / "kv_cache.html").read_text("utf-8")
    assert "Scaling studio" in chapter
    assert 'href=\\"config' not in chapter, "a page of the app, which is not here"


def test_pages_of_two_releases_share_no_script_and_new_words_are_a_new_release_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = tmp_path / "static"
    shutil.copytree(files.STATIC, static)
    monkeypatch.setattr(files, "STATIC", static)
    page, offline = exported(tmp_path / "site")
    assert exported(tmp_path / "site") == (page, offline)
    (static / "course" / "shapes.js").write_text("// another\n")
    other, _ = exported(tmp_path / "site")
    scripts = set(re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page))
    assert scripts
    assert not scripts & set(re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', other))
    assert all((tmp_path / "site" / name).is_file() for name in re.findall(r'src="(.+?)"', other))
    shutil.copy(served.STATIC / "course" / "shapes.js", static / "course")
    monkeypatch.setattr(files, "chapter", lambda *told: "other words")
    assert exported(tmp_path / "site")[1] != offline


def exported(folder: Path) -> tuple[str, str]:
    """A chapter's page, and the script that keeps it for the times without a network."""
    export(folder, ("rope",))
    return (folder / "rope.html").read_text("utf-8"), (folder / "worker.js").read_text("utf-8")


def test_a_shared_link_has_a_picture_whose_address_is_whole(tmp_path: Path) -> None:
    export(tmp_path / "site", ("which",), "https://course.example/")
    text = (tmp_path / "site" / "which.html").read_text("utf-8")
    picture = "static/course/shown/which.png"
    assert f'property="og:image" content="https://course.example/{picture}"' in text
    with Image.open(tmp_path / "site" / picture) as image:
        assert image.size == (1200, 630)
    assert f'<img src="{picture}"' in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_the_contents_number_the_chapters_in_their_order(tmp_path: Path) -> None:
    export(tmp_path / "site", ("why_position", "absolute"))
    text = (tmp_path / "site" / "index.html").read_text("utf-8")
    first, second = (load(screen).title for screen in ("why_position", "absolute"))
    assert text.index(f"<h2>1. {first}</h2>") < text.index(f"<h2>2. {second}</h2>")
