"""What the ways to read a lab model are called, the same wherever they are drawn."""

from lab.model.methods import SLIDE, WINDOW
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui.words import translate

READINGS = {
    "none": say("as trained"),
    WINDOW: say("window mask"),
    SLIDE: say("sliding window"),
    "interpolate": say("stretched table"),
}
"""What the methods are compared with, by id."""


def title(method: str) -> str:
    """The name of a way to read a model by its id; of others the id itself."""
    if method in READINGS:
        return translate(READINGS[method])
    return translate(METHODS[method].title) if method in METHODS else method
