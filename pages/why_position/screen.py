"""Without positions: the words of a sentence shuffled, and what attention makes of it."""

from pages.why_position import origin, slide, word_order
from pages.why_position.settings import PRESETS, Settings
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {"words": (say("Words"), Settings, word_order.picture)}
HEAR = (slide.hear, origin.hear)

screen.show("why_position", screen.screen_of(PICTURES, PRESETS, HEAR))
