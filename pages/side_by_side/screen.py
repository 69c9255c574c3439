"""Side by side: two to four encodings on the same text, queries and keys."""

from pages.side_by_side import cost, curves, matrices
from pages.side_by_side.settings import PRESETS, Settings
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "curves": (say("Curves"), Settings, curves.picture),
    "matrices": (say("Matrices"), Settings, matrices.picture),
    "cost": (say("Cost"), Settings, cost.picture),
}

screen.show("side_by_side", screen.screen_of(PICTURES, PRESETS))
