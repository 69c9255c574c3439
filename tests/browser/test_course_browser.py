"""Every step of every chapter that a picture tells, in six sizes: what its words say is drawn."""

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from course.chapters import COURSE
from course.page.words import Step, after, chapter, quiz
from tests.browser.conftest import settle, until
from tests.browser.test_screens_browser import accessible_in_the_dark_and_by_day
from tests.static.by_hand import by_hand

pytestmark = pytest.mark.browser

SIZES = [(1280, 720), (390, 844), (768, 1024), (1024, 640), (360, 640), (412, 780)]
SLOW = [pytest.param(*size, marks=pytest.mark.slow) for size in SIZES[1:]]
# What is wrong with the step that is shown, as sentences.
FAULTS = (Path(__file__).parent / "course_faults.js").read_text("utf-8")
SUMS = {*by_hand()}
"""Chapters with a sum by hand, and what else these have."""
# The smallest letters of the words and of the picture, in pixels of the window.
LETTERS = """course => {
  const scale = ({a, b} = {a: 1, b: 0}) => Math.hypot(a, b);
  const heights = (selector) => [...course.querySelectorAll(selector)]
    .filter((one) => one.textContent.trim() && one.checkVisibility({opacityProperty: true}))
    .map((one) => one.currentCSSZoom * parseFloat(getComputedStyle(one).fontSize)
      * scale(one.getScreenCTM?.()));
  return [".prose > p:not(.count)", "svg text"].map((one) => Math.min(...heights(one)));
}"""
# Space between the parts of the foot and the edge of the window; less than 0 where they overlap.
ROOM = """foot => {
  const all = [...foot.querySelectorAll(":scope > *, .dots i")].filter(
    (one) => one.checkVisibility()
  );
  const parts = all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
  const boxes = parts.map((one) => one.getBoundingClientRect()).filter((box) => box.width);
  boxes.sort((a, b) => a.left - b.left);
  const gaps = boxes.slice(1).map((box, i) => box.left - boxes[i].right);
  return Math.min(innerWidth - boxes.at(-1).right, ...gaps);
}"""
# The frame after the last in which the picture moves.
STANDS = """async (course) => {
  const frame = () => new Promise(requestAnimationFrame);
  do { await frame(); await frame(); }
  while (course.querySelector("figure").ariaBusy === "true");
}"""
# The title that stands there in the same frame as the press on Next; once all stands, those that
# are seen, and the window's. Each question from here would pass through two other processes.
PRESS_NEXT = f"""async (course) => {{
  course.querySelector(".next").click();
  const at_once = course.querySelector("h1").textContent;
  await ({STANDS})(course);
  const seen = [...course.querySelectorAll(".prose h1")].map((one) => one.innerText);
  return [at_once, seen, document.title];
}}"""
# The faults now, and once what is said when the task is reached is shown.
NOW = "(course) => window.faults(course)"
REACHED = """(course) => {
  const prose = course.querySelector(".prose");
  prose.querySelector(".reached").hidden = false;
  prose.classList.add("has-reached");
  return window.faults(course);
}"""
# How many files were loaded, and their bytes; headers count as those of `transferSize` do.
LOADED = """() => {
  const all = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
  return [all.length, all.reduce((sum, one) => sum + one.encodedBodySize + 300, 0)];
}"""
ASKED = "performance.getEntriesByType('resource').map(({ name }) => name)"
MOTION = """matchMedia("(prefers-reduced-motion: reduce)").matches ? "reduce" : "no-preference\""""
SEEN = "(one) => one.tabIndex === 0 && one.checkVisibility({opacityProperty: true})"

MOST_FILES = 36
MOST_BYTES = 400_000
MOVING = (COURSE[0], 1024)
"""The chapter and the width in which every frame between two steps is drawn by a browser: those of
all chapters are asked in node."""
HANDS = 3  # whose ends are looked at in a step
# Moves things as far as they go, as tasks ask, or presses them: the faults that the picture has
# then; marks may go.
AT_THE_ENDS = f"""async (course) => {{
  const [stands, faults, seen] = [{STANDS}, window.faults, {SEEN}];
  const hands = () =>
    [...course.querySelectorAll("svg [role=slider], svg [role=button]")].filter(seen);
  const found = [];
  for (let at = 0; at < {HANDS}; at += 1)
    for (const end of ["End", "Home"]) {{
      const hand = hands()[at];
      if (!hand) continue;
      const key = hand.role === "button" ? "Enter" : end;
      hand.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
      await stands(course);
      const told = faults(course).filter((one) => !one.includes("nothing is marked"));
      found.push(...told.map((one) => `${{end}}: ${{one}}`));
    }}
  return found;
}}"""


