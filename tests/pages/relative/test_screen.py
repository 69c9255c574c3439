import pytest

from posenc.quantity.step import words
from tests.pages.drive import metrics, open_screen, sentences
from tests.pages.test_screens import check_panels


def test_the_id_of_the_far_past():
    app = open_screen("relative", max_distance="20", convention="query_minus_key")
    assert metrics(app)["id of the far past"] == "40"


@pytest.mark.parametrize(
    ("bidirectional", "used", "unused", "last"),
    [(True, "31 of 32", "16", "distance 91"), (False, "32 of 32", "none", "distance 113")],
)
def test_t5(bidirectional, used, unused, last):
    app = open_screen("relative", view="t5", length="200", bidirectional=str(bidirectional))
    shown = metrics(app)
    assert shown["buckets in use"] == used
    assert shown["never used"] == unused
    assert shown["last bucket starts at"] == last


def test_memory():
    app = open_screen("relative", view="memory", num_heads="4", head_dim="32")
    assert metrics(app)["scores, L = 4096"] == "256.0 MiB"


@pytest.mark.parametrize(
    ("view", "key", "places"),
    [
        ("ids", "signs", ("j-i, 3, 9", "i-j, 3, 9")),
        ("shaw", "scores", ("content, 5, 2", "key, 5, 2", "sum, 2, 20")),
        ("shaw", "outputs", ("values, 5, 2", "embeddings, 7, 0", "output, 23, 3")),
        ("padding", "ids_changed", ("rope, 5, 1", "fire, 3, 2", "sinusoidal, 4, 4")),
    ],
)
def test_any_cell_of_any_panel_is_followed_to_the_number_drawn(view, key, places):
    for place in places:
        app = open_screen("relative", view=view, **{f"{key}_at": place})
        assert not app.exception
        assert sentences(app) == []
        check_panels(app, key)


def test_an_encoding_that_refuses_the_ids_has_nothing_to_follow():
    app = open_screen("relative", view="padding", ids="3, 4, 999", ids_changed_at="learned, 2, 0")
    assert not app.exception
    refused = words("the encoding does not take these ids")
    assert any(refused in markdown.value for markdown in app.markdown)
