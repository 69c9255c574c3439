"""A stretched text in a real browser: its end is dragged, marks are squeezed, nothing is asked."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from models.results.tables import load
from pages.scaling.stretch import losses
from posenc import rope_inv_freq
from posenc.scaling import YaRN
from posenc.study import angle_coverage
from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import AXE, violations, visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

SMOLLM2 = "?view=stretch&head_dim=64&base=100000&train_length=8192&times=4&factor=2"
PLAIN, TRAINED = rope_inv_freq(64, 1e5)[0], 8192
# Of the others, what is sent is compared in tests/pages/scaling.
SCALINGS = {"none": None, "YaRN": YaRN(2.0, TRAINED)}
# Of every clock that is drawn: where its marks end, in the numbers of the ruler.
ENDS = r"""() => {
  const path = document.querySelector(".posenc-stretch path.marks").getAttribute("d");
  const places = [...path.matchAll(/M([\d.]+),([\d.]+)v([\d.]+)/g)]
    .map(([, x, y, high]) => [+x, +y + high / 2]);
  const rows = new Map();
  for (const [x, y] of places) rows.set(y.toFixed(0), Math.max(rows.get(y.toFixed(0)) ?? 0, x));
  const trained = document.querySelector(".posenc-stretch rect.trained").getBBox();
  return [...rows.values()].map((x) => (x - trained.x) / trained.width);
}"""
# Red cells among those of all pairs.
RED = """() => document.querySelector(".posenc-stretch path.new-cells")
  .getAttribute("d").split("Z").length - 1"""


def told(page: Page) -> tuple[float, int]:
    """Numbers above the drawing: tokens, and pairs that meet new angles."""
    length = page.locator(".posenc-stretch .numbers .length").inner_text()
    count = page.locator(".posenc-stretch .numbers .new b").inner_text()
    return said_number(length.split()[0]), int(count)


@pytest.mark.slow
def test_the_end_is_dragged_here_and_kept_in_the_address(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/scaling{SMOLLM2}")
    handle = page.locator(".posenc-stretch .handle .head")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate("runs.sent")
    page.mouse.move(x, y)
    page.mouse.down()
    lengths = set()
    for step in range(-60, 60, 4):
        page.mouse.move(x + 2 * step, y)
        length, count = told(page)
        lengths.add(length)
        assert count == int(angle_coverage(PLAIN, TRAINED, int(length)).is_new.sum())
    assert len(lengths) > 12
    assert page.evaluate("runs.sent") == before, "the server was asked while the end was dragged"
    with answered(page):
        page.mouse.up()
    assert page.evaluate("runs.sent") == before + 1
    times = told(page)[0] / TRAINED
    settings = dict(part.split("=") for part in SMOLLM2[1:].split("&"))
    check(page, "/scaling", **settings | {"times": f"{times:g}"})
    page.reload()
    until(page, lambda: page.locator(".posenc-stretch .numbers b").count() == 1, "the picture")
    assert told(page)[0] == max(lengths)


def test_a_method_squeezes_the_marks_as_posenc_does(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{app_address}/scaling{SMOLLM2}")
    slider = page.locator(".posenc-stretch [role=slider]")
    slider.focus()
    with answered(page):
        for key in ("PageDown", "PageDown", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
    assert told(page)[0] == 2 * TRAINED
    expect(slider).to_have_attribute("aria-valuetext", re.compile("16,384 tokens, 2 times"))
    shown = np.linspace(0, 31, 8).round().astype(int)
    said = page.locator(".posenc-stretch .measured")
    for name, scaling in SCALINGS.items():
        if name != "none":
            with answered(page):
                page.locator(".posenc-stretch label").filter(has_text=name).click()
        scaled = rope_inv_freq(64, 1e5, scaling)[0]
        count = int(angle_coverage(PLAIN, TRAINED, 2 * TRAINED, scaled).is_new.sum())
        assert told(page) == (2 * TRAINED, count)
        assert page.evaluate(RED) == count
        ends = 2 * (scaled / PLAIN)[shown].numpy()
        until(page, lambda e=ends: np.allclose(page.evaluate(ENDS), e, atol=0.01), "the marks")
        red = page.locator(".posenc-stretch [role=radio][aria-label*='which is new']")
        new = int(angle_coverage(PLAIN, TRAINED, 2 * TRAINED, scaled).is_new[shown].sum())
        until(page, lambda red=red, n=new: red.count() == n, "clocks say what is red")
    found = losses(load())
    lost = {(way["method"], way["factor"]): way["behind"] for way in found["ways"]}
    costs = f"{lost['yarn', 2]:.2f} bits with YaRN ×2, {lost['none', 1]:.2f} as trained"
    expect(said).to_contain_text(costs)
    with answered(page):
        page.locator(".posenc-stretch label").filter(has_text="linear").click()
    expect(said).to_contain_text(f"{lost['linear', 2]:.2f} bits with linear ×2")
    with answered(page):
        page.locator(".posenc-stretch label").filter(has_text=re.compile("^8$")).click()
    expect(said).to_contain_text("Not measured: linear ×8 in texts this long. Measured: linear ×4")
    with answered(page):
        page.locator(".posenc-stretch [role=radio]").nth(7).focus()
        page.keyboard.press("ArrowUp")
    followed = page.locator(".st-key-follow_stretch [data-testid=stCaptionContainer]")
    expect(followed).to_contain_text("Pair 27: ")
    assert violations(page, AXE) == []
    sizes = page.evaluate(
        "() => [...document.querySelectorAll('.posenc-stretch svg text')]"
        ".map((text) => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert min(sizes) >= 9
