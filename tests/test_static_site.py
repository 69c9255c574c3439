"""The course as plain files: what stands on a page, told without a browser."""

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image

from course import build
from course.chapters import MOVED
from course.page import files
from course.page.words import chapter
from scripts import static_site
from scripts.static_site import export


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "site"
    export(folder, "https://course.example/")
    return folder


def test_each_step_is_a_file_with_words_and_picture(folder: Path) -> None:
    for step in chapter("live_attention").steps:
        text = (folder / "course" / "live_attention" / step.id / "index.html").read_text("utf-8")
        assert f"<h1>{step.title}</h1>" in text
        assert f"<title>{step.title} · " in text
        place = f"https://course.example/course/live_attention/{step.id}/"
        assert f'rel="canonical" href="{place}"' in text
    picture = "course/-/course/chapters/which/preview.png"
    text = (folder / "course" / "which" / "index.html").read_text("utf-8")
    assert f'property="og:image" content="https://course.example/{picture}"' in text
    with Image.open(folder / picture) as image:
        assert image.size == (1200, 630)


def test_every_link_leads_to_a_file(folder: Path) -> None:
    earlier = [folder / "course" / name / step / "index.html" for name, step in MOVED]
    for page in earlier:
        (way,) = re.findall(r'url=([^"]+)"', page.read_text("utf-8"))
        assert (page.parent / way / "index.html").is_file()
    pages = [page for page in folder.rglob("*.html") if page not in earlier]
    assert len(pages) == len(build.pages()) + 1  # the contents are its first page too
    for page in pages:
        text = page.read_text("utf-8")
        (base,) = re.findall(r'<base href="([^"]+)">', text)
        links = re.findall(r'(?<=\s)(?:href|src)="([^"]+)"', text)
        links += re.findall(r'"href": "([^"]+)"', text)  # of a chapter's ways
        for link in links:
            name, _, mark = link.partition("#")
            if link == base or name.startswith(("data:", "https://")):
                continue
            if "/questions/" in str(page) and not name.startswith(("app/", "static/", "course/")):
                continue  # where a question can be tried, which is in the app
            assert not re.match(r"[a-z]+:|/", name), link
            target = (page.parent / base / name.split("?")[0]).resolve()
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{page}: {link}"
            assert not mark or f'id="{mark}"' in target.read_text("utf-8"), link


def test_pages_of_two_releases_share_no_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, offline = exported(tmp_path / "site")
    assert exported(tmp_path / "site") == (page, offline)
    with monkeypatch.context() as patch:
        static = tmp_path / "static"
        shutil.copytree(files.STATIC, static)
        (static / "site" / "search.js").write_text("// another\n")
        for module in (files, static_site):
            patch.setattr(module, "STATIC", static)
        other, _ = exported(tmp_path / "site")
        scripts = set(re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page))
        assert scripts
        assert not scripts & set(re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', other))
    forget()
    monkeypatch.setattr(build, "document", lambda *told, **more: "other words")
    assert exported(tmp_path / "site")[1] != offline
    forget()


def forget() -> None:
    """Compute anew what is kept of files and pages."""
    for kept in (files.version, files.modules, build.site, build.part):
        kept.cache_clear()


def exported(folder: Path) -> tuple[str, str]:
    """A chapter's page, and the script that keeps it for the times without a network."""
    forget()
    export(folder)
    page = folder / "course" / "rope" / "index.html"
    return page.read_text("utf-8"), (folder / "worker.js").read_text("utf-8")
