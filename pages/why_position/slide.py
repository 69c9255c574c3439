"""The words slide to their new places, their rows of the output with them."""

from collections.abc import Mapping

from torch import Tensor

from plots.heatmap import small_multiples
from posenc import CATALOGUE
from posenc.words import say
from ui import controls
from ui.charts.moving import moving, reported
from ui.text import live
from ui.words import _, translate

KEY = "slide"
STILL = ["typed", "shuffled"]
"""What stands in its place where nothing may move, by the names of its notebook."""
WAY = {"typed": say("as typed"), "shuffled": say("shuffled")}
WORDS = {
    "shuffle": say("Slide the words"),
    "back": say("Put them back"),
    "way": say("From the order typed to the shuffled one"),
    "typed": WAY["typed"],
    "shuffled": WAY["shuffled"],
    "encoding": say("Encoding"),
    "word": say("word"),
    "output": say("its row of the output"),
    "difference": say("change"),
    "before": say("The words stand as typed, each with its row of the output. Slide them."),
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
"""What the browser's half says, by its names there."""


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    if report is None:
        return
    if report.get("encoding") in tuple(CATALOGUE):
        controls.put("encoding", report["encoding"])
    if isinstance(way := report.get("way"), int):
        controls.put("order", [*WAY][way >= 50])


def show(
    settings: live.AttentionSettings,
    outputs: Mapping[str, tuple[Tensor, Tensor]],
    order: list[int],
) -> None:
    """Draw the picture.

    Args:
        settings: Of the attention.
        outputs: By encoding: the output of the shuffled words, put back, and of those typed.
        order: Which word stands at each place of the shuffled sentence.
    """
    shown = controls.held("order", _("Order"), WAY)
    texts = settings.tokens.texts
    words = {name: translate(text) for name, text in WORDS.items()}
    words["alt"] = _("Words that slide to other places, each with its row of the output")
    data = {
        "alt": words["alt"],
        "told": words,
        "at": {"way": 100 if shown == "shuffled" else 0, "encoding": settings.encoding},
        "words": texts,
        "order": order,
        "causal": settings.causal,
        "encodings": [
            {
                "id": name,
                "label": translate(CATALOGUE[name].title),
                "typed": typed.tolist(),
                "shuffled": put_back.tolist(),
            }
            for name, (put_back, typed) in outputs.items()
        ],
    }
    height = 100 + 30 * len(texts)
    put_back, typed = outputs[settings.encoding]
    still = small_multiples(
        [(translate(WAY["typed"]), typed.numpy()), (translate(WAY["shuffled"]), put_back.numpy())],
        title=_("The output of each word in both orders"),
        x_title=_("dimension"),
        y_title=words["word"],
        signed=True,
    )
    moving("shuffle", data, key=KEY, height=height, still=still)
