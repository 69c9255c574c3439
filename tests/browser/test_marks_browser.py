"""Numbers and names of the course's pictures: none is lost, and what is written adds up."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import until
from tests.browser.test_course_browser import SIZES, opened, stands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Whether an element of a picture is seen; Chromium's own answer forgets what holds it.
SEEN = """const isSeen = (one) => {
  for (let node = one; node.tagName !== "FIGURE"; node = node.parentNode) {
    const { display, opacity } = getComputedStyle(node);
    if (display === "none" || Number(opacity) < 0.05) return false;
  }
  return true;
};"""
# Of the strongest pixels of a canvas.
BRIGHTNESS = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const all = Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4));
  const letters = all.filter(([, , , opacity]) => opacity > 240);
  return letters.reduce((sum, [red]) => sum + red, 0) / letters.length;
}"""
TEXTS = f"all => {{ {SEEN} return all.filter(isSeen).map((one) => one.textContent); }}"


@pytest.fixture
def page(same_page: Page) -> Page:
    """Its tests look at steps, many of the same chapter."""
    return same_page


def numbers(texts: list[str]) -> list[float]:
    """Those that are written with two decimals, in the order in which they stand."""
    found = re.findall(r"[+−]?\d+\.\d\d\b", " ".join(texts))
    return [float(one.replace("−", "-")) for one in found]


@pytest.mark.parametrize("step", ["slower", "real"])
def test_what_the_dials_add_is_the_score(step: str, page: Page, app_address: str) -> None:
    opened(page, app_address, "rope", step)
    if step == "slower":
        page.locator(".course [aria-label='Dials that are added up']").focus()
        for _ in range(7):
            page.keyboard.press("ArrowRight")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        stands(page)
        dials = page.locator(".course [data-marks=dials] text").evaluate_all(TEXTS)
        written = page.locator(".course [data-marks='shadow dials'] text").evaluate_all(TEXTS)
        parts = numbers([text for text in dials if "turn" not in text and "in " not in text])
        assert len(parts) == 8, (width, dials)
        assert ("beside a dial: places for one turn" in written) == (width == 390)
        others = [text for text in written if "other" in text]
        (total,) = numbers([text for text in written if "other" not in text])
        if width > 1000 or step == "slower":  # a phone has no room for what the others bring
            assert round(sum(parts + numbers(others)), 2) == total


# Of the cells of Relative, with their rectangles: what is written, and whether it is wider.
CELLS = f"""all => {{ {SEEN} return all.filter(isSeen).map((row) => {{
  const boxes = [...row.querySelectorAll("rect")].map((box) => box.getBoundingClientRect());
  return [...row.querySelectorAll("text")].filter(isSeen).map((text) => {{
    const {{ left, right }} = text.getBoundingClientRect();
    const fits = boxes.some((box) => left >= box.left - 1 && right <= box.right + 1);
    return {{ text: text.textContent, fits }};
  }});
}}); }}"""


