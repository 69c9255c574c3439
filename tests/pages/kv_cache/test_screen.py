import numpy as np
import pytest
import torch
from streamlit.runtime.state.query_params import QueryParams

from pages.kv_cache import decoding
from tests.pages.drive import (
    address,
    drawn,
    links_of,
    metrics,
    open_screen,
    pictures,
    sentences,
)
from tests.pages.test_screens import check_snippet
from ui.screen.budget import POOL

SENTENCE = "The cat sat on the mat because the mat was warm."


def test_an_address_from_before_the_walk_opens_its_decoding_step():
    app = open_screen("kv_cache", step="11", rotate_on_write="false")
    assert sentences(app) == []
    assert address(app) == {"decoding_step": ["11"], "rotate_on_write": ["false"]}
    assert metrics(app)["keys rotated in this step"] == "11 of 11"


def test_what_is_cached_and_what_is_rotated():
    written = open_screen("kv_cache", decoding_step="5")
    assert metrics(written)["in the cache"] == "2 × (1, 4, 5, 16)"
    assert metrics(written)["bytes"] == "5.0 KiB"  # 2 · 4 · 5 · 16 numbers of 8 bytes
    assert metrics(written)["keys rotated in this step"] == "1 of 5"
    assert float(metrics(written)["largest difference from one full pass"]) < 1e-12
    read = open_screen("kv_cache", decoding_step="5", rotate_on_write="false")
    assert metrics(read)["keys rotated in this step"] == "5 of 5"


@pytest.mark.parametrize("name", ["cope", "transformer_xl"])
def test_these_rotate_no_key(name):
    app = open_screen("kv_cache", encoding=name)
    assert metrics(app)["keys rotated in this step"] == "none"
    assert pictures(app)[1]["layout"]["title"]["text"].endswith("not rotated")


def test_of_many_tokens_the_first_are_decoded():
    many = open_screen("kv_cache", text="a " * 300)
    assert sentences(many) == ["The text has 300 tokens; the first 256 are decoded here."]
    assert drawn(pictures(many)[0]).shape == (256, 256)


WINDOW = {"view": "window", "decoding_step": "12", "window": "4", "sinks": "2"}


def test_a_window_under_the_texts_positions_is_a_masked_pass():
    app = open_screen("kv_cache", **WINDOW)
    assert not app.exception
    assert sentences(app) == []
    index = torch.arange(12)
    near = (index[:, None] - index < 4) | (index < 2)
    mask = near & (index <= index[:, None])
    np.testing.assert_array_equal(np.isnan(drawn(pictures(app)[0])), ~mask)
    assert metrics(app)["in the cache"] == "6 of 12 tokens"
    assert metrics(app)["farthest distance told"] == "11"
    assert metrics(app)["largest score difference"] == "0"


def test_renumbered_keys_rotated_again_and_not():
    told = {}
    for written in ("false", "true"):
        app = open_screen(
            "kv_cache", **WINDOW, numbering="cache", rotate_on_write=written, tab="code"
        )
        check_snippet(app)
        told[written] = drawn(pictures(app)[1])[11, [0, 1, 8, 9, 10, 11]].tolist()
        assert float(metrics(app)["largest score difference"]) > 0.01
    assert told == {"false": [5, 4, 3, 2, 1, 0], "true": [5, 4, 0, 0, 0, 0]}
    plain = open_screen(
        "kv_cache", **WINDOW | {"sinks": "0"}, numbering="cache", rotate_on_write="false"
    )
    assert float(metrics(plain)["largest score difference"]) < 1e-12


def test_streamlit_itself_never_writes_the_address(monkeypatch):
    """It sends the whole address as the run knew it, and each time as a step for Back."""
    sent = []
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", lambda self: sent.append(str(self)))
    app = open_screen("kv_cache", decoding_step="3", window="nonsense")
    app.text_area(key="text").set_value(SENTENCE * 2).run()
    app.slider(key="decoding_step").set_value(7).run()
    assert app.slider(key="decoding_step").value == 7
    asked = {"text": [SENTENCE * 2], "decoding_step": ["7"], "window": ["nonsense"]}
    assert address(app) == asked
    assert sent == []


def test_a_text_may_shrink_to_one_token_and_grow_again():
    app = open_screen("kv_cache")
    for text, steps in (("x", []), ("a b c", [3]), ("x", []), ("a b", [2])):
        app.text_area(key="text").set_value(text).run()
        assert not app.exception
        assert len(drawn(pictures(app)[0])) == len(text.split())
        assert [(one.value, one.max) for one in app.slider if one.key == "decoding_step"] == [
            (most, most) for most in steps
        ]


@pytest.mark.parametrize(
    ("view", "model"), [("growing_base", "Llama-2-7B"), ("longrope", "Phi-3-mini-128k")]
)
def test_a_known_models_cache_leads_to_config(view: str, model: str) -> None:
    app = open_screen("kv_cache", view=view, prompt="4096", decoded="2048")
    links = [one.proto.label for one in links_of(app)]
    assert f"{model} to 6,144 tokens: what to set" in links


def test_the_weights_of_a_wide_model_are_drawn_in_a_seat(monkeypatch):
    """That is Python, which thirty lines at a time kept from everybody else for 14 s."""
    seats = []
    project = decoding.TextSettings.project

    def counted(self, encoding):
        seats.append(POOL.seats)
        return project(self, encoding)

    monkeypatch.setattr(decoding.TextSettings, "project", counted)
    for view in ("decoding", "window"):
        open_screen("kv_cache", view=view, num_heads="16", head_dim="128")
    assert set(seats) == {POOL.seats - 1}


@pytest.mark.parametrize("step", ["1", "7", "12"])
def test_the_newest_step_is_followed_until_a_cell_is_chosen(step):
    app = open_screen("kv_cache", decoding_step=step)
    newest = int(step) - 1
    assert any(one.value.startswith(f"Row {newest}, column ") for one in app.caption)
    assert not any("nothing to compute" in one.value for one in app.caption)
