"""Two hands in a real browser: dragged, moved by keys, heard, saved; the numbers are posenc's."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect

from posenc import rope_inv_freq
from posenc.rope.score import rope_score_at_distance, rope_score_terms
from posenc.scaling import YaRN
from posenc.scaling.coverage import arc_is_new
from tests.browser.conftest import answered, example, settle, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import go_to, visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

LLAMA = "?head_dim=128&base=10000&length=8192&trained=4096&m=7000&n=1000"
# Every new drawing of the query's hands.
COUNT = """() => {
  window.drawn = 0;
  const hands = document.querySelector(".posenc-hands path.query");
  new MutationObserver(() => (window.drawn += 1)).observe(hands, {attributeFilter: ["d"]});
}"""
LAID = "drawing => Number(drawing.getAttribute('width')) === drawing.parentElement.clientWidth"
# Of every text that is not clipped: its size, and where it stands.
TEXTS = """drawing => [...drawing.querySelectorAll("text")]
  .filter((text) => text.textContent && !text.closest("[clip-path]")).map((text) => {
    const {left, right, top, bottom} = text.getBoundingClientRect();
    return [text.textContent, parseFloat(getComputedStyle(text).fontSize), left, right, top,
      bottom];
  })"""
# The frame after the last in which the hands move.
RESTS = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const hands = () => document.querySelector(".posenc-hands path.query").getAttribute("d");
  let before;
  do { before = hands(); await frame(); await frame(); } while (hands() !== before);
}"""
EACH = "(all, names) => names.map((name) => all.querySelector('.' + name).innerText)"
# The tips of all hands of a kind, as angles on their dials.
ANGLES = r"""(kind) => {
  const path = document.querySelector(`.posenc-hands path.${kind}`).getAttribute("d");
  return [...path.matchAll(/M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)/g)].map(([, ...ends]) => {
    const [x, y, toX, toY] = ends.map(Number);
    return Math.atan2(y - toY, toX - x);
  });
}"""


def numbers(page: Page) -> dict[str, float]:
    """The numbers beside the drawing, read at once."""
    names = ["query", "key", "distance", "score"]
    texts = page.locator(".posenc-hands .numbers").evaluate(EACH, names)
    found = [said_number(re.search(r"= ([−\d.,]+)", text)[1]) for text in texts]
    return dict(zip(names, found, strict=True))


def written(page: Page) -> list[str]:
    """Terms below the dials, one for each pair."""
    texts = page.locator(".posenc-hands .term").all_text_contents()
    assert len(texts) == 8
    return texts


def handle(page: Page, name: str):
    return page.locator(f".posenc-hands .handle.{name}")


def grab(page: Page, name: str) -> tuple[float, float]:
    """Press the mouse on a handle; where it is."""
    box = handle(page, name).locator(".head > *").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def at_rest(page: Page) -> None:
    """Wait until no hand moves any more."""
    page.evaluate(RESTS)


