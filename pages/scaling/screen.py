"""Linear, NTK, YaRN: what stretching the frequencies does to every pair, and to the scores."""

from pages.scaling import pictures, stretch
from pages.scaling.settings import PRESETS, ScoreSettings, Settings, TwoFactors
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "wavelengths": (say("Every pair"), TwoFactors, pictures.pairs),
    "angles": (say("Angles"), Settings, pictures.angles),
    "score": (say("Score"), ScoreSettings, pictures.score),
    "stretch": (say("Stretch a text"), stretch.Settings, stretch.picture),
}

screen.show("scaling", screen.screen_of(PICTURES, PRESETS, [stretch.hear]))
