"""Hands that are faster than the server: many moves of a slider, a text that is left while read."""

import re
from urllib.parse import quote

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from lab.training.checkpoints import DATA, load_checkpoint
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows
from tests.browser.conftest import settle, until
from tests.browser.test_screens_browser import DRAWN, check_numbers, go_to, visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

SENTENCE = "The dog saw the cat before the cat saw the dog."


def write(page: Page, text: str) -> None:
    """Type into the field of the text, as a reader does."""
    field = page.locator(".st-key-text textarea")
    before = page.evaluate("runs.sent")
    field.fill(text)
    field.press("Control+Enter")
    until(page, lambda: page.evaluate("runs.sent") > before, "the text is sent")


def test_many_moves_of_a_slider_leave_one_right_picture(page: Page, app_address: str):
    visit(page, f"{app_address}/kv_cache?tab=code&decoding_step=1&text={quote(SENTENCE * 3)}")
    slider = page.locator(".st-key-decoding_step input[type=range]")
    slider.focus()
    for step in range(2, 8):
        page.keyboard.press("ArrowRight")
        # The slider itself follows at once, long before the screen: two presses between two of
        # its own drawings would count as one.
        expect(slider).to_have_value(str(step))
    page.wait_for_url(re.compile(r"[?&]decoding_step=7(&|$)"))
    settle(page)
    title = page.evaluate("document.querySelector('.js-plotly-plot').layout.title.text")
    assert title.startswith("Attention of head 0 after step 7 of ")
    check_numbers(page)


@pytest.mark.slow
def test_4096_bytes_are_left_and_then_read(page: Page, app_address: str):
    text = ("def add(a, b):\n    return a + b\n\n" * 128)[:4096]
    address = f"{app_address}/live_attention?model=trained&stage_matrix_window=4092:4096,4088:4096"
    visit(page, address)
    bar = page.locator("[data-testid=stProgress]")
    write(page, text)
    expect(bar).to_be_visible()
    go_to(page, "Explore", "ALiBi")  # who leaves does not wait
    assert page.locator("[data-testid=stException]").count() == 0
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    write(page, text)
    settle(page)
    expect(bar).to_have_count(0)
    told = page.get_by_text("rows at a time").inner_text()
    assert told.startswith("4,096 tokens")
    assert said_number(told.rsplit("at most ", 1)[1].split()[0]) <= 128, "MiB"
    model = load_checkpoint(DATA / "text-rope-s0.safetensors").model
    with torch.no_grad():
        layer, x = model.layers[0], model.embed_tokens(torch.tensor([list(text.encode())]))
        q, k, v = layer.self_attn.qkv(layer.input_layernorm(x))
        attention = AttentionRows(q, k, v, model.encoding, causal_pairs)
        expected = attention.stage("weights", torch.arange(4092, 4096))[0][:, 4088:4096]
    drawn = np.array(page.evaluate(DRAWN), dtype=np.float64)
    assert drawn.shape == (4, 8)
    np.testing.assert_allclose(
        np.nan_to_num(drawn), expected.double().nan_to_num().numpy(), rtol=1e-4, atol=1e-9
    )