def test_a_drag_asks_nothing_and_ends_in_the_address(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?tab=code")
    page.evaluate(COUNT)
    before = page.evaluate("runs.sent")
    x, y = grab(page, "query")
    places = set()
    for step in range(60):
        page.mouse.move(x + 6 * step, y)
        places.add(numbers(page)["query"])
    assert page.evaluate("drawn") > 20
    assert len(places) > 10
    assert page.evaluate("runs.sent") == before, "the server was asked while a hand was dragged"
    with answered(page):
        page.mouse.up()
    assert page.evaluate("runs.sent") == before + 1
    said = numbers(page)
    m = int(said["query"])
    assert m == max(places) > 20
    check(page, "/rope", tab="code", m=str(m))
    expect(page.locator(".st-key-m input")).to_have_value(str(m))
    code = page.locator("[role=tabpanel] [data-testid=stCode] code").first
    expect(code).to_contain_text(f"m = {m} ")
    page.reload()
    settle(page)
    assert numbers(page) == said
    go_to(page, "Explore", "ALiBi")
    with answered(page):
        page.go_back()
    assert numbers(page) == said


def test_both_move_on_and_arcs_and_score_stay(page: Page, app_address: str):
    visit(page, f"{app_address}/rope")
    at_rest(page)
    said, terms = numbers(page), written(page)
    before = torch.tensor([page.evaluate(ANGLES, kind) for kind in ("query", "key")])
    with answered(page):
        for _ in range(3):
            page.get_by_role("button", name="Both +1").click()
    at_rest(page)
    after = torch.tensor([page.evaluate(ANGLES, kind) for kind in ("query", "key")])
    theta = rope_inv_freq(16, 10000.0)[0]
    # A tip stands on a tenth of a pixel, some 38 pixels from the middle.
    turned = torch.remainder(after - before - 3 * theta + torch.pi, 2 * torch.pi) - torch.pi
    assert turned.abs().max() < 0.01
    moved = numbers(page)
    assert (moved["query"], moved["key"]) == (said["query"] + 3, said["key"] + 3)
    assert (moved["distance"], moved["score"]) == (said["distance"], said["score"])
    assert written(page) == terms
    check(page, "/rope", m="12", n="7")


def test_the_keyboard_moves_every_handle_within_its_range(page: Page, app_address: str):
    visit(page, f"{app_address}/rope")
    moves = {
        "query": [("ArrowRight", 10), ("End", 31), ("PageUp", 31), ("ArrowLeft", 30), ("Home", 4)],
        "key": [("ArrowRight", 4), ("Home", 0), ("ArrowUp", 1), ("PageDown", 0), ("End", 4)],
        "both": [("End", 31), ("ArrowDown", 30), ("Home", 0), ("PageUp", 4)],
        "upto": [("ArrowLeft", 7), ("Home", 1), ("PageUp", 3), ("End", 8)],
    }
    for name, keys in moves.items():
        made = handle(page, name)
        made.focus()
        expect(made).to_have_attribute("role", "slider")
        for key, value in keys:
            page.keyboard.press(key)
            expect(made).to_have_attribute("aria-valuenow", str(value))
            low, high = (int(made.get_attribute(f"aria-value{end}")) for end in ("min", "max"))
            assert low <= value <= high
        assert re.search(rf"\b{value}\b", made.get_attribute("aria-valuetext"))
    said = numbers(page)
    assert (said["query"], said["key"]) == (4, 4)
    check(page, "/rope", m="4")
    expect(page.locator(".posenc-hands [aria-live=polite]")).to_contain_text("0 apart")


def test_a_method_shows_the_numbers_of_posenc(page: Page, app_address: str):
    """Of the others, and of other sizes, what is sent is compared in tests/pages/rope."""
    visit(page, f"{app_address}/rope?m=26&n=2")
    head_dim, base, trained = 16, 10000.0, 16
    ones = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(head_dim // 2)
    plain = rope_inv_freq(head_dim, base)[0]
    for name, scaling in {"YaRN": YaRN(2.0, trained), "none": None}.items():
        with answered(page):
            page.locator(".posenc-hands label").filter(has_text=re.compile(f"^{name}$")).click()
        inv_freq, factor = rope_inv_freq(head_dim, base, scaling)
        distance = torch.tensor([int(numbers(page)["distance"])])
        places = ones, ones, inv_freq, distance, "interleaved", factor
        score = rope_score_at_distance(*places).item()
        assert numbers(page)["score"] == float(f"{score:.4f}")
        terms = [said_number(t) for t in written(page)]
        assert terms == [float(f"{term:.4f}") for term in rope_score_terms(*places)[0]]
        new = arc_is_new(int(distance), plain, trained, inv_freq)
        red = page.locator(".posenc-hands [role=radio][aria-label*='never met']")
        until(page, lambda new=new, red=red: red.count() == int(new.sum()), "dials say what is red")
        at_rest(page)
        sectors = page.locator(".posenc-hands path.new-arcs").get_attribute("d") or ""
        assert sectors.count("Z") == int(new.sum())
        said = page.locator(".posenc-hands [aria-live=polite]")
        if new.any():
            expect(said).to_contain_text(f"{int(new.sum())} of {len(new)}.")
        else:
            expect(said).to_contain_text("every arc ends at an angle that training has seen")


def test_it_plays_without_the_server_and_says_where_it_stopped(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?m=30&n=3")
    before = page.evaluate("runs.sent")
    score = numbers(page)["score"]
    page.get_by_role("button", name="Play", exact=True).click()
    places = set()

    def has_begun_again() -> bool:
        said = numbers(page)
        assert (said["distance"], said["score"]) == (27, score)
        places.add(said["key"])
        return places >= {4, 0, 1}  # a busy machine may miss one, and meets it the next time round

    until(page, has_begun_again, "both words are back at the beginning")
    assert page.evaluate("runs.sent") == before
    with answered(page):
        page.get_by_role("button", name="Pause").click()
    said = numbers(page)
    check(page, "/rope", m=str(int(said["query"])), n=str(int(said["key"])))


def test_a_dial_is_followed_by_click_and_by_arrows(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?method=yarn&content=own")
    dial = page.locator(".posenc-hands [role=radio]").nth(3)
    with answered(page):
        dial.locator("circle").click()
    expect(dial).to_have_attribute("aria-checked", "true")
    with answered(page):
        page.keyboard.press("ArrowRight")
    check(page, "/rope", method="yarn", content="own", hands_pair="4")
    assert page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true"
    words = page.locator(".st-key-follow_hands [data-testid=stCaptionContainer]").inner_text()
    value = said_number(re.match(r"Pair 4: (\S+) in float64", words)[1])
    drawn = written(page)[4]
    assert said_number(drawn) == float(f"{value:.4f}")
    shown = page.locator(".posenc-hands .followed").inner_text()
    assert shown.startswith("Pair 4: ")
    assert shown.endswith(f"The pair adds {drawn.lstrip('+')}.")


def test_a_preset_moves_the_hands_and_the_words_are_the_readers(page: Page, app_address: str):
    visit(page, f"{app_address}/rope")
    field = page.locator(".st-key-text textarea")
    with answered(page):
        field.fill("one two three four five")
        field.press("Control+Enter")
    expect(page.locator(".posenc-hands .numbers .key")).to_contain_text("five")
    with answered(page):
        example(page, "Llama-2-7B")
    assert numbers(page)["distance"] == 6000
    expect(page.locator(".posenc-hands [role=radio]")).to_have_count(64)
    with answered(page):
        page.go_back()
    assert numbers(page)["distance"] == 5
    expect(page.locator(".posenc-hands .numbers .key")).to_contain_text("five")
    page.locator(".st-key-trained").locator("input[type=range], [role=slider]").first.focus()
    expect(page.locator(".posenc-hands svg")).to_contain_text("trained on 16 positions")
    with answered(page):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".posenc-hands svg")).to_contain_text("trained on 32 positions")


def test_another_content_and_another_head_reach_the_drawing(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?head_dim=2&vectors=ones")
    methods = page.locator(".posenc-hands fieldset").first.locator("label")
    assert methods.all_inner_texts() == ["none", "linear", "YaRN"]
    with answered(page):
        example(page, "Eight clocks")
    assert methods.all_inner_texts() == ["none", "linear", "NTK-aware", "YaRN"]
    # Eight cosines reach 8; the query and the key of the controls reach ten times as much.
    ticks = page.locator(".posenc-hands svg .small")
    assert "50" not in ticks.all_text_contents()
    with answered(page):
        page.locator(".st-key-notice_1 button").first.click()
    assert "50" in ticks.all_text_contents()
    at_rest(page)
    height = float(page.locator(".posenc-hands svg").get_attribute("height"))
    assert 0.6 * height < float(page.locator(".posenc-hands .dot").get_attribute("cy")) < height


def test_who_wants_no_motion_gets_none(page: Page, app_address: str):
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{app_address}/rope")
    page.evaluate(COUNT)
    handle(page, "query").focus()
    with answered(page):
        page.keyboard.press("End")
    assert 1 <= page.evaluate("drawn") <= 2, "the hands are there at once"
    # None of them is left faint, as a hand is that moves too fast to be seen.
    assert len(page.evaluate(ANGLES, "query")) == 8


def test_pairs_are_added_up_one_by_one(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?rotary_dim=12&vectors=ones&content=own&method=yarn")
    bars, title = page.locator(".posenc-hands path.bars"), page.locator(".posenc-hands .title")
    handle(page, "upto").focus()
    before = page.evaluate("runs.sent")
    for key, count in (("Home", 1), ("ArrowRight", 2), ("End", 6)):
        page.keyboard.press(key)
        until(page, lambda count=count: bars.get_attribute("d").count("Z") == count, "the bars")
    expect(title.last).to_contain_text("Their sum")
    page.get_by_role("button", name="Add up").click()
    expect(title.last).to_have_text("Sum of the first 3 of 6 pairs")
    until(page, lambda: bars.get_attribute("d").count("Z") == 6, "all bars")
    assert page.evaluate("runs.sent") == before
    said = page.locator(".posenc-hands [aria-live=polite]")
    factor = YaRN(2.0, 16).cos_sin_factor ** 2
    expect(said).to_contain_text(f"multiplies what each pair adds by {factor:.4f}.")
    expect(said).to_contain_text("The channels that are not rotated add 4.0000.")


LONG_SENTENCE = "+".join(["unbelievably", "good"] * 12)
MOVING = {
    "hands": f"rope{LLAMA}",
    "odometer": "absolute?view=odometer&d_model=512&length=1024&words=two&a=1000&b=1023",
    "shuffle": f"why_position?head_dim=8&encoding=rope&order=shuffled&text={LONG_SENTENCE}",
}
"""Pictures that move, as full as they may be."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVING)
def test_every_text_is_large_enough_and_inside(name: str, page: Page, app_address: str):
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{app_address}/{MOVING[name]}")
    svg = page.locator(f".posenc-{name} svg")
    for width in (1280, 390, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        until(page, lambda: svg.evaluate(LAID), "the drawing has the width of its place")
        settle(page)
        drawing, texts = svg.bounding_box(), svg.evaluate(TEXTS)
        assert len(texts) > 30
        right, bottom = drawing["x"] + drawing["width"], drawing["y"] + drawing["height"]
        for text, size, x0, x1, y0, y1 in texts:
            assert size >= 9, text
            assert drawing["x"] - 1 <= x0 <= x1 <= right + 1, (width, text)
            assert drawing["y"] - 8 <= y0 <= y1 <= bottom + 1, (width, text)


def test_both_hands_stand_under_their_own_words_on_a_phone(page: Page, app_address: str):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{app_address}/rope?m=9&n=4")
    words = page.locator(".posenc-hands svg text[transform^=rotate]")
    shown = words.all_text_contents()
    assert len(shown) < 20  # of 32: the others have no room
    for name in ("query", "key"):
        own = page.locator(f".posenc-hands .numbers .{name} i, .posenc-hands .numbers .{name} em")
        assert own.inner_text() in shown
    stem = page.locator(".posenc-hands .handle.both .stem").get_attribute("d")
    assert re.search(r"M[\d.]+,[\d.]+v4$", stem)  # upright


def test_the_drawing_is_saved_and_its_address_copied(
    copying: Page, app_address: str, tmp_path: Path
):
    page = copying
    visit(page, f"{app_address}/rope?m=26&n=2&tab=code")
    for name, ending in (("Save as SVG", "svg"), ("Save as PNG", "png")):
        page.locator(".posenc-menu > summary").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        name = download.value.suggested_filename
        assert re.fullmatch(rf"rope-[a-z0-9-]{{10,}}\.{ending}", name), name
        download.value.save_as(tmp_path / f"hands.{ending}")
    drawing = ET.parse(tmp_path / "hands.svg").getroot()
    looks = [made.get("style", "") for made in drawing.iter()]
    assert not re.search(r"var\(|color\(|color-mix|light-dark", "".join(looks))
    texts = ["".join(made.itertext()) for made in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"lighthouse", "pair 7", "q", "k"} <= set(texts)
    metadata = drawing.find("{http://www.w3.org/2000/svg}metadata")
    assert metadata.text == f"{app_address}/rope?m=26&n=2", "in the file, and not on the picture"
    assert app_address not in " ".join(texts)
    said = page.locator(".posenc-hands .sentence").inner_text()
    assert said.startswith("Query at 26, key at 2: 24 apart")
    assert said in " ".join(texts)
    png = (tmp_path / "hands.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    width = int.from_bytes(png[16:20], "big")
    assert width == 2 * int(page.locator(".posenc-hands svg").bounding_box()["width"])
    page.locator(".posenc-menu > summary").focus()
    page.keyboard.press("Enter")
    page.evaluate("history.replaceState(null, '', location + '&embed_options=dark_theme')")
    page.get_by_role("button", name="Copy the address").press("Enter")
    expect(page.locator(".posenc-copied")).to_contain_text("the address")
    assert page.evaluate("navigator.clipboard.readText()") == f"{app_address}/rope?m=26&n=2"
    expect(page.get_by_role("button", name="Copy the address")).to_be_hidden()


def test_an_answer_that_comes_late_is_no_news(page: Page, app_address: str):
    """It once put a handle back that had been moved again before the server answered."""
    page.goto(f"{app_address}/_stcore/health")  # whatever can import it
    heard = page.evaluate(
        """async () => {
          const { Exchange } = await import("/course/-/static/pictures/tools.js");
          const exchange = Exchange(), sent = [];
          const told = (m) => exchange.tell({ m }, (name, report) => sent.push(report.at));
          const heard = (m) => exchange.hear({ at: { m }, echo: sent.at(-1) ?? 0 })?.m ?? null;
          const found = [heard(9)];
          told(31);
          found.push(heard(31), heard(5));  // its own place, then one that was typed elsewhere
          told(50);
          return [...found, heard(31), heard(9)];  // refused by the server, then the way back
        }"""
    )
    assert heard == [9, None, 5, 31, 9]
