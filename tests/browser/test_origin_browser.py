"""Where a number comes from, in a real browser: what lights up, and what the formulas say."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import AXE, violations, visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

# The rectangles that are lit, each as the first and last row and column of its matrix.
LIT = """() => {
  const picture = document.querySelector(".posenc-origin svg");
  const cells = [...picture.querySelectorAll("[role=gridcell] rect")].map((one) => one.getBBox());
  const { width, height } = cells[0], wide = width + 1.2, high = height + 1.2;
  const heads = [...picture.querySelectorAll(".head")].map((head) => +head.getAttribute("x"));
  const starts = ["q", "k", "weights", "v", "output"].map((name, i) => [name, heads[i]]);
  return Object.fromEntries(starts.map(([name, x]) => {
    const box = picture.querySelector(`.lit.${name}`).getBBox();
    const at = [(box.y + 1 - cells[0].y) / high, (box.x + 1 - x) / wide];
    return [name, [...at, (box.height - 1) / high, (box.width - 1) / wide].map(Math.round)];
  }));
}"""
NUMBER = re.compile(r"[−-]?[\d,.]*\d")


def line(page: Page, which: int) -> list[float]:
    """The numbers of a formula, from left to right."""
    text = page.locator(".posenc-origin .formula").nth(which).inner_text().split("\n", 1)[1]
    return [said_number(one) for one in NUMBER.findall(text)]


@pytest.mark.slow
def test_a_clicked_number_lights_all_that_it_is_made_of(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{app_address}/why_position?encoding=rope&causal=true")
    grid = page.locator(".posenc-origin [role=grid]")
    with answered(page):
        grid.locator("[data-row='2'][data-col='1'] rect").click()
    lit = {"q": [2, 0, 1, 4], "k": [0, 0, 1, 4], "weights": [2, 0, 1, 5], "v": [0, 1, 5, 1]}
    assert page.evaluate(LIT) == lit | {"output": [2, 1, 1, 1]}
    check(page, "/why_position", encoding="rope", causal="true", origin_of="2, 1, 0")
    *products, total = line(page, 0)
    assert len(products) == 2 * 3, "the mask leaves three words"
    parts = sum(a * b for a, b in zip(products[::2], products[1::2], strict=True))
    assert parts == pytest.approx(total, abs=3e-4)
    drawn = page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map((one) => one.data[0].z?.[2]?.[1])"
    )
    assert total in [pytest.approx(one, abs=5e-5) for one in drawn if one is not None]
    *_, score = (numbers := line(page, 2))
    products, width = numbers[:8], numbers[8]
    parts = sum(a * b for a, b in zip(products[::2], products[1::2], strict=True))
    assert parts / width**0.5 == pytest.approx(score, abs=3e-4)

    before = page.evaluate("runs.sent")
    terms = page.locator(".posenc-origin .formula").nth(0).locator("button")
    terms.nth(1).hover()
    assert page.evaluate(LIT)["k"] == [1, 0, 1, 4], "the product's own key is lit"
    expect(terms.nth(1)).to_have_class(re.compile("lit-now"))
    page.mouse.move(0, 0)
    until(page, lambda: page.evaluate(LIT)["k"] == [0, 0, 1, 4], "the chosen key is lit again")
    assert page.evaluate("runs.sent") == before, "pointing at a product asks nothing"
    with answered(page):
        terms.nth(1).focus()
        page.keyboard.press("Enter")
    check(page, "/why_position", encoding="rope", causal="true", origin_of="2, 1, 1")
    assert line(page, 2)[-1] != score

    cell = grid.locator("[aria-selected=true]")
    cell.focus()
    with answered(page):
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"):
            page.keyboard.press(key)
    expect(cell).to_have_attribute("aria-label", re.compile(r"“dog”, dimension 3: "))
    assert cell.count() == 1
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    check(page, "/why_position", encoding="rope", causal="true", origin_of="1, 3, 1")
    assert violations(page, AXE) == []
    said = page.locator(".posenc-origin [aria-live=polite]")
    expect(said).to_contain_text("a sum over 2 words")
    page.reload()
    until(page, lambda: page.locator(".posenc-origin [aria-selected=true]").count() == 1, "drawn")
    assert page.evaluate(LIT)["output"] == [1, 3, 1, 1]
