"""Every screen: at its defaults, at every control's ends, and with hostile addresses."""

import contextlib
import io

import numpy as np
import pytest
import torch

from tests.pages.drive import SCREENS, drawn, figures, open_screen, sentences

HOSTILE = ["nan", "-1", "1e99", "abc", "", "💥", "9" * 400, "<script>alert(1)</script>"]
PAYLOAD = 1_300_000  # bytes: 512 x 512 float32 and its header


@pytest.mark.parametrize("screen", SCREENS)
def test_default(screen):
    app = open_screen(screen)
    assert not app.exception
    assert sentences(app) == []
    assert app.title
    assert figures(app), "a screen without a picture"
    for _, size in figures(app):
        assert size < PAYLOAD


@pytest.mark.parametrize("screen", SCREENS)
def test_every_tab_opens(screen):
    for tab in ("Formula", "Numbers", "Code", "Sources"):
        app = open_screen(screen, tab=tab)
        assert not app.exception
        assert sentences(app) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_the_snippet_prints_the_numbers_drawn(screen):
    app = open_screen(screen, tab="Code")
    check_snippet(app)


@pytest.mark.parametrize("screen", SCREENS)
def test_what_to_notice_can_be_shown(screen):
    app = open_screen(screen)
    buttons = [b.key for b in app.button if (b.key or "").startswith("_notice_")]
    for key in buttons:
        app = open_screen(screen, tab="Code")
        app.button(key=key).click().run()
        assert not app.exception
        assert sentences(app) == [], key
        check_snippet(app)


@pytest.mark.parametrize("screen", SCREENS)
def test_presets_set_the_controls(screen):
    app = open_screen(screen)
    presets = [group for group in app.get("button_group") if group.key == "_preset"]
    for name in presets[0].options if presets else []:
        app = open_screen(screen, tab="Code")
        group = next(group for group in app.get("button_group") if group.key == "_preset")
        group.set_value(name).run()
        assert not app.exception
        assert sentences(app) == [], name
        check_snippet(app)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_addresses(screen, value):
    for key in parameters(open_screen(screen)):
        app = open_screen(screen, **{key: value})
        assert not app.exception, key
        assert "Traceback" not in "".join(sentences(app))


@pytest.mark.parametrize("screen", SCREENS)
def test_a_number_out_of_range_is_named(screen):
    for element in (*open_screen(screen).number_input, *open_screen(screen).slider):
        app = open_screen(screen, **{element.key: "1e99"})
        assert any(element.key in sentence for sentence in sentences(app)), element.key


@pytest.mark.parametrize("screen", SCREENS)
def test_both_ends_of_every_number(screen):
    default = open_screen(screen)
    for element in (*default.number_input, *default.slider):
        for end in (element.min, element.max):
            app = open_screen(screen)
            kind = app.number_input if element.type == "number_input" else app.slider
            kind(key=element.key).set_value(end).run()
            assert not app.exception, (element.key, end)
            for _, size in figures(app):
                assert size < PAYLOAD


def parameters(app):
    groups = (app.number_input, app.slider, app.select_slider, app.selectbox, app.toggle)
    groups += (app.text_input, app.text_area, app.multiselect, app.get("button_group"))
    return [e.key for group in groups for e in group if e.key and not e.key.startswith("_")]


def check_snippet(app):
    """Run the snippet as it stands; its `values` are the first figure's numbers."""
    names: dict = {}
    printed = io.StringIO()
    snippet = [block.value for block in app.code if block.language == "python"][-1]
    with contextlib.redirect_stdout(printed):
        exec(compile(snippet, "snippet", "exec"), names)
    assert printed.getvalue().strip()
    values = torch.as_tensor(names["values"]).to(torch.float32).numpy()
    expected = drawn(figures(app)[0][0])
    np.testing.assert_array_equal(
        np.nan_to_num(values).reshape(expected.shape), np.nan_to_num(expected)
    )
