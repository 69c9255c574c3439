"""Whatever is typed into a control gives a picture, or one sentence that names the control."""

import random
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.drive import SCREENS, figures, ids, open_screen

TEXTS = ("", "0", "-1", "1e400", "abc", "99999999", "1, 2", "🙂 ‮x", "nan", "1" * 70, "0:0, 9:1")
SYMBOL = re.compile(r"( \S{1,2})?( \(.*)?$")
"""After the words of a label: its letter in the formula, and what it says in brackets."""
TRIES = 12
"""Values that one picture is given."""
WITHOUT_CONTROLS = {"engines", "home", "pitfalls", "verified"}


def fields(app: AppTest) -> list[Any]:
    return [*app.number_input, *app.text_input, *app.text_area]


def values(field: Any) -> list[Any]:
    """Values in and around what a field takes."""
    if field.type != "number_input":
        return [*TEXTS]
    low, high = field.min, field.max
    near = [low - 1, low, low + 1, low + 2, field.value + 1, high - 1, high, high + 1]
    return [type(field.value)(one) for one in near]


def pictures_of(app: AppTest) -> list[str]:
    """Ids of the pictures of a screen; one that has no name where there is one alone."""
    found = [ids(one) for one in app.get("button_group") if one.key == "view"]
    return found[0] if found else [""]


def is_drawn(app: AppTest) -> bool:
    names = {one.proto.component_name for one in app.get("bidi_component")}
    return not names.isdisjoint({"posenc_chart", "posenc_moving"})


def check(app: AppTest, where: object) -> None:
    """A picture or a sentence; each sentence names a control by what stands above it."""
    assert not app.exception, where
    said = [one.value for one in (*app.error, *app.warning, *app.info)]
    assert is_drawn(app) or said, (where, "an empty place")
    labels = {SYMBOL.sub("", field.label).casefold() for field in fields(app)}
    for error in app.error:
        assert any(label in error.value.casefold() for label in labels), (where, error.value)


@pytest.mark.slow
@pytest.mark.parametrize("screen", sorted({*SCREENS} - WITHOUT_CONTROLS))
def test_any_value_gives_a_picture_or_a_sentence_with_the_label(screen: str) -> None:
    choose = random.Random(screen)
    for view in pictures_of(open_screen(screen)):
        query = {"view": view} if view else {}
        app = open_screen(screen, **query)
        for _try in range(TRIES):
            if not fields(app):
                break
            field = choose.choice(fields(app))
            value = choose.choice(values(field))
            where = (screen, view, field.key, value)
            field.set_value(value).run()
            check(app, where)


@pytest.mark.parametrize(
    ("screen", "query", "key", "value", "words"),
    [
        ("relative", {"view": "t5"}, "num_buckets", 33, "Buckets may be an even number"),
        ("rope", {"view": "matrix"}, "head_dim", 7, "Head width d may be an even number"),
        (
            "rope",
            {"view": "score"},
            "rotary_dim",
            5,
            "Rotated channels (0 means all) may be an even",
        ),
        ("scaling", {}, "head_dim", 7, "Head width d may be an even number from 4 to 512; got 7"),
    ],
)
def test_a_wrong_number_is_named_and_the_picture_stays(
    screen: str, query: dict[str, str], key: str, value: int, words: str
) -> None:
    app = open_screen(screen, **query)
    before = app.number_input(key=key).value
    drawn = len(figures(app))
    app.number_input(key=key).set_value(value).run()
    assert not app.exception
    (error,) = app.error
    assert words in error.value
    assert app.number_input(key=key).value == before
    assert len(figures(app)) == drawn


@pytest.mark.parametrize(
    ("screen", "address", "words"),
    [
        ("relative", {"view": "t5", "t5_max_distance": "2"}, "a whole number from 9 to 1,000,000"),
        ("relative", {"view": "t5", "num_buckets": "33"}, "an even number from 4 to 1,024"),
        ("rope", {"view": "score", "rotary_dim": "64"}, "an even number from 0 to 16"),
    ],
)
def test_a_wrong_number_of_an_address_is_told(
    screen: str, address: dict[str, str], words: str
) -> None:
    app = open_screen(screen, **address)
    assert not app.exception
    assert [words in one.value for one in app.warning] == [True]
    assert figures(app)


def test_a_long_query_does_not_spoil_a_narrow_head() -> None:
    sixteen = ", ".join(map(str, range(16)))
    app = open_screen("rope", view="matrix", head_dim="8", query=sixteen, vectors="typed")
    assert not app.exception
    assert not app.error
    assert figures(app)
    assert "Query q holds 16 numbers; the first 8 are taken." in [one.value for one in app.caption]
