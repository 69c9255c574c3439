"""Lab: train a small transformer in front of the class, then read past its training length."""

import streamlit as st

from lab.encodings import METHODS
from lab.spec import recall_spec
from posenc import CATALOGUE
from ui import controls, screen
from ui.lab_desk import job_for, open_lab, submit
from ui.lab_train import train_view

VIEWS = ("Train it now", "Longer runs", "Jobs")
SCALED = {name: words for name, words in METHODS.items() if name not in ("none", "window")}
TITLES = {name: entry.title for name, entry in CATALOGUE.items()}

lesson = screen.header("lab")
lab = None
with screen.guard():
    lab = open_lab()
left, right = screen.columns()
drawn = None
with left:
    encoding = controls.choice(
        "encoding", "Encoding", list(TITLES), "rope", labels=TITLES,
        help="Where the model gets its positions from; everything else stays the same.",
    )  # fmt: skip
    settings = {}
    if encoding == "rope":
        base = controls.choice(
            "base", "RoPE base b", ["128", "10000"],
            help="10000 is usual. With 128 every pair turns within 128 tokens, and what breaks "
            "beyond them is plain to see.",
        )  # fmt: skip
        settings = {"base": 128} if base == "128" else {}
    with st.expander("More"):
        seed = controls.number(
            "seed", "Seed", 0, 0, 2**31 - 1, help="Of the first weights and of the data."
        )
        log_loss = controls.toggle("log_loss", "Loss on a log axis", True, help="Else linear.")
    spec = recall_spec(encoding, seed, **settings)
    pressed = st.button("Train it", type="primary", disabled=lab is None)
with right:
    view_place, method_place, times_place = st.columns([4, 3, 3])
    with view_place:
        view = controls.choice(
            "view", "View", VIEWS, wide=True, help="A minute here, longer runs, what is queued."
        )
    with method_place:
        method = controls.choice(
            "method", "RoPE scaling", list(SCALED), "yarn", labels=SCALED,
            help="How the frequencies are stretched to read more than the model was trained on.",
        )  # fmt: skip
    with times_place:
        times = controls.powers(
            "times", "Length read, in training lengths", 4, 1, 8,
            help="s = n / L: 4 reads 512 tokens with a model trained on 128.",
        )  # fmt: skip
    with screen.guard():
        if pressed and lab is not None:
            submit(lab, spec)
        job = job_for(lab, spec) if lab is not None else None
        drawn = train_view(lab, job, spec, times, method, log_loss)
screen.notice(lesson)
if drawn is not None and drawn[1]:
    screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])
