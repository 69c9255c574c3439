import math
from itertools import pairwise

import pytest

from posenc.quantity.step import words
from tests.pages.drive import metrics, open_screen, pictures, sentences
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


def test_the_first_picture_of_t5_numbers_its_buckets():
    first, matrix = pictures(open_screen("relative", view="t5"))
    assert [first["key"], matrix["key"]] == ["staircase", "t5"]
    numbers = [one["text"] for one in first["layout"]["annotations"]]
    assert numbers[:15] == [str(bucket) for bucket in range(1, 16)]
    assert numbers[15:] == [str(bucket) for bucket in range(17, 32)]
    assert {1, 2, 3, 12, 23, 46, 91} <= set(first["layout"]["xaxis"]["tickvals"])


@pytest.mark.parametrize(
    "query",
    [
        {"bidirectional": "false"},
        {"num_buckets": "320", "t5_max_distance": "800"},
        {"t5_max_distance": "1000000"},
    ],
)
def test_on_a_phone_t5_numbers_do_not_overlap(query):
    layout = pictures(open_screen("relative", view="t5", **query))[0]["layout"]
    pixels = 290 / math.log10(4 * int(query.get("t5_max_distance", 128)))
    axis = layout["xaxis"]
    ticks = [
        (math.log10(place), len(text))
        for place, text in zip(axis["tickvals"], axis["ticktext"], strict=True)
    ]
    numbers = [(one["x"], len(one["text"])) for one in layout["annotations"]]
    # Where a step is six pixels high, neighbours share no more than a corner.
    low, high = layout["yaxis"]["range"]
    width = 3 if 230 / (high - low) >= 6 else 6
    for row, letter in ((ticks, 7), (numbers, width)):
        assert len(row) > 5
        for (x, n), (after, m) in pairwise(row):
            assert after < x or (after - x) * pixels >= letter * (n + m) / 2  # or the next curve
