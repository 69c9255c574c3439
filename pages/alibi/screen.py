"""ALiBi and its family: slopes, bias matrices, the window that each head sees."""

from pages.alibi import bias, family, heads, slope_lists, window
from pages.alibi.settings import PRESETS, Heads, OneHead, Settings
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "bias": (say("Bias"), Settings, bias.picture),
    "heads": (say("Heads"), Settings, heads.picture),
    "slopes": (say("Slopes"), Heads, slope_lists.picture),
    "window": (say("Window"), OneHead, window.picture),
    "family": (say("Family"), OneHead, family.picture),
}

screen.show("alibi", screen.screen_of(PICTURES, PRESETS))