def test_a_score_that_the_mask_hides_loses_nothing(page: Page, app_address: str) -> None:
    opened(page, app_address, "why_position", "mirror")
    page.locator("[data-choice='1']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    losses = page.locator(".course [data-marks=ways] .halo")
    assert losses.evaluate_all(TEXTS) == ["−1", "−0.5", "0", "−0.5", "−1"]
    page.locator(".course [aria-label='Causal mask']").press("ArrowRight")
    stands(page)
    assert losses.evaluate_all(TEXTS) == ["0", "−0.5", "−1"]


def test_labels_of_relative_are_whole_on_every_screen(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, app_address, "relative", "clip")
        rows = page.locator(".course [data-marks='row diagonal matrix'] > g").evaluate_all(CELLS)
        cells = [[cell for cell in row if re.fullmatch(r"−?\d+", cell["text"])] for row in rows]
        assert len(cells) == 16, (width, height)
        if width > 360:  # there, sixteen rows leave no height for labels, which the ruler has
            assert {len(row) for row in cells} == {16}
            assert [cell["text"] for cell in cells[-1]] == [*(f"−{15 - i}" for i in range(15)), "0"]
        assert all(cell["fits"] for row in cells for cell in row)
        opened(page, app_address, "relative", "row")
        ruler = page.locator(".course [data-marks=ruler] > g > g").evaluate_all(CELLS)
        labels = [cell["text"].replace("−", "-") for cell in ruler[0] if cell["fits"]]
        assert [text for text in labels if "more" not in text] == [*map(str, range(-4, 5))]
        assert len(labels) == 11, (width, labels)
        page.locator(".course [data-marks=k] [role=slider]:visible").press("PageDown")
        stands(page)
        (body,) = page.locator(".course [data-marks=ruler] > g > g").evaluate_all(CELLS)
        assert [cell["text"] for cell in body].count("−4") == 2, "the key's cell says what it reads"


def test_relative_shows_the_text_of_the_small_model(page: Page, app_address: str) -> None:
    opened(page, app_address, "relative", "number")
    words = page.locator(".course [data-marks='words q k'] text").evaluate_all(TEXTS)
    assert words[:6] == ["Ann", "7", "Bob", "3", "Eve", "5"]
    page.locator("[data-choice='1']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    key = page.locator(".course [data-marks=k] [role=slider]:visible")
    key.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    stands(page)
    (formula,) = page.locator(".course [data-marks='table k q'] text").evaluate_all(TEXTS)
    assert formula == "q · k + 1.50"
    assert key.get_attribute("aria-valuetext") == "Bob, distance −1"


def test_the_query_goes_along_the_page_and_the_text_keeps_its_length(
    page: Page, app_address: str
) -> None:
    opened(page, app_address, "relative", "far")
    length = page.locator(".course [aria-label='Length of the text']")
    length.focus()
    page.keyboard.press("End")
    page.locator(".course .reached").wait_for()
    words = page.locator(".course .reached [data-told=length]")
    assert words.inner_text() == "10,000"
    page.locator('.course [aria-label="The query\'s word on the page"]').focus()
    page.keyboard.press("ArrowLeft")
    stands(page)
    assert words.inner_text() == "9,999"
    assert length.get_attribute("aria-valuetext") == "10,000 words"


def test_the_bent_line_is_drawn_as_far_as_its_words_speak(page: Page, app_address: str) -> None:
    opened(page, app_address, "alibi", "bend")
    page.locator(".course [aria-label='The end of the line, which bends it']").focus()
    dot = page.locator(".course [data-marks='inset fall'] circle").last
    before = dot.bounding_box()
    reached = page.locator(".course .reached")
    while not reached.is_visible():
        page.keyboard.press("ArrowRight")
        stands(page)
    after = dot.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] < before["y"] - 20
    lost = page.locator(".course .reached [data-told=lost_far]").inner_text()
    told = page.locator(".course [data-marks=k] text").evaluate_all(TEXTS)
    assert f"needs {lost}" in told
    assert "Halcyon: content 14" in told
    assert float(lost) <= 14
    page.keyboard.press("ArrowRight")
    stands(page)
    told = page.locator(".course [data-marks=k] text").evaluate_all(TEXTS)
    further = page.locator(".course .reached [data-told=lost_far]").inner_text()
    assert float(further) < float(lost)  # what was said follows the picture
    assert f"needs {further}" in told


def test_the_needle_is_lit_where_its_slider_is_dragged_to_the_mark(
    page: Page, app_address: str
) -> None:
    opened(page, app_address, "alibi", "needle")
    page.locator(".course [aria-label^='Head,']:visible").focus()
    for key in ("ArrowRight", *["ArrowLeft"] * 7):  # the flattest, then the steepest
        page.keyboard.press(key)
    stands(page)
    slider = page.locator(".course [aria-label^='Content score']")
    mark = page.locator(".course [data-marks='score k'] g path").last.bounding_box()
    knob = slider.locator("circle").first.bounding_box()
    assert mark is not None
    assert knob is not None
    y = knob["y"] + knob["height"] / 2
    aim = mark["x"] + mark["width"] / 2
    for off in (-12, -4, 0, 4):
        page.mouse.move(knob["x"] + knob["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(aim + off, y, steps=5)
        page.mouse.up()
        stands(page)
        told = page.locator(".course [data-marks=k] text").evaluate_all(TEXTS)
        content, needed = (
            re.search(rf"{name} (\d+)", " ".join([*told, marked]))
            for name, marked in (("content", ""), ("needs", page.locator(".course").inner_text()))
        )
        gets = [float(re.findall(r"[\d.]+", text)[-1]) for text in told if "%" in text]
        is_lit = gets[0] >= gets[1]
        assert content is not None
        assert needed is not None
        assert is_lit == (int(content[1]) >= int(needed[1])), (off, told)
        assert is_lit == (off > -12)
        knob = slider.locator("circle").first.bounding_box()
        assert knob is not None


def test_a_scale_says_what_full_light_is_worth(page: Page, app_address: str) -> None:
    opened(page, app_address, "alibi", "lamp")
    full = page.locator(".course [data-marks='full light'] text")
    assert "0.39" in full.evaluate("e => e.textContent")
    page.locator("[data-choice='0']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    assert " 39" in full.evaluate("e => e.textContent")
    assert page.locator(".course [data-marks=pool] rect").count() == 0  # no plate over words


def test_words_on_a_canvas_change_with_the_theme(page: Page, app_address: str) -> None:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    opened(page, app_address, "alibi", "line")
    assert page.locator(".course canvas").evaluate(BRIGHTNESS) < 80
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    until(page, lambda: page.locator(".course canvas").evaluate(BRIGHTNESS) > 180, "light letters")


def test_the_needle_stays_within_its_text(page: Page, app_address: str) -> None:
    opened(page, app_address, "alibi", "far")
    needle = page.locator(".course [aria-label='How far back Halcyon is']")
    for key, back in (("Home", "159,743"), ("End", "30")):
        needle.press(key)
        stands(page)
        assert needle.get_attribute("aria-valuetext") == f"Halcyon, {back} back"
        assert page.locator(".course .reached [data-told=back]").inner_text() == back
    assert "needs 0.12" in page.locator(".course").inner_text()


def test_a_phone_shows_what_each_way_out_costs_and_how_its_keys_are_kept(
    page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, app_address, "running", "ways")
    told = page.locator(".course [data-marks=cost] text").evaluate_all(TEXTS)
    turned, run = ["keys turned: 64", "264,224", "264,224", "64"], ["tokens run: 64", "64"]
    assert [text for text in told if text] == [*turned, *run, "264,224", "64"]
    page.locator("[aria-label='Ways to keep the keys']").focus()
    shelf = page.locator(".course [data-marks='k shelf']").last
    drawn = {shelf.inner_html()}
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        stands(page)
        drawn.add(shelf.inner_html())
    assert len(drawn) == 4


def test_curves_of_one_colour_have_their_names(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "which", "tonight")
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    names = page.locator(".course [data-marks^='curves '] > text").evaluate_all(TEXTS)
    assert {"as trained", "linear", "NTK-aware", "YaRN: 53%"} <= {*names}


# Names and numbers that lie on the ring round the handle that has the focus.
RINGED = f"""() => {{ {SEEN}
  const hand = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
  const ring = hand.querySelector(".ring").getBoundingClientRect();
  const isOn = (box, by) => box.right > ring.left - by && box.left < ring.right + by
    && box.bottom > ring.top - by && box.top < ring.bottom + by;
  const isIn = (box) => box.left > ring.left && box.right < ring.right
    && box.top > ring.top && box.bottom < ring.bottom;
  return [...hand.closest("svg").querySelectorAll("text")]
    .filter((text) => text.textContent && isSeen(text) && !hand.contains(text))
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => isOn(box, -1) && !isIn(box)).map(([text]) => text);
}}"""


@pytest.mark.parametrize(
    ("screen", "step", "handle"),
    [
        ("scaling", "knees", "Knee of the ramp"),
        ("kv_cache", "squeeze", "What is kept"),
        ("running", "ways", "Ways to keep"),
        ("alibi", "bend", "The end of the line"),
    ],
)
def test_a_ring_round_a_handle_touches_no_name(
    screen: str, step: str, handle: str, page: Page, app_address: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES[:2]:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, app_address, screen, step)
        hand = page.locator(f".course [aria-label^='{handle}']:visible")
        hand.focus()
        for key in ("ArrowRight", "End"):
            hand.press(key)
            stands(page)
            assert page.evaluate(RINGED) == [], (width, key)


@pytest.mark.parametrize(
    ("screen", "step", "terms"),
    [("alibi", "bend", ("Kerple", "FIRE")), ("absolute", "learned", ("GPT-2",))],
)
def test_a_name_that_is_met_is_told_where_the_reader_is(
    screen: str, step: str, terms: tuple[str, ...], page: Page, app_address: str
) -> None:
    opened(page, app_address, screen, step)
    for term in terms:
        page.locator(".course .termed", has_text=term).click()
        assert page.locator(".course .term").inner_text().startswith(term)
        assert f"/course/{screen}/{step}/" in page.url
        page.keyboard.press("Escape")


def test_scores_are_compared_with_the_matrices_and_without(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "absolute", "matrices")
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    reached = page.locator(".course .reached")
    pair = page.locator(".course [aria-label='Place of the word']")
    pair.focus()
    page.keyboard.press("End")
    stands(page)
    assert not reached.is_visible()  # nothing was seen without them
    page.locator(".course [aria-label='Slider']").focus()
    page.keyboard.press("ArrowLeft")
    pair.focus()
    page.keyboard.press("Home")
    reached.wait_for()


def test_what_is_off_is_seen_when_a_sum_is_to_be_unmixed(page: Page, app_address: str) -> None:
    """One idea at a time: first what a sum is made of; then another sum, and what is off."""
    opened(page, app_address, "absolute", "add")
    parts = {"pins": "row place", "sums": "row place dot sum", "given": "sum", "off": "off"}
    shapes = {
        name: f".course [data-marks='{marks}'] :is(line, circle, rect)"
        for name, marks in parts.items()
    }

    def seen() -> set[str]:
        counts = f"all => {{ {SEEN} return all.filter(isSeen).length; }}"
        return {name for name in shapes if page.locator(shapes[name]).evaluate_all(counts)}

    assert seen() == {"pins", "sums"}
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    assert seen() == {"pins", "sums", "given", "off"}
    tried = page.locator(".course [data-marks=off] path")
    count = "all => all.map((one) => one.getAttribute('d').split('h4').length - 1).join()"
    assert tried.evaluate_all(count) == "0,1,0,0,0,0,0"
    word = page.locator(".course [aria-label^='The word that may']")
    for _ in range(4):
        word.press("ArrowRight")
    place = page.locator(".course [aria-label='Place of the word']:visible")
    for key in ["PageUp"] * 15 + ["ArrowRight"] * 2:
        place.press(key)
        stands(page)
    page.locator(".course .reached", has_text="sings at place 97").wait_for()
    assert tried.evaluate_all(count) == "0" + ",128" * 6


def test_a_curve_is_not_drawn_further_than_the_text_is_read(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "scaling", "reach")
    curve = page.locator(".course [data-marks='curve line_ntk'] path")
    broken = page.locator(".course [data-marks=curve] text", has_text="breaks")
    end = page.locator(".course [aria-label^='End of the text']")
    end.focus()
    for is_read_to_the_end in (False, True):
        drawn, knob = curve.bounding_box(), end.locator("circle").last.bounding_box()
        assert drawn is not None
        assert knob is not None
        middle = knob["x"] + knob["width"] / 2
        assert drawn["x"] + drawn["width"] == pytest.approx(middle, abs=3)
        assert broken.is_visible() == is_read_to_the_end
        for _ in range(13):
            page.keyboard.press("Shift+ArrowRight")
        stands(page)


def test_a_sentence_is_on_one_floor_when_only_its_full_stop_counts(
    page: Page, app_address: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "cope", "count")
    reached = page.locator(".course .reached")
    doors = page.locator(".course [aria-label^='Door under']")
    for door in (*range(3, 9), 9):  # Bob to slept, and its full stop
        assert reached.is_visible() == (door == 9)
        doors.nth(door).focus()
        for _ in range(2):
            page.keyboard.press("Shift+ArrowLeft")
        stands(page)
