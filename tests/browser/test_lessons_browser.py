"""Whole lessons in a real browser: type, switch, click, read, copy the code, run it elsewhere."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from lab.training.checkpoints import DATA, load_checkpoint
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows
from tests.browser.conftest import answered, settle, until
from tests.browser.test_follow_browser import PIXEL, VALUE
from tests.browser.test_screens_browser import (
    DRAWN,
    change_a_control,
    check_numbers,
    go_to,
    visit,
)
from tests.conftest import PATIENCE, ROOT, said_number

pytestmark = pytest.mark.browser

SENTENCE = "The dog saw the cat before the cat saw the dog."
PRINT = """
import json, torch
print(json.dumps(torch.as_tensor(values).float().nan_to_num().tolist()))
"""


def write(page: Page, text: str) -> None:
    """Type into the field of the text, as a reader does."""
    field = page.locator(".st-key-text textarea")
    before = page.evaluate("runs.sent")
    field.fill(text)
    field.press("Control+Enter")
    until(page, lambda: page.evaluate("runs.sent") > before, "the text is sent")


def choose(page: Page, key: str, option: str | None) -> None:
    """One entry of a list; None is the last."""
    page.locator(f".st-key-{key} input").click()
    options = page.get_by_role("option")
    with answered(page):
        (page.get_by_role("option", name=option, exact=True) if option else options.last).click()


def press(page: Page, key: str, button: str) -> None:
    """One of a group of buttons."""
    with answered(page):
        page.locator(f".st-key-{key} button").filter(has_text=button).first.click()


def click_cell(page: Page, chart: str, row: int, col: int) -> tuple[float, float]:
    """Click a cell of a matrix: what is drawn there, and the last number of its calculation."""
    page.locator(f".st-key-{chart} .js-plotly-plot").scroll_into_view_if_needed()
    with answered(page):
        page.mouse.click(*page.evaluate(PIXEL, [chart, col, row]))
    caption = page.locator(f".st-key-follow_{chart} [data-testid=stCaptionContainer]").inner_text()
    place, said = caption.split(": ")[:2]
    assert place == f"At row {row}, column {col}"
    return page.evaluate(VALUE, [chart, 0, row, col]), said_number(said.split()[0])


def copied_code(page: Page) -> str:
    """The program behind the tab of the code."""
    page.get_by_role("tab", name="Code").click()
    code = page.locator("[role=tabpanel] [data-testid=stCode] code").first
    expect(code).to_be_visible()
    settle(page)
    return code.inner_text()


def run_elsewhere(code: str, folder: Path) -> np.ndarray:
    """What the program leaves in `values`, run in an interpreter of its own."""
    script = folder / "copied.py"
    script.write_text(code + PRINT)
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True,
        text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return np.array(json.loads(done.stdout.splitlines()[-1]))


def check_the_cell(page: Page, chart: str, row: int, col: int, folder: Path) -> None:
    """The number drawn is the one followed, and the one that the copied program prints."""
    drawn, followed = click_cell(page, chart, row, col)
    assert np.float32(followed) == np.float32(drawn)
    values = run_elsewhere(copied_code(page), folder)
    assert np.float32(values[row][col]) == np.float32(drawn)


def test_live_attention(page: Page, app_address: str, tmp_path: Path):
    visit(page, f"{app_address}/live_attention?model=random&tokens=words")
    write(page, SENTENCE)
    settle(page)
    choose(page, "encoding", "T5 bias")
    check_the_cell(page, "stage_matrix", 7, 2, tmp_path)


def test_kv_cache(page: Page, app_address: str, tmp_path: Path):
    visit(page, f"{app_address}/kv_cache")
    write(page, SENTENCE)
    settle(page)
    press(page, "view", "Window")
    check_the_cell(page, "attention", 6, 1, tmp_path)


def test_rope(page: Page, app_address: str, tmp_path: Path):
    visit(page, f"{app_address}/rope")
    press(page, "view", "Angles")
    change_a_control(page)
    check_the_cell(page, "angles", 5, 1, tmp_path)


@pytest.mark.parametrize(
    ("screen", "text", "key", "option"),
    [("side_by_side", SENTENCE, "b", "Kerple"), ("pitfalls", "", "pitfall", None)],
)
def test_screens_of_small_pictures(
    screen: str,
    text: str,
    key: str,
    option: str | None,
    page: Page,
    app_address: str,
    tmp_path: Path,
):
    """Without a cell to click: every number of the first picture is that of the copied program."""
    visit(page, f"{app_address}/{screen}")
    before = page.evaluate(DRAWN)
    if text:
        write(page, text)
        settle(page)
    choose(page, key, option)
    drawn = page.evaluate(DRAWN)
    assert drawn != before
    values = run_elsewhere(copied_code(page), tmp_path)
    drawn = np.nan_to_num(np.array(drawn, dtype=np.float64)).astype(np.float32)
    np.testing.assert_array_equal(values.astype(np.float32), drawn)


def test_many_moves_of_a_slider_leave_one_right_picture(page: Page, app_address: str):
    visit(page, f"{app_address}/kv_cache?tab=code&decoding_step=1&text={quote(SENTENCE * 3)}")
    slider = page.locator(".st-key-decoding_step input[type=range]")
    slider.focus()
    for step in range(2, 22):
        page.keyboard.press("ArrowRight")
        # The slider itself follows at once, long before the screen: two presses between two of
        # its own drawings would count as one.
        expect(slider).to_have_value(str(step))
    page.wait_for_url(re.compile(r"[?&]decoding_step=21(&|$)"))
    settle(page)
    title = page.evaluate("document.querySelector('.js-plotly-plot').layout.title.text")
    assert title.startswith("Attention of head 0 after step 21 of ")
    check_numbers(page)


def test_4096_bytes_are_left_and_then_read(page: Page, app_address: str):
    text = ("def add(a, b):\n    return a + b\n\n" * 128)[:4096]
    address = f"{app_address}/live_attention?model=trained&stage_matrix_window=4092:4096,4088:4096"
    visit(page, address)
    bar = page.locator("[data-testid=stProgress]")
    write(page, text)
    expect(bar).to_be_visible()
    go_to(page, "Learn", "ALiBi")  # who leaves does not wait
    assert page.locator("[data-testid=stException]").count() == 0
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    write(page, text)
    settle(page)
    expect(bar).to_have_count(0)
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
