"""KV cache: decode token by token, with the numbers of the full pass."""

from pages.kv_cache import longrope_switch, text, timeline, window
from pages.kv_cache.presets import PRESETS
from posenc.words import say
from ui import screen
from ui.controls import address
from ui.screen import course, walk

PICTURES: screen.Pictures = {
    "decoding": (say("Decoding"), text.Settings, text.picture),
    "window": (say("Window"), window.Settings, window.picture),
    "growing_base": (say("Growing base"), timeline.Settings, timeline.picture),
    "longrope": ("LongRoPE", longrope_switch.Settings, longrope_switch.picture),
}


def is_past_the_walk(step: str) -> bool:
    """Whether it is the step of a decoding in an old address."""
    return step.isdecimal() and len(step) < 4 and int(step) > len(course.chapter("kv_cache").walk)


# Before the screen had a walk, `step` was the decoding step. A walk is shorter than a text.
address.move(walk.STEP, "decoding_step", is_past_the_walk)
address.join({"followed_key": "4000", "followed_pair": "40"}, "angle_errors_cell")
screen.show("kv_cache", screen.screen_of(PICTURES, PRESETS))
