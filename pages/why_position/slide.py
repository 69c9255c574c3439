"""The words slide to their new places, their rows of the output with them."""

from pages.why_position.settings import ORDERS, Settings
from plots.heatmap import small_multiples
from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui import controls, screen
from ui.charts.moving import reported
from ui.words import _, translate

KEY = "slide"
WORDS = {
    "shuffle": say("Slide the words"),
    "back": say("Put them back"),
    "way": say("From the order typed to the shuffled one"),
    "typed": ORDERS["typed"],
    "shuffled": ORDERS["shuffled"],
    "encoding": say("Encoding"),
    "word": say("word"),
    "output": say("its row of the output"),
    "difference": say("change"),
    "before": say(
        "The words stand as typed, each with its row of the output. Drag the slider to shuffle "
        "them."
    ),
    "same": say(
        "Every word has taken its row along, number by number: with {encoding}, attention cannot "
        "tell the two orders apart. What differs is rounding, {difference} at most."
    ),
    "changed": say(
        "The same words in another order have different rows now: a number has changed by up to "
        "{difference}. {encoding} has let the order matter."
    ),
    "masked": say(
        "The same words in another order have different rows now: a number has changed by up to "
        "{difference}. The causal mask alone tells attention what stands before a word."
    ),
}
"""Interface words of the browser side, by its names for them."""


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    if report.get("encoding") in tuple(CATALOGUE):
        controls.put("encoding", report["encoding"])
    if isinstance(way := report.get("way"), int):
        controls.put("order", [*ORDERS][way >= 50])


def figure(s: Settings) -> screen.MovingFigure:
    """The words, each with its row of the output."""
    put_back, typed = s.outputs[s.encoding]
    data = {
        "at": {"way": 100 if s.order == "shuffled" else 0, "encoding": s.encoding},
        "words": s.words,
        "order": s.places,
        "causal": s.causal,
        "encodings": [
            {
                "id": name,
                "label": translate(CATALOGUE[name].title),
                "typed": typed.tolist(),
                "shuffled": put_back.tolist(),
            }
            for name, (put_back, typed) in s.outputs.items()
        ],
    }
    alt = _("Words that slide to other places, each with its row of the output")
    still = small_multiples(
        [
            (translate(ORDERS["typed"]), typed.numpy()),
            (translate(ORDERS["shuffled"]), put_back.numpy()),
        ],
        title=_("The output of each word in both orders"),
        x_title=_("dimension"),
        y_title=_("word"),
        signed=True,
    )
    settings = s.order_program("typed", "shuffled")
    return screen.MovingFigure(
        key=KEY,
        module="shuffle",
        program="attention",
        alt=alt,
        words=WORDS | {"alt": alt},
        data=lambda _point: data,
        still=lambda _point: still,
        settings=(lambda _point: settings) if settings else None,
        height=100 + 30 * len(s.words),
    )
