"""RoPE: two hands, clocks, the rotation matrix and its identities, layouts, scores, precision."""

from pages.rope import angles, clocks, hands, layouts, precision, rotation, score
from pages.rope.settings import PRESETS, LayoutSettings, Settings
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "hands": (say("Two hands"), hands.Settings, hands.picture),
    "clocks": (say("Clocks"), Settings, clocks.picture),
    "angles": (say("Angles"), angles.Settings, angles.picture),
    "matrix": (say("Matrix"), LayoutSettings, rotation.picture),
    "layouts": (say("Layouts"), Settings, layouts.picture),
    "score": (say("Score"), LayoutSettings, score.picture),
    "precision": (say("Precision"), precision.Settings, precision.picture),
}
HEAR = (hands.hear, clocks.hear, precision.hear)

screen.show("rope", screen.screen_of(PICTURES, PRESETS, HEAR))
