"""The library's reference has a page for every module and a place for every public name."""

import ast
import re
from pathlib import Path
from typing import Any

import torch

from serving.reference import pages
from tests.conftest import ROOT

HOMES = {ROOT / "encodings": "posenc", ROOT / "advisor": "advisor"}
PRIVATE = {"__main__"}


def public_names(file: Path) -> set[str]:
    """Functions and classes that a module defines, without an underscore."""
    made = (ast.FunctionDef, ast.ClassDef)
    found = {
        node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, made)
    }
    return {name for name in found if not name.startswith("_")}


def test_every_public_name_stands_in_the_page_of_its_module() -> None:
    missing = {}
    for home, package in HOMES.items():
        for file in (home / package).rglob("*.py"):
            if file.stem in PRIVATE:
                continue
            *folders, stem = file.relative_to(home).with_suffix("").parts
            name = ".".join(folders if stem == "__init__" else [*folders, stem])
            shown = pages.modules()[name].members if name in pages.modules() else {}
            if gone := public_names(file) - shown.keys():
                missing[name] = gone
    assert not missing


def test_the_first_page_says_how_to_get_the_library() -> None:
    first = pages.page(pages.START)
    assert first is not None
    for place in ("./encodings", "./advisor"):
        assert f"<code>pip install {place}</code>" in first


def test_names_people_type_lead_to_their_docstrings() -> None:
    first = pages.page(pages.START)
    assert first is not None
    links = dict(re.findall(r'<a href="([\w/]+\.html)#(\w+)"', first)[::-1])
    assert len(links) > 20
    offered = {
        name: getattr(package, name).__module__
        for package in pages.PACKAGES
        for name in package.__all__
    }
    assert len(offered) > 60
    for name, home in offered.items():
        assert f'href="{pages.path_of(home)}#{name}"' in first, name
    for path, name in links.items():  # one name of each module
        page = pages.page(path)
        assert page is not None
        assert f'id="{name}"' in page
        assert "<script" not in page
        assert not re.search(r'(src|href)="(?!https://pdoc\.dev)\w+://', page)


def test_docstrings_become_lists_of_arguments() -> None:
    page = pages.page("posenc/rope/formula.html") or ""
    arguments = re.search(r"<h2[^>]*>Arguments:</h2>.*?</ul>", page, re.DOTALL)
    assert arguments is not None
    assert "<strong>" in arguments[0]


def test_the_first_page_has_lines_that_run_and_names() -> None:
    first = pages.page(pages.START) or ""
    assert first.index("Quickstart") < first.index("Shapes") < first.index("apply_rope</a>")
    assert "posenc.rope.formula.apply_rope" not in first
    assert "Queries or keys rotated by their positions" in first
    words = (pages.LOOKS / "start.md").read_text("utf-8")
    ran: dict[str, Any] = {}
    exec("\n".join(re.findall(r"```python\n(.*?)```", words, re.DOTALL)), ran)
    assert ran["inv_freq"].shape == (32,)
    assert ran["rotated"].shape == ran["output"].shape == (1, 8, 16, 64)
    assert ran["stages"].bias[0, 0, 15, 12] == -1.5
    assert ran["layer"].frequencies()[1] == ran["attention_factor"] == 1.0
    assert torch.equal(ran["layer"].frequencies()[0], ran["inv_freq"])
    assert ran["config"].findings == ()


def test_what_is_no_module_has_no_page() -> None:
    for path in (
        "posenc/nothing.html",
        "../app.html",
        "posenc",
        "os.html",
        "posenc/__main__.html",
    ):
        assert pages.page(path) is None, path


def test_all_pages_can_be_written(tmp_path: Path, monkeypatch) -> None:
    few = {name: pages.modules()[name] for name in ("posenc", "posenc.alibi.formula")}
    monkeypatch.setattr(pages, "modules", lambda: few)
    assert pages.write(tmp_path) == 2
    assert "alibi_slopes" in (tmp_path / "posenc" / "alibi" / "formula.html").read_text("utf-8")


def test_every_page_leads_back_and_none_to_a_missing_index() -> None:
    for path in ("posenc.html", "posenc/rope/formula.html"):
        html = pages.page(path) or ""
        up = "../" * (1 + path.count("/"))
        assert f'<a href="{up}">← Positional encodings</a>' in html
        assert "index.html" not in html
