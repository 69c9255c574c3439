"""M-RoPE: time, row and column of every token, and which pair turns by which."""

from pages.mrope import grid, positions, score, sections
from pages.mrope.settings import PRESETS
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "positions": (say("Positions"), positions.Settings, positions.picture),
    "grid": (say("Grid"), grid.Settings, grid.picture),
    "sections": (say("Sections"), sections.Settings, sections.picture),
    "score": (say("Score"), score.Settings, score.picture),
}

screen.show("mrope", screen.screen_of(PICTURES, PRESETS))
