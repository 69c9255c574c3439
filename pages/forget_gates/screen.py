"""Distance that depends on what was read: forget gates, stick-breaking, the gated delta rule."""

from pages.forget_gates import bias, memory, stick
from pages.forget_gates.settings import PRESETS, Gates, Memory, Sticks
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "gates": (say("Gate f"), Gates, bias.picture_of_gates),
    "bias": (say("Bias D"), Gates, bias.picture),
    "stick": (say("Stick-breaking"), Sticks, stick.picture),
    "memory": (say("Gated delta rule"), Memory, memory.picture),
}

screen.show("forget_gates", screen.screen_of(PICTURES, PRESETS))
