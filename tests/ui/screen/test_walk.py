"""Every step of every walk shows what it speaks of, and the address says where one is."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import frontmatter
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from tests.conftest import ROOT
from tests.pages.drive import (
    SCREENS,
    figures,
    go_to,
    open_screen,
    sentences,
    whole_address,
    without_notebook,
)
from ui.screen.course import COURSE, after
from ui.screen.lesson import WalkStep, load

WALKED = [screen for screen in SCREENS if load(screen).walk and not load(screen).picture]
COUNTED = 12  # what is counted at a glance, and small examples, may be typed
EXAMPLES = {
    "50",
    "100",
    "180",
    "500",
    "1,000",
    "3,000",
    "5,000",
    "6,000",
    "100,000",
    "2.3",
}  # of no picture

NO_NUMBERS = re.compile(r"\{[^}]*\}|(Llama|Gemma|SmolLM|DeepSeek)[ -]V?[\d.]*\d(-\d+B)?")


def state_of(app: AppTest, settings: Mapping[str, object]) -> dict[str, object]:
    return {key: app.session_state[key] for key in settings}


def ends(figure: dict[str, Any], axis: str) -> tuple[float, float]:
    """Where a picture ends: a matrix half a step beyond its first and last position."""
    x0, x1, y0, y1 = figure.get("full") or (None,) * 4
    full = [x0, x1] if axis == "x" else [y0, y1]
    if None in full:
        full = [value for curve in figure["data"] for value in curve[axis]]
    return min(full), max(full)


def keys(block: Block) -> Iterator[str]:
    """The ids, which end in their keys, of everything in a block that has one."""
    for child in block.children.values():
        yield str(getattr(child.proto, "id", ""))
        if isinstance(child, Block):
            yield from keys(child)


def check(app: AppTest, step: WalkStep) -> None:
    """The controls are as the step sets them, and what it outlines is there."""
    assert not app.exception
    assert sentences(app) == []
    assert state_of(app, step.settings) == step.settings
    assert any(header.value == step.title for header in app.header)
    if step.outline is None:
        return
    assert any(key.endswith(f"-{step.outline.key}") for key in keys(app.main))
    for axis, part in (("x", step.outline.x), ("y", step.outline.y)):
        if part is not None:
            (figure,) = [one for one, _ in figures(app) if one["key"] == step.outline.key]
            first, last = ends(figure, axis)
            assert first <= part[0] < part[1] <= last


@pytest.mark.parametrize("screen", WALKED)
def test_every_step_shows_what_it_speaks_of_opened_or_reached_by_next(screen: str) -> None:
    walk, app = load(screen).walk, open_screen(screen, step="1")
    for at, step in enumerate(walk, 1):
        opened = open_screen(screen, step=str(at)) if at > 1 else app
        assert without_notebook(opened) == set()
        check(opened, step)
        assert whole_address(app) == whole_address(opened)
        assert whole_address(app)["step"] == [str(at)]
        forward = [button for button in app.button if button.key == "walk_next"]
        assert len(forward) == (at < len(walk))
        if forward:
            forward[0].click().run()
    app.button(key="walk_back").click().run()
    assert whole_address(app)["step"] == [str(len(walk) - 1)]


@pytest.mark.parametrize("screen", WALKED)
def test_the_free_screen_is_one_press_away_with_the_steps_settings(screen: str) -> None:
    at = len(load(screen).walk) - 1
    app = open_screen(screen, step=str(at))
    before = whole_address(app)
    app.button(key="walk_free").click().run()
    assert {key: to for key, to in whole_address(app).items() if key != "step"} == {
        key: to for key, to in before.items() if key != "step"
    }
    assert not [button for button in app.button if button.key == "walk_next"]
    app.button(key="walk_return").click().run()
    assert whole_address(app) == before


@pytest.mark.parametrize("screen", WALKED)
def test_the_controls_of_a_step_are_set_and_not_drawn(screen: str) -> None:
    settings = load(screen).walk[2].settings
    app = open_screen(screen, step="3")
    assert not [*app.number_input, *app.select_slider, *app.selectbox]
    app.button(key="walk_next").click().run()
    app.button(key="walk_back").click().run()
    app.button(key="walk_free").click().run()
    assert state_of(app, settings) == settings


def test_an_address_that_sets_a_control_is_free_and_a_bare_one_is_the_beginning() -> None:
    assert go_to(open_screen("measured"), "kv_cache").session_state["step"] == 1
    assert whole_address(open_screen("kv_cache", view="window")) == {"view": ["window"]}
    assert whole_address(open_screen("kv_cache", step="0")) == {"step": ["0"]}


@pytest.mark.parametrize("wrong", ["99", "-1", "x", "1.5", ""])
def test_a_step_that_is_none_is_named(wrong: str) -> None:
    app = open_screen("why_position", step=wrong)
    (sentence,) = sentences(app)
    assert "step" in sentence
    assert whole_address(app) == {}


@pytest.mark.parametrize("screen", WALKED)
def test_numbers_in_the_words_are_computed_or_those_of_the_settings(screen: str) -> None:
    walk = frontmatter.load(str(ROOT / "pages" / screen / "lesson.en.md"))["walk"]
    for step in walk:
        words = " ".join(str(step.get(name, "")) for name in ("title", "text", "ask", "answer"))
        typed = set(re.findall(r"\d[\d,.]*\d|\d", NO_NUMBERS.sub("", words))) - EXAMPLES
        given = {str(value) for value in step.get("settings", {}).values()}
        for number in typed - given:
            assert number.isdigit(), (step["title"], number)
            assert int(number) <= COUNTED, (step["title"], number)


def test_the_course_goes_from_screen_to_screen() -> None:
    walked = [screen for screen in COURSE if load(screen).walk]
    lessons = (path.parent.name for path in (ROOT / "pages").glob("*/lesson.en.md"))
    assert {*walked} == {screen for screen in lessons if load(screen).walk}
    assert [after(screen) for screen in walked] == [*walked[1:], None]
