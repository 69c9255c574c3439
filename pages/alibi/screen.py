"""ALiBi and its family: slopes, bias matrices, the window that each head sees."""

from pages.alibi import bias, family, heads, slope_lists, window
from pages.alibi.settings import PRESET_LABELS, PRESETS, read
from posenc.words import say
from ui import screen

PICTURES = {
    "bias": (say("Bias"), bias.picture),
    "heads": (say("Heads"), heads.picture),
    "slopes": (say("Slopes"), slope_lists.picture),
    "window": (say("Window"), window.picture),
    "family": (say("Family"), family.picture),
}

screen.show("alibi", screen.screen_of(read, PICTURES, PRESETS, PRESET_LABELS))