def opened(page: Page, address: str, screen: str, step: str) -> None:
    """Open a step: by its dot where its chapter is open, which is ten times as quick."""
    here = f"{address}/course/{screen}/"
    steps = [one.id for one in chapter(screen).steps]
    is_open = page.url.startswith(here) and "?" not in page.url
    if is_open and step in steps and page.url != f"{here}{step}/":
        motion = page.evaluate(MOTION)
        page.emulate_media(reduced_motion="reduce")
        page.locator(f".course [data-step='{steps.index(step)}']").evaluate("dot => dot.click()")
        stands(page)
        page.emulate_media(reduced_motion=motion)
    else:
        page.goto(f"{here}{step}/" if step in steps else f"{here}{step}")
        ready(page)
        stands(page)


def ready(page: Page) -> None:
    """Wait until scripts have taken over a step."""
    page.locator(".course .live").wait_for(state="attached")


def stands(page: Page) -> None:
    """Wait until the picture has come to its next state; without motion that takes two frames."""
    page.locator(".course").evaluate(STANDS)


def faults(page: Page, when: str = FAULTS) -> list[str]:
    found: list[str] = page.locator(".course").evaluate(when)
    return found


def faults_that_stay(page: Page, when: str) -> list[str]:
    """Those that do not go: labels pass each other while the last of a motion is drawn."""
    until(page, lambda: not faults(page, when), "a picture without faults")
    return []


def each_step(page: Page, screen: str) -> Iterator[Step]:
    """Every step of a chapter that is opened at its first, where the hand is at rest."""
    first, *others = chapter(screen).steps
    assert page.locator(".course .prose h1").inner_text() == first.title
    yield first
    for step in others:
        at_once, seen, title = page.locator(".course").evaluate(PRESS_NEXT)
        assert (at_once, seen) == (step.title, [step.title])
        assert title.startswith(f"{step.title} · ")
        assert page.url.split("?")[0].endswith(f"/course/{screen}/{step.id}/")
        yield step


