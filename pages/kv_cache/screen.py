"""KV cache: decode token by token, with the numbers of the full pass."""

from pages.kv_cache import longrope_switch, text, timeline, window
from pages.kv_cache.presets import PRESETS
from posenc.words import say
from ui import screen
from ui.controls import address

PICTURES: screen.Pictures = {
    "decoding": (say("Decoding"), text.Settings, text.picture),
    "window": (say("Window"), window.Settings, window.picture),
    "growing_base": (say("Growing base"), timeline.Settings, timeline.picture),
    "longrope": ("LongRoPE", longrope_switch.Settings, longrope_switch.picture),
}


def is_of_a_decoding(step: str) -> bool:
    """Whether it is the step of a decoding in an old address; one of the course does not come."""
    return step.isdecimal() and len(step) < 4 and int(step) > 0


address.renamed("step", "decoding_step", is_of_a_decoding)
address.merged({"followed_key": "4000", "followed_pair": "40"}, "angle_errors_cell")
screen.show("kv_cache", screen.screen_of(PICTURES, PRESETS))
