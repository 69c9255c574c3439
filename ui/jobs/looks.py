"""Names of tasks, jobs and ways to read a lab model, the same wherever they are shown."""

from lab.model.methods import INTERPOLATE, SLIDE, WINDOW
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui.words import translate

READINGS = {
    "none": say("as trained"),
    WINDOW: say("window mask"),
    SLIDE: say("sliding window"),
    INTERPOLATE: say("stretched table"),
    "as trained": say("as trained"),
    "diluted": say("diluted"),
    "rare reset": say("rare resets"),
}
"""Names of the methods' baselines, and of the texts of counting, by id."""
TASKS = {"recall": say("recall"), "text": say("text"), "counting": say("counting")}
KINDS = {
    "train": say("training"),
    "evaluate": say("measuring again"),
    "finetune": say("fine-tuning"),
    "own": say("your own checkpoint"),
}
"""Kinds of jobs, in words."""


def title(method: str) -> str:
    """The name of a way to read a model by its id; of others the id itself."""
    if method in READINGS:
        return translate(READINGS[method])
    return translate(METHODS[method].title) if method in METHODS else method