def answer(page: Page, step: Step, *, is_wrong: bool = False) -> bool:
    """Choose the right answer where a step asks for one, or the wrong one of which most is said."""
    if not (step.guess and step.guess.options):
        return False
    choice = step.guess.right
    if is_wrong:
        wrong = [i for i in range(len(step.guess.options)) if i != choice]
        said = [
            len(step.guess.options[i]) + len(why)
            for i, why in zip(wrong, step.guess.wrong, strict=True)
        ]
        choice = wrong[said.index(max(said))]
    page.locator(f"[data-choice='{choice}']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    return True


@pytest.mark.parametrize(("width", "height"), [SIZES[0], *SLOW])
@pytest.mark.parametrize("screen", COURSE)
def test_every_step_is_whole_and_shows_what_its_words_name(
    screen: str, width: int, height: int, page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    is_moving = (screen, width) == MOVING
    page.emulate_media(reduced_motion="no-preference" if is_moving else "reduce")
    opened(page, app_address, screen, chapter(screen).steps[0].id)
    page.evaluate(f"() => {{ window.faults = {FAULTS} }}")
    files, sent = page.evaluate(LOADED)
    assert files <= MOST_FILES
    assert sent < MOST_BYTES
    page.evaluate("performance.clearResourceTimings()")
    wrong = {}
    look = faults_that_stay if is_moving else faults
    for step in each_step(page, screen):
        if found := look(page, NOW):
            wrong[step.id] = found
        if answer(page, step, is_wrong=width == 390) and (found := look(page, NOW)):
            wrong[f"{step.id}, answered"] = found
        if found := look(page, REACHED):
            wrong[f"{step.id}, reached"] = found
        if width in (1280, 390) and (found := page.locator(".course").evaluate(AT_THE_ENDS)):
            wrong[f"{step.id}, moved"] = found
    assert wrong == {}
    if width == 360:
        assert page.locator(".course .foot").evaluate(ROOM) >= 5
        lines = page.locator(".course .next .short").evaluate("e => e.getClientRects().length")
        assert lines == 1
    assert page.evaluate(ASKED) == [], "a step asks for nothing"
    assert page.evaluate("runs.lines") == 0, "there is no line to the server"
    if width == 1280:
        the_line_has_room_for_present(page)


def the_line_has_room_for_present(page: Page) -> None:
    """Over the last step, whose number is the longest."""
    line = page.locator(".course .count")
    for width in (360, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert line.evaluate("line => line.scrollWidth - line.clientWidth") <= 0, width
        assert line.evaluate("line => line.clientHeight") <= 28, width
        expect(page.get_by_role("link", name="Present", exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("screen", COURSE)
def test_a_chapter_is_magnified_for_a_projector(screen: str, page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, screen, "?present=1")
    for step in each_step(page, screen):
        assert faults(page) == [], step.id
        words, letters = page.locator(".course").evaluate(LETTERS)
        assert words > 26, step.id
        assert letters > 18, step.id


def test_a_chapter_is_played_with_keys_and_leads_to_the_next(page: Page, app_address: str) -> None:
    screen = "measured"
    lesson = chapter(screen)
    opened(page, app_address, screen, "")
    for step in lesson.steps[1:]:
        page.keyboard.press("PageDown")
        until(
            page,
            lambda step=step: page.locator(".course h1").inner_text() == step.title,
            f"the step {step.id}",
        )
    page.go_back()
    until(
        page,
        lambda: page.locator(".course h1").inner_text() == lesson.steps[-2].title,
        "the step before",
    )
    page.keyboard.press("ArrowRight")
    following = after(screen)
    assert following is not None
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"{app_address}/course/{following}/")


@pytest.mark.slow
@pytest.mark.parametrize("screen", COURSE)
def test_a_chapter_is_accessible_and_has_its_sentence_in_numbers(
    screen: str, page: Page, app_address: str
) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    opened(page, app_address, screen, "")
    accessible_in_the_dark_and_by_day(page, screen)
    has_sum = "by_hand" in chapter(screen).labels
    assert has_sum == (screen in SUMS)
    button = page.get_by_role("button", name="In numbers")
    assert button.count() == has_sum
    if has_sum:
        button.click()
        assert not re.search(r"undefined|NaN|\[\[|\{", page.locator(".course .term").inner_text())
    if screen == "scaling":
        opened(page, app_address, screen, "rule")  # of keys in a crowd the sum says nothing
        assert button.count() == 0


def test_the_ways_of_a_step_say_where_they_lead(page: Page, app_address: str) -> None:
    opened(page, app_address, "rope", "lock")
    page.locator(".course .more summary").click()
    assert page.locator(".course .more a").all_inner_texts() == [
        "Previous chapter: ALiBi",
        "All chapters",
        "Next chapter: Why RoPE",
        "Five questions on this",
        "Add to playlist",
    ]


def test_a_step_is_saved_for_a_slide(page: Page, app_address: str) -> None:
    opened(page, app_address, "scaling", "crowd")  # half of it stands on a canvas
    page.locator(".course .more summary").click()
    with page.expect_download() as slide:
        page.get_by_role("button", name="Save for a slide").click()
    assert slide.value.suggested_filename == "scaling-crowd-slide.png"
    png = slide.value.path().read_bytes()
    assert struct.unpack(">II", png[16:24]) == (1920, 1080)
    assert b"/course/scaling/crowd/" in png, "where it comes from stands in the file"
    assert len(png) > 500_000, "the crowd's dots are in it"


def test_a_step_is_added_to_the_playlist_and_presented(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/_stcore/health")
    page.evaluate("localStorage.setItem('posenc-playlist', 'cope?gates=open')")
    opened(page, app_address, "rope", "lock")
    page.locator(".course .more summary").click()
    page.get_by_role("link", name="Add to playlist").click()
    page.get_by_text("Entry 2 of the playlist: RoPE, step 3").wait_for()
    kept = "localStorage.getItem('posenc-playlist')"
    assert page.evaluate(kept) == "cope?gates=open\ncourse/rope/lock"
    page.get_by_role("link", name="Present", exact=True).click()
    page.wait_for_url("**/course/rope/lock/?present=1")
    ready(page)
    assert page.locator("#site").is_hidden()
    page.keyboard.press("Escape")
    page.wait_for_url("**/course/rope/lock/")


def test_the_words_of_a_chapter_are_read_without_scripts(
    new_page: Callable[..., Page], app_address: str
) -> None:
    page = new_page(java_script_enabled=False)
    lesson = chapter("rope")
    page.goto(f"{app_address}/course/rope/")
    shown = page.locator("main").inner_text()
    assert all(step.title in shown for step in lesson.steps)
    page.goto(f"{app_address}/course/rope/lock/")
    assert page.locator("h1").inner_text() == lesson.steps[2].title
    assert page.get_by_text("It stays").is_visible()
    page.get_by_role("link", name="Next →").click()
    assert page.url.endswith(f"/course/rope/{lesson.steps[3].id}/")


def test_a_step_of_earlier_addresses_is_the_same_step(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/rope?step=lock")
    assert page.url == f"{app_address}/course/rope/lock/"
    page.goto(f"{app_address}/course?part=glossary")
    assert page.url == f"{app_address}/course/glossary/"
    assert page.locator("#pair").is_visible()


def test_answers_to_ten_questions_are_in_the_address(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/course/questions/")
    for at, question in enumerate(page.locator(".quiz > ol > li").all()):
        right = question.locator("[data-right]")
        (right if at else question.locator("input:not([data-right])").first).check()
        expect(question.locator(".why:visible")).to_contain_text("Right." if at else "No.")
    result = page.locator(".result")
    expect(result).to_contain_text("9 of 10 right.")
    assert result.get_by_role("link").inner_text() == chapter(quiz()[0]["screen"]).title
    page.reload()
    expect(result).to_contain_text("9 of 10 right.")


def test_a_frame_writes_only_what_changes(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "absolute", "row")
    page.locator(".course figure svg").evaluate("""svg => {
      window.written = new Set();
      const note = ({ target, attributeName }) => written.add(`${target.tagName} ${attributeName}`);
      const all = { attributes: true, subtree: true };
      new MutationObserver((changes) => changes.forEach(note)).observe(svg, all);
    }""")
    page.locator(".course [aria-label='Place of the word']:visible").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: "circle cy" in page.evaluate("[...written]"), "the tips have moved")
    assert "svg viewBox" not in page.evaluate("[...written]")


@pytest.mark.parametrize(
    ("screen", "step", "keys"),
    [
        ("absolute", "learned", [("Place of the word", "Shift+ArrowRight", 7)]),
        ("alibi", "measured", [("Beginning of the text", "ArrowRight", 2)]),
        ("relative", "row", [("The key's word", "ArrowLeft", 4)]),
    ],
)
def test_nothing_is_struck_through_on_the_way_to_a_goal(
    screen: str, step: str, keys: list[tuple[str, str, int]], same_page: Page, app_address: str
) -> None:
    page = same_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, screen, step)
    answer(page, next(one for one in chapter(screen).steps if one.id == step))
    for label, key, times in keys:
        page.locator(f'.course [aria-label="{label}"]:visible').focus()
        for _ in range(times):
            page.keyboard.press(key)
            stands(page)
            assert faults(page) == []
    page.locator(".course .reached").wait_for()


def test_an_answer_lights_its_marks_and_a_key_is_dragged(page: Page, app_address: str) -> None:
    opened(page, app_address, "running", "stale")
    bars = page.locator(".course [data-marks='bars pair']")
    assert bars.evaluate("e => Number(e.style.opacity)") < 1
    page.locator("[data-choice='1']").press("Enter")
    page.locator(".course .answer b").wait_for()
    until(page, lambda: bars.evaluate("e => e.style.opacity") == "1", "the bars are lit")
    stands(page)
    key = page.locator("[aria-label='The kept key, by its place in the text']")
    box = key.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 36, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 36, y, steps=4)
    page.mouse.up()
    assert key.get_attribute("aria-valuenow") == "0"


def test_what_was_answered_and_seen_stays_in_this_browser(page: Page, app_address: str) -> None:
    opened(page, app_address, "rope", "lock")
    page.locator("[data-choice='0']").click()
    page.locator(".course .answer").get_by_text("Wrong.").wait_for()
    page.reload()
    page.locator(".course .answer").get_by_text("It falls").wait_for()
    assert page.locator("[data-choice]").count() == 0
    kept = page.evaluate("JSON.parse(localStorage['posenc-course'])")
    assert kept["answers"] == {"rope": {"lock": 0}}
    assert kept["last"] == {"screen": "rope", "at": 3}


def test_a_task_is_noticed_in_passing_and_keeps_its_numbers(page: Page, app_address: str) -> None:
    opened(page, app_address, "rope", "turn")
    # Every module of a chapter is of one release.
    modules = [url for url in page.evaluate(ASKED) if "/course/-/" in url and url.endswith(".js")]
    assert len(modules) > 10
    (release,) = {url.split("/course/-/")[1].split("/")[0] for url in modules}
    assert release.startswith("release-")
    page.locator(".course [role=slider]:visible").first.focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        stands(page)
    page.locator(".course .reached").wait_for()
    live = page.locator(".course .live")
    until(page, lambda: "Query at place 9." in live.inner_text(), "the state is said")
    assert "Place 6: turned by 344°" in live.inner_text()
    assert "Place 6: turned by 344°" in page.locator(".course .reached").inner_text()


def test_explore_opens_the_screen_with_the_example_of_the_step(
    page: Page, app_address: str
) -> None:
    opened(page, app_address, "rope", "second")
    with page.expect_navigation():
        page.get_by_role("link", name="Explore →").click()
    settle(page)
    assert urlsplit(page.url).path == "/rope"
    assert page.locator("[data-testid=stTopNav], h1").first.is_visible()
    page.get_by_text("q m = 9").wait_for()


def test_a_word_lights_its_mark_and_dims_the_rest(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "rope", "lock")
    wedge, key = (
        page.locator(f".course [data-marks='{name}'] path").first for name in ("arc", "k")
    )
    dimmed = "e => Number(getComputedStyle(e.parentNode).opacity)"
    page.locator(".course [data-mark=arc]").hover()
    until(page, lambda: key.evaluate(dimmed) < 0.3, "the key is dimmed")
    assert wedge.evaluate(dimmed) == 1
    page.locator(".course h1").hover()
    until(page, lambda: key.evaluate(dimmed) == 1, "the key is lit again")
    # All that a browser says when an answer's words take the place of the button, under a pointer
    # that rests; what is dimmed is so at once.
    page.emulate_media(reduced_motion="reduce")
    page.locator(".course [data-mark=arc]").dispatch_event("pointerover")
    stands(page)
    assert key.evaluate(dimmed) == 1


def test_what_is_said_follows_a_handle_while_it_is_true(same_page: Page, app_address: str) -> None:
    page = same_page
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "kv_cache", "work")
    work = next(step for step in chapter("kv_cache").steps if step.id == "work")
    answer(page, work)
    stands(page)
    length = page.locator(".course [aria-label='Length of the text in words']")
    length.focus()
    for _ in range(9):
        page.keyboard.press("PageDown")
    stands(page)
    said = page.locator(".course .reached [data-told=words]")
    for _ in range(8):
        if said.is_visible():
            break
        page.keyboard.press("ArrowLeft")
        stands(page)
    first = said.inner_text()
    page.keyboard.press("ArrowLeft")
    stands(page)
    last = said.inner_text()
    assert first != last
    assert length.get_attribute("aria-valuetext") == f"{last} words"
    page.keyboard.press("PageDown")  # the shelf saves less then
    stands(page)
    assert said.inner_text() == last
    assert page.url.endswith("kv_cache/work/")


def test_no_stem_strikes_through_the_number_of_a_place(same_page: Page, app_address: str) -> None:
    page = same_page
    number = page.locator(".course [data-marks=strip] text", has_text=re.compile("^4$"))
    for step in ("second", "unseen"):
        opened(page, app_address, "rope", step)
        stem = page.locator(".course [data-marks=k] [role=slider] line").bounding_box()
        name = number.bounding_box()
        assert stem is not None
        assert name is not None
        assert stem["x"] == pytest.approx(name["x"] + name["width"] / 2, abs=2), step
        assert stem["y"] + stem["height"] <= name["y"] + 2, step


def test_a_term_opens_its_sentence_and_a_small_picture(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "rope", "unseen")
    for width, height in ((1280, 720), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        stands(page)
        page.locator(".course [data-term=trained_length]").click()
        note = page.locator(".course .term")
        assert "trained length How many tokens" in note.inner_text()
        inner, outer = note.locator("svg").bounding_box(), note.bounding_box()
        assert inner is not None
        assert outer is not None
        assert outer["y"] < inner["y"]
        assert inner["y"] + inner["height"] < outer["y"] + outer["height"]
        assert inner["width"] > 200
        assert outer["x"] >= 0
        assert outer["y"] >= 0
        assert outer["x"] + outer["width"] <= width
        page.keyboard.press("Escape")
        assert not note.is_visible()


def test_a_sentence_in_numbers_moves_nothing(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "rope", "lock")
    for width, height in ((1280, 720), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        stands(page)
        title = page.locator(".course h1").bounding_box()
        page.get_by_role("button", name="In numbers").click()
        note = page.locator(".course .term")
        assert note.locator("tbody th").all_inner_texts() == ["Ann", "sees", "the", "red", "boat"]
        shares = note.locator("td.share").all_inner_texts()
        assert shares == ["9%", "17%", "22%", "30%", "22%"]  # tests/static/by_hand.py
        assert page.locator(".course h1").bounding_box() == title
        assert note.evaluate("e => e.scrollWidth <= e.clientWidth")
        note.get_by_role("button", name="Close").click()
        assert not note.is_visible()


def test_a_door_shuts_though_the_next_is_tapped_at_once(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "cope", "count")
    stands(page)
    words = ("Bob", "ran", "fell", "slept")
    doors = [page.get_by_role("slider", name=f"Door under {word}") for word in words]
    doors += page.get_by_role("slider", name="Door under ,").all()
    boxes = [door.bounding_box() for door in doors]
    for box in boxes:
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stands(page)
    for door in doors:
        expect(door).to_have_attribute("aria-valuenow", "0")
    page.locator(".course .reached").wait_for()


def test_what_an_answer_names_is_lit_with_it(same_page: Page, app_address: str) -> None:
    page = same_page
    opened(page, app_address, "absolute", "beyond")
    alone = page.locator(".course [data-marks=alone]").last
    lit = "e => Number(getComputedStyle(e).opacity)"
    until(page, lambda: alone.evaluate(lit) < 0.5, "what no word names is dim")
    (asked,) = (one for one in chapter("absolute").steps if one.id == "beyond")
    assert answer(page, asked)
    until(page, lambda: alone.evaluate(lit) == 1, "what the answer names is lit")


def test_a_place_is_whole_at_the_edge_of_a_phone(same_page: Page, app_address: str) -> None:
    page = same_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "absolute", "digits")
    place = page.get_by_role("slider", name="Place of the word")
    place.press("End")
    stands(page)
    box = place.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390


@pytest.mark.slow
@pytest.mark.parametrize("screen", COURSE)
def test_a_finger_drags_the_picture_and_the_page_stays(
    screen: str, phone: Page, app_address: str
) -> None:
    page = phone
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, screen, "")
    client = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = [{"x": x, "y": y} for x, y in points]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    for step in each_step(page, screen):
        answer(page, step)
        handle = page.locator(".course [role=slider]:visible").first
        box = handle.bounding_box() if handle.count() else None
        if box is None:
            continue
        before = page.locator(".course svg").inner_html()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch("touchStart", (x, y))
        for far in (8, 24, 48):
            touch("touchMove", (x + (far if x < 195 else -far), y + far / 2))
        stands(page)
        has_moved = page.locator(".course svg").inner_html() != before
        touch("touchEnd")
        assert page.evaluate("scrollY") == 0
        if has_moved:
            return
    raise AssertionError("nothing of the chapter follows a finger")
