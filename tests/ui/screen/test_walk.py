"""Where one is in a walk, as the address says it, and the order of the chapters."""

import pytest

from tests.conftest import ROOT
from tests.pages.drive import go_to, open_screen
from ui.screen.course import COURSE, after
from ui.screen.lesson import load


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        ({"step": "2"}, 2),
        ({"step": "lock"}, 3),
        ({"step": "0"}, 0),
        ({"view": "score"}, 0),
        ({"view": "score", "step": "lock"}, 3),
    ],
)
def test_an_address_names_a_step_or_sets_a_control_and_is_free(
    asked: dict[str, str], at: int
) -> None:
    app = open_screen("rope", **asked)
    assert not app.exception
    assert app.session_state["step"] == at
    assert bool(app.tabs) == (at == 0), "formula and numbers stand on the free screen"


def test_a_bare_address_is_the_beginning() -> None:
    assert go_to(open_screen("home"), "rope").session_state["step"] == 1


def test_the_course_goes_from_screen_to_screen() -> None:
    walked = [screen for screen in COURSE if load(screen).walk]
    lessons = (path.parent.name for path in (ROOT / "pages").glob("*/lesson.en.md"))
    assert {*walked} == {screen for screen in lessons if load(screen).walk}
    assert [after(screen) for screen in walked] == [*walked[1:], None]
