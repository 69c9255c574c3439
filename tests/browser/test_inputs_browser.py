"""A file of the reader's in a real browser: in the link, on the way back, from a GGUF header."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.advisor.inputs.made_gguf import written
from tests.browser.conftest import PHONE, WIDE, answered, settle, until
from tests.browser.test_address_browser import back, here, press, value
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

FILE = {
    "_name_or_path": "somebody/model",
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "num_hidden_layers": 28,
    "max_position_embeddings": 32768,
    "rope_theta": 1000000.0,
    "eos_token_id": 151645,
}


def numbers(page: Page) -> list[str]:
    return page.get_by_test_id("stMetric").all_inner_texts()


def paste(page: Page, text: str) -> None:
    """Paste a text into the field at the top."""
    page.locator(".st-key-given textarea").evaluate(
        """(field, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", text);
          const event = { clipboardData, bubbles: true, cancelable: true };
          if (field.dispatchEvent(new ClipboardEvent("paste", event))) field.value = text;
        }""",
        text,
    )


def test_a_text_that_is_not_sent_is_said_to_have_no_answer(page: Page, app_address: str) -> None:
    """And on a phone the arrow that sends it, and what is below, stay where they are."""
    page.set_viewport_size(PHONE)
    visit(page, f"{app_address}/config")
    told = page.locator(".st-key-unsent p")
    below = page.locator(".st-key-first")
    assert not told.is_visible()
    arrow = page.get_by_test_id("stChatInputSubmitButton")
    empty = arrow.bounding_box(), below.bounding_box()
    field = page.locator(".st-key-given textarea")
    field.press_sequentially("Qwen3-8B 128k")
    until(page, told.is_visible, "nothing says that the text is not sent")
    assert (arrow.bounding_box(), below.bounding_box()) == empty
    page.set_viewport_size(WIDE)
    assert "with the arrow" in told.inner_text()
    with answered(page):
        field.press("Enter")
    until(page, lambda: not told.is_visible(), "it is still said to be unsent")


@pytest.mark.slow
def test_a_link_shows_the_same_and_the_way_back_keeps_the_file(
    page: Page, other_page: Page, app_address: str
) -> None:
    text = json.dumps(FILE, indent=2)
    visit(page, f"{app_address}/config?model=own&target_length=131072")
    field = page.locator(".st-key-config_json textarea")
    with answered(page):
        field.fill(text)
        field.press("Control+Enter")
    until(page, lambda: "config_json" in here(page)[1], "the file is not in the address")
    link, shown = page.url, numbers(page)
    visit(other_page, link)
    assert numbers(other_page) == shown
    assert shown
    assert json.loads(value(other_page, "config_json")) == {
        name: held for name, held in FILE.items() if name not in ("_name_or_path", "eos_token_id")
    }
    press(page, "view", "Angles")
    until(page, lambda: here(page)[1].get("view") == "angles", "the picture is not in the address")
    back(page)
    until(page, lambda: page.url == link, "the way back leads elsewhere")
    assert value(page, "config_json") == text
    page.reload()
    settle(page)
    assert numbers(page) == shown
    with page.expect_download() as download:
        page.get_by_role("button", name="changed config.json").click()
    changed = json.loads(download.value.path().read_text())
    assert changed["max_position_embeddings"] == 131072


def test_the_header_of_a_gguf_file_is_enough(page: Page, app_address: str, tmp_path: Path) -> None:
    counts = {"context_length": 8192, "embedding_length": 576, "attention.head_count": 9}
    rope = {"rope.freq_base": 123456.0}
    data = written(tmp_path, "llama", counts, rope, {"output.weight": [0.0] * 4096}, tokens=900)
    head = tmp_path / "head.gguf"
    head.write_bytes(data[:-8192])
    visit(page, f"{app_address}/config")
    paste(page, json.dumps({**FILE, "junk": "x" * 2**21}))
    until(page, lambda: page.get_by_text("was not taken").is_visible(), "nothing is said")
    assert page.locator(".st-key-given textarea").input_value() == ""
    expect(page.get_by_text("No advice: what was given above cannot be read.")).to_be_visible()
    expect(page.get_by_text("The advice for")).to_have_count(0)
    with page.expect_response(lambda answer: "upload_file" in answer.url):
        page.locator(".st-key-given input[type=file]").set_input_files(head)
    with answered(page):
        page.locator(".st-key-given").get_by_role("button", name="Send message").click()
    assert '"llama.rope.freq_base": 123456.0' in value(page, "config_json")
    until(page, lambda: any("123,456" in one for one in numbers(page)), "the base is not shown")


def test_on_a_phone_a_button_reads_the_text(phone: Page, app_address: str) -> None:
    """That it is there in a wide window too is asked with the address."""
    visit(phone, f"{app_address}/cope")
    phone.get_by_role("textbox", name="Text").fill("One . two")
    phone.get_by_role("button", name="Read this text").tap()
    phone.wait_for_url("**/cope?text=One+.+two*")


def test_on_a_phone_help_covers_nothing_and_code_can_be_copied(
    phone: Page, app_address: str
) -> None:
    visit(phone, f"{app_address}/alibi?tab=code")
    expect(phone.get_by_role("button", name="Copy to clipboard").first).to_be_visible()
    phone.get_by_role("button", name="Help for Future keys").tap()
    told = phone.locator("[data-testid=stTooltipContent]").bounding_box()
    drawn = phone.locator(".posenc-chart").first.bounding_box()
    assert told
    assert drawn
    assert told["y"] + told["height"] < drawn["y"]


def test_the_short_way_to_the_page_is_there_once(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/alibi")
    ways = page.locator("a[href='#stMain']").all()
    assert sum(one.evaluate("way => getComputedStyle(way).display !== 'none'") for one in ways) == 1


def test_a_phone_shows_the_whole_of_a_text(page: Page, app_address: str) -> None:
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        visit(page, f"{app_address}/live_attention")
        seen, whole = page.locator(".st-key-text textarea").evaluate(
            "field => [field.clientHeight, field.scrollHeight]"
        )
        assert seen == whole, width
