"""Pictures as files: as large on paper as asked for, at rest, whole, with where they come from."""

import struct
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

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


def choose(page: Page, size: str, button: str = "Size of saved pictures") -> None:
    page.get_by_role("button", name=button).first.press("Enter")
    page.get_by_role("radio", name=size).check()
    page.get_by_role("button", name="Done").press("Enter")


def chart_file(page: Page, kind: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Download as {kind}").first.press("Enter")
    return Path(download.value.path()).read_bytes()


def picture_file(page: Page, entry: str) -> bytes:
    page.locator(".posenc-picture summary").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name=entry).first.click()
    return Path(download.value.path()).read_bytes()


def millimetres(png: bytes) -> float:
    """Width of a PNG on paper, by its chunk pHYs."""
    (width,) = struct.unpack(">I", png[16:20])
    at = png.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", png[at + 4 : at + 13])
    assert (across, unit) == (down, 1), "as many up as across, in a metre"
    return 1000 * width / across


def words(svg: bytes) -> str:
    return "".join(ElementTree.fromstring(svg).itertext())


def test_a_chart_is_as_wide_on_paper_as_asked_for(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/absolute?view=similarity&d_model=8")
    choose(page, "print, a column of 8.5 cm")
    assert millimetres(chart_file(page, "PNG")) == pytest.approx(85, abs=0.1)
    svg = chart_file(page, "SVG")
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("viewBox")) == ("85mm", "0 0 420 315")
    host = urlsplit(app_address).netloc
    assert f"http://{host}/absolute?view=similarity&d_model=8" in words(svg)
    assert "Positional encodings" in words(svg)
    assert "MIT" in words(svg)


def test_an_address_in_a_file_has_no_spaces(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/cope?step=0&text=one+two%20three&layers=1")
    source = next(line for line in [words(chart_file(page, "SVG"))] if "http" in line)
    assert page.url.partition("&text=")[2].partition("&")[0] in source
    assert "one two" not in source.partition("http")[2].partition(" ·")[0]


def test_a_picture_that_moves_is_saved_at_rest_and_whole(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/")
    page.get_by_role("button", name="Play").click()
    for size in ("as on the screen", "print, a column of 8.5 cm", "slide"):
        page.locator(".posenc-picture summary").first.click()
        choose(page, size)
        moved = picture_file(page, "Save as SVG")
        assert picture_file(page, "Save as SVG") == moved, "it was at rest"
        assert page.evaluate(CUT, moved.decode()) == []
        png = picture_file(page, "Save as PNG")
        if "column" in size:
            assert ElementTree.fromstring(moved).get("width") == "85mm"
            assert millimetres(png) == pytest.approx(85, abs=0.1)
        elif size == "slide":
            assert struct.unpack(">II", png[16:24]) == (1920, 1080)
        assert "Positional encodings" in words(moved)
        assert app_address in words(moved).replace(" ", "")


@pytest.mark.parametrize(
    "address",
    [
        "rope?step=0",
        "scaling?step=0&view=stretch",
        "why_position?picture=slide",
        "why_position?picture=origin",
        "absolute?view=odometer",
    ],
)
def test_every_picture_that_moves_is_whole_in_a_column(
    address: str, page: Page, app_address: str
) -> None:
    visit(page, f"{app_address}/{address}")
    page.locator(".posenc-picture summary").first.click()
    choose(page, "print, a column of 8.5 cm")
    before = page.locator(".posenc-picture svg").first.get_attribute("width")
    assert page.evaluate(CUT, picture_file(page, "Save as SVG").decode()) == []
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
