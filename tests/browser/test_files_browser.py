"""Pictures as files: as large on paper as asked for, at rest, whole, with where they come from."""

import struct
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser


def test_a_menu_that_opens_below_the_window_is_brought_into_view(
    page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    visit(page, f"{app_address}/alibi")
    menu = page.locator(".posenc-menu").first
    # At the lower edge of the window, where a finger has come to it.
    menu.evaluate("menu => menu.scrollIntoView({ block: 'end' })")
    menu.locator("summary").click()
    for entry in menu.get_by_role("button").all():
        expect(entry).to_be_in_viewport(ratio=1)


# Labels that end outside of the drawing.
CUT = """(text) => {
  const place = document.body.appendChild(document.createElement("div"));
  place.innerHTML = text;
  const svg = place.querySelector("svg"), paper = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll("text")].filter((label) => label.textContent.trim());
  const cut = labels.filter((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    return left < paper.left || right > paper.right || top < paper.top || bottom > paper.bottom;
  });
  place.remove();
  return cut.map((label) => label.textContent);
}"""


def file(page: Page, entry: str, of: str = ".posenc-chart") -> bytes:
    """What an entry of the first menu saves."""
    page.locator(f"{of} .posenc-menu > summary").first.press("Enter")
    with page.expect_download() as download:
        page.locator(f"{of} .posenc-menu").first.get_by_role("button", name=entry).click()
    return Path(download.value.path()).read_bytes()


def printed(page: Page, size: str, of: str = ".posenc-chart") -> tuple[bytes, bytes]:
    """A PNG and an SVG for print."""
    page.locator(f"{of} .posenc-menu > summary").first.press("Enter")
    page.locator(f"{of} .posenc-menu").first.get_by_role("button", name="print").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=size).check()
    files = []
    for kind in ("PNG", "SVG"):
        with page.expect_download() as download:
            dialog.get_by_role("button", name=f"Save as {kind}").click()
        files.append(Path(download.value.path()).read_bytes())
    dialog.get_by_role("button", name="Done").press("Enter")
    return files[0], files[1]


def millimetres(png: bytes) -> float:
    """Width of a PNG on paper, by its chunk pHYs."""
    (width,) = struct.unpack(">I", png[16:20])
    at = png.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", png[at + 4 : at + 13])
    assert (across, unit) == (down, 1), "as many up as across, in a metre"
    return 1000 * width / across


def address_in(png: bytes) -> str:
    """Where a PNG comes from, by its chunk tEXt."""
    at = png.index(b"tEXtSource\0")
    (length,) = struct.unpack(">I", png[at - 4 : at])
    return png[at + 4 : at + 4 + length].decode().removeprefix("Source\0")


def words(svg: bytes) -> str:
    root = ElementTree.fromstring(svg)
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    return " ".join("".join(text.itertext()) for text in texts)


def test_a_chart_is_as_wide_on_paper_as_asked_for(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/absolute?view=similarity&d_model=8")
    png, svg = printed(page, "a column of 8.5 cm")
    assert millimetres(png) == pytest.approx(85, abs=0.1)
    assert address_in(png) == f"{app_address}/absolute?view=similarity&d_model=8"
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("viewBox")) == ("85mm", "0 0 420 315")
    assert root.find("{http://www.w3.org/2000/svg}metadata").text == address_in(png)
    assert urlsplit(app_address).netloc not in words(svg), "nor on the picture"


def test_an_address_in_a_file_has_no_spaces(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/cope?text=one+two%20three&layers=1")
    source = address_in(file(page, "Save as PNG"))
    assert page.url.partition("&text=")[2].partition("&")[0] in source
    assert " " not in source


def test_a_picture_that_moves_is_saved_at_rest_and_whole(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/")
    page.get_by_role("button", name="Play").click()
    moved = file(page, "Save as SVG", ".posenc-picture")
    assert file(page, "Save as SVG", ".posenc-picture") == moved, "it was at rest"
    png, column = printed(page, "a column of 8.5 cm", ".posenc-picture")
    assert ElementTree.fromstring(column).get("width") == "85mm"
    assert millimetres(png) == pytest.approx(85, abs=0.1)
    for svg in (moved, column):
        assert page.evaluate(CUT, svg.decode()) == []
    slide = file(page, "Save for a slide", ".posenc-picture")
    assert struct.unpack(">II", slide[16:24]) == (1920, 1080)
    assert urlsplit(app_address).netloc not in words(moved)


@pytest.mark.parametrize(
    "address",
    [
        "rope",
        "scaling?view=stretch",
        "why_position?picture=slide",
        "why_position?picture=origin",
        "absolute?view=odometer",
    ],
)
def test_every_picture_that_moves_is_whole_in_a_column(
    address: str, page: Page, app_address: str
) -> None:
    visit(page, f"{app_address}/{address}")
    before = page.locator(".posenc-picture svg").first.get_attribute("width")
    _png, svg = printed(page, "a column of 8.5 cm", ".posenc-picture")
    assert page.evaluate(CUT, svg.decode()) == []
    assert page.locator(".posenc-picture svg").first.get_attribute("width") == before


# Of every logarithmic axis, the ticks that say another number than their own: "2" at 200.
WRONG = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((gd) =>
  Object.entries(gd._fullLayout).filter(([, axis]) => axis?.type === "log" && axis._vals)
    .flatMap(([name, axis]) => axis._vals
      .filter(({ text }) => text && !text.includes("<sup>"))
      .filter(({ x, text }) => Math.abs(Number(text.replaceAll(",", "").replaceAll("−", "-"))
        / 10 ** x - 1) > 0.02)
      .map(({ text }) => `${name}: ${text}`)))"""


@pytest.mark.parametrize("address", ["alibi?view=slopes", "config"])
def test_a_logarithmic_axis_writes_whole_numbers(
    address: str, page: Page, app_address: str
) -> None:
    visit(page, f"{app_address}/{address}")
    assert page.evaluate(WRONG) == []
    axes = "document.querySelectorAll('.js-plotly-plot')"
    logs = (
        f"[...{axes}].filter((gd) => Object.values(gd._fullLayout).some((a) => a?.type === 'log'))"
    )
    assert page.evaluate(f"{logs}.length") > 0
    page.evaluate(f"""async () => {{
      for (const gd of {logs}) for (const name of ["xaxis", "yaxis"]) {{
        const {{ type, range: [low, high] }} = gd._fullLayout[name];
        const to = [low, low + Math.min(1.7, high - low)]; // some digits between two powers
        if (type === "log") await Plotly.relayout(gd, {{ [name + ".range"]: to }});
      }}
    }}""")
    until(page, lambda: page.evaluate(WRONG) == [], "whole numbers, zoomed in")
