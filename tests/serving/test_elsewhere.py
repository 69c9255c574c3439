"""A badge and a notebook of each screen, for pages elsewhere."""

import json
from xml.etree import ElementTree

import nbformat
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from course.page.menu import SCREENS
from scripts import screen_notebooks
from serving.elsewhere import routes
from serving.headers import Headers
from tests.pages.drive import open_screen
from ui.site.offers import NOTEBOOKS
from ui.site.public import VARIABLE

SITE = "https://example.org/positions/"


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setenv(VARIABLE, SITE)
    return TestClient(Starlette(routes=routes("/base"), middleware=[Middleware(Headers)]))


@pytest.mark.parametrize("screen", SCREENS)
def test_a_badge_names_its_screen_and_stands_anywhere(client, screen):
    answer = client.get(f"/base/badges/{screen}.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    picture = ElementTree.fromstring(answer.text)
    words = [text.text for text in picture.iterfind(".//{*}text")]
    assert words == ["Positional encodings", str(SCREENS[screen].label)]
    assert float(picture.get("width")) > 6 * len("".join(words))


@pytest.mark.parametrize("screen", sorted(NOTEBOOKS))
def test_a_notebook_has_an_address_and_leads_back(client, screen):
    answer = client.get(f"/base/notebooks/{screen}.ipynb")
    assert answer.headers["access-control-allow-origin"] == "*"
    notebook = nbformat.reads(answer.text, as_version=4)
    nbformat.validate(notebook)
    assert f"]({SITE}{screen})" in "".join(cell.source for cell in notebook.cells)
    assert "posenc:" not in answer.text


@pytest.mark.parametrize("path", ["badges/nothing.svg", "notebooks/nothing.ipynb", "badges/..svg"])
def test_what_there_is_not_is_a_404(client, path):
    assert client.get(f"/base/{path}").status_code == 404


def test_lines_stand_in_the_code_where_an_address_is_known(monkeypatch):
    line = f"[![RoPE]({SITE}badges/rope.svg)]({SITE}rope)"
    address = f"{SITE}notebooks/rope.ipynb"
    assert line not in [one.value for one in open_screen("rope", tab="code").code]
    monkeypatch.setenv(VARIABLE, SITE)
    assert {line, address} < {one.value for one in open_screen("rope", tab="code").code}
    shown = [one.value for one in open_screen("engines", tab="code").code]
    assert not any("/notebooks/" in one for one in shown)


@pytest.mark.slow
def test_the_notebooks_are_those_of_the_screens_as_they_open():
    def program(text: str) -> list[str]:
        cells = json.loads(text)["cells"]
        # A model's numbers may differ by a rounding from one machine to the next.
        lines = "\n".join(one["source"] for one in cells if one["cell_type"] == "code").split("\n")
        return [line for line in lines if "b64decode(" not in line]

    made = dict(screen_notebooks.made())
    assert made.keys() == NOTEBOOKS.keys()
    for screen, text in made.items():
        assert program(text) == program(NOTEBOOKS[screen].read_text("utf-8")), screen
