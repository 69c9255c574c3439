"""RoPE: hands, clocks, the rotation matrix, layouts, scores, precision, values that turn."""

from pages.rope import angles, clocks, hands, layouts, precision, rotation, score, values
from pages.rope.settings import PRESETS, Encoding, Rotations
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "hands": (say("Two hands"), hands.Settings, hands.picture),
    "clocks": (say("Clocks"), Encoding, clocks.picture),
    "angles": (say("Angles"), angles.Settings, angles.picture),
    "matrix": (say("Matrix"), rotation.Settings, rotation.picture),
    "layouts": (say("Layouts"), Rotations, layouts.picture),
    "score": (say("Score"), score.Settings, score.picture),
    "precision": (say("Precision"), precision.Settings, precision.picture),
    "values": (say("Values"), values.Settings, values.picture),
}
HEAR = (hands.hear, clocks.hear, precision.hear)

screen.show("rope", screen.screen_of(PICTURES, PRESETS, HEAR))
