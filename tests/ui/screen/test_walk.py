"""Where one is in a walk, as the address says it, and the order of the chapters."""

import pytest

from tests.pages.drive import go_to, open_screen


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
