"""The whole idea in ten seconds: words change places, and what attention makes of it."""

import streamlit as st
import torch

from exhibits.idea import IDS, ORDER, SEED, WIDTH, WORDS, both_orders
from plots.heatmap import small_multiples
from posenc import rope_inv_freq, sinusoidal_table
from posenc.words import say
from ui import controls, notebooks
from ui.charts.moving import moving, reported
from ui.words import _, translate

KEY = "idea"
SCENES = {"nope": say("no positions"), "sinusoidal": say("added"), "rope": say("rotated")}
ORDERS = (say("as typed"), say("in the other order"))
HEIGHT = 358
INTERFACE = {
    "play": say("Play"),
    "pause": say("Pause"),
    "scene": say("Positions"),
    "place": say("place {place}"),
    "changed": say("changed by {difference}"),
    "unchanged": say("unchanged"),
    "nope": say(
        "The dog and the man change places. Every word takes its numbers along: to attention, "
        "nothing has happened."
    ),
    "sinusoidal": say(
        "One answer: each place has its own row of numbers, added to whatever word stands "
        "there. Swap two words, and what attention makes of every word changes."
    ),
    "rope": say(
        "The usual answer today: each position turns its word's query and key. The turns of two "
        "words differ by how far apart they are. Swap two words, and the numbers change here too."
    ),
}
"""Interface words of the browser side, by its names for them."""


@st.fragment
def idea() -> None:
    """Draw the three scenes; they are played by themselves when the screen is opened."""
    report = reported(KEY)
    if report.get("scene") in tuple(SCENES):
        controls.put("scene", report["scene"])
    scene = controls.held("scene", _("Positions"), {"": _("all three")} | SCENES, "")
    outputs = {name: both_orders(name) for name in SCENES}
    alt = _("Words that change places, and the numbers that attention makes of each")
    data = {
        "alt": alt,
        "interface": {name: translate(text) for name, text in INTERFACE.items()},
        "at": {"scene": scene},
        "words": [translate(word) for word in WORDS],
        "order": ORDER,
        "rows": sinusoidal_table(len(WORDS), WIDTH).tolist(),
        "angles": (torch.arange(len(WORDS)) * rope_inv_freq(WIDTH)[0][0]).tolist(),
        "scenes": [
            {
                "id": name,
                "label": translate(SCENES[name]),
                "typed": typed.tolist(),
                "shuffled": other.tolist(),
            }
            for name, (typed, other) in outputs.items()
        ],
    }
    shown = [scene] if scene else [*SCENES]
    still = small_multiples(
        [
            (_("{scene}, {order}", scene=translate(SCENES[name]), order=translate(order)), rows)
            for name in shown
            for order, rows in zip(ORDERS, outputs[name], strict=True)
        ],
        title=_("What attention makes of each word"),
        x_title=_("dimension"),
        y_title=_("word"),
        signed=True,
        columns=2,
    )
    notebooks.computed(KEY, ids=list(IDS), order=list(ORDER), width=WIDTH, seed=SEED, scenes=shown)
    moving("idea", data, key=KEY, height=HEIGHT, still=still)
    st.caption(
        _(
            "Squares are numbers, red above zero, blue below. Under each word is what attention "
            "makes of it, and a bar for the largest change. Nothing is trained."
        )
    )
