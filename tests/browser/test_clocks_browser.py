"""The player of clocks in a real browser: whatever says where the hands are agrees with it."""

import math
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from posenc import rope_inv_freq
from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import AXE, violations, visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

# What can be read off the screen in every frame from now on.
RECORD = r"""() => {
  window.frames_seen = [];
  const picture = document.querySelector(".posenc-clocks");
  const path = (name) => picture.querySelector(`path.${name}`).getAttribute("d");
  const look = () => {
    frames_seen.push({
      time: performance.now(),
      position: picture.querySelector("output").textContent,
      slider: Number(picture.querySelector("input[type=range]").value),
      formula: picture.querySelector(".formula").textContent,
      hands: path("hands"), fast: path("fast"), square: path("square"), address: location.href,
      steps: getComputedStyle(document.querySelector(".st-key-follow_clocks")).visibility,
    });
    window.looking = requestAnimationFrame(look);
  };
  look();
}"""
HAND = re.compile(r"M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)")
NUMBER = re.compile(r"−?[\d,.]*\d")


def seen(page: Page) -> list[dict]:
    """The recorded frames; the recording ends."""
    page.evaluate("cancelAnimationFrame(looking)")
    frames: list[dict] = page.evaluate("frames_seen")
    return frames


def check_frame(frame: dict, pair: int, theta: float) -> float:
    """Hand, square, formula, slider and address say the same; returns the position."""
    position = said_number(NUMBER.search(frame["position"])[0])
    assert frame["slider"] == round(position) or abs(position % 1 - 0.5) < 0.006
    said = [said_number(one) for one in NUMBER.findall(frame["formula"])]
    assert said[:3] == [pair, position, position]
    angle, cos, sin = said[-3:]
    assert angle == pytest.approx(position * theta, abs=0.005 * theta + 1e-3)
    assert (cos, sin) == pytest.approx((math.cos(angle), math.sin(angle)), abs=2e-4)
    x, y, to_x, to_y = map(float, HAND.findall(frame["hands"])[pair])
    radius = math.hypot(to_x - x, to_y - y)
    assert ((to_x - x) / radius, (y - to_y) / radius) == pytest.approx((cos, sin), abs=0.01)
    left, top, wide = map(
        float, re.match(r"M([\d.-]+),([\d.-]+)h([\d.]+)", frame["square"]).groups()
    )
    assert (left + wide / 2, top + wide / 2) == pytest.approx((to_x, to_y), abs=0.2)
    asked = parse_qs(urlsplit(frame["address"]).query)
    assert asked.get("clocks_hand", ["8, 0"]) == [f"{frame['slider']}, {pair}"]
    return position


def test_all_that_says_where_the_hands_are_agrees_in_each_frame(
    page: Page, app_address: str
) -> None:
    visit(page, f"{app_address}/rope?view=clocks")
    dials = page.locator(".posenc-clocks [role=radio]")
    with answered(page):
        dials.nth(0).focus()
        page.keyboard.press("ArrowRight")
    expect(dials.nth(1)).to_have_attribute("aria-checked", "true")
    before = page.evaluate("runs.sent")
    # The slowest speed: a busy machine draws some frames of each second too.
    page.locator(".posenc-clocks label").filter(has_text=re.compile("^1$")).click()
    page.evaluate(RECORD)
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, lambda: page.evaluate("frames_seen.at(-1).slider") >= 11, "3 positions are played")
    frames = seen(page)
    assert page.evaluate("runs.sent") == before, "the server was asked while the clocks were played"
    theta = rope_inv_freq(16, 10000.0)[0][1].item()
    positions = [check_frame(frame, 1, theta) for frame in frames]
    assert positions == sorted(positions)
    assert {8, 9, 10, 11} <= {frame["slider"] for frame in frames}, "steps of 1"
    assert len({*positions}) > 8, "hands turn, and do not jump"
    assert frames[0]["steps"] == "visible"
    assert frames[-1]["steps"] == "hidden", "the steps of another position are not seen"
    with answered(page):
        page.get_by_role("button", name="Pause").click()
    at = int(page.locator(".posenc-clocks input[type=range]").input_value())
    check(page, "/rope", view="clocks", clocks_hand=f"{at}, 1")
    expect(page.locator(".st-key-clocks_hand input")).to_have_value(f"{at}, 1")
    said = page.locator(".st-key-follow_clocks [data-testid=stCaptionContainer]")
    expect(said).to_contain_text(f"Position {at}, pair 1: ")
    expect(said).to_be_visible()
    page.evaluate(RECORD)
    rests = f"frames_seen.at(-1)?.position === 'position {at}'"
    until(page, lambda: page.evaluate(rests), "the hands rest")
    assert check_frame(seen(page)[-1], 1, theta) == at
    assert violations(page, AXE) == []


@pytest.mark.slow
def test_steps_speeds_and_a_hand_that_is_too_fast_to_follow(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/rope?view=clocks&head_dim=128&base=10000&length=4096")
    slider = page.locator(".posenc-clocks input[type=range]")
    with answered(page):
        page.get_by_role("button", name="On 1").click()
        page.get_by_role("button", name="On 1").click()
        page.get_by_role("button", name="Back 1").click()
    expect(slider).to_have_value("9")
    page.evaluate(RECORD)
    with answered(page):
        slider.focus()
        page.keyboard.press("End")
    rests = "frames_seen.at(-1).position === 'position 4,095'"
    until(page, lambda: page.evaluate(rests), "the hands rest at the end")
    frames = seen(page)
    for frame in frames:
        assert len(HAND.findall(frame["hands"] + frame["fast"])) == 8
    assert any(HAND.findall(frame["fast"]) for frame in frames), "a fast hand is drawn faint"
    assert not HAND.findall(frames[-1]["fast"])
    with answered(page):
        page.keyboard.press("Home")
    page.locator(".posenc-clocks label").filter(has_text=re.compile("^16$")).click()
    page.evaluate(RECORD)
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, lambda: page.evaluate("frames_seen.at(-1).slider") >= 24, "24 positions are played")
    with answered(page):
        page.get_by_role("button", name="Pause").click()
    # By the frames' own clock: a busy machine draws fewer of them, and not other ones.
    moving = [frame for frame in seen(page) if 0 < frame["slider"] <= 24]
    seconds = (moving[-1]["time"] - moving[0]["time"]) / 1000
    played = moving[-1]["slider"] - moving[0]["slider"]
    assert played / seconds == pytest.approx(16, rel=0.4)
