"""Measure a checkpoint: its attention, and its loss against position under each scaling."""

import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.work.orders import MOST_MINUTES, own_models
from models.files.find import INSTALLED, Found
from models.measuring.own import TIMES, Own, Request, ways
from pages.own.before import look_at, show_before
from pages.own.measured import show_example, show_measured
from pages.own.place import show_place
from ui import controls, screen
from ui.jobs.corpus import own_text
from ui.jobs.desk import may_order, open_lab
from ui.jobs.looks import title
from ui.words import _

FIRST_METHODS = ("yarn", "ntk", "linear", "slide")
MINUTES = 10


def choose(models: dict[str, Found]) -> Found:
    """The model, one of the reader's own by default."""
    own = [name for name in models if name != INSTALLED]
    titles = {name: one.title for name, one in models.items()}
    chosen = controls.choice(
        "checkpoint",
        _("Model"),
        titles,
        next(iter(own), INSTALLED),
        help=_("Every model in the folder of models on the server, and the installed one."),
    )
    return models[chosen]


def ask(model: Own) -> Request:
    """Ask for the measurements that are wanted, and how long they may take."""
    minutes = controls.number(
        "minutes",
        _("Minutes"),
        MINUTES,
        1,
        MOST_MINUTES,
        help=_(
            "What fits into this time on this machine is measured: the model is timed, then "
            "context, methods and texts are picked. Press again for more."
        ),
    )
    lengths = {"0": _("what fits")} | {
        str(times): _("{times} L = {tokens:,}", times=times, tokens=times * model.trained)
        for times in reversed(TIMES)
    }
    times = controls.choice(
        "times",
        _("Longest context"),
        lengths,
        "0",
        help=_("In trained lengths L. One pass gives the loss at every position up to here."),
    )
    # The same for every model: what is chosen stays where a model can do less of it.
    titles = {method: title(method) for method in ways()}
    methods = controls.choices(
        "methods",
        _("Compared with it as it is"),
        titles,
        FIRST_METHODS,
        help=_(
            "How RoPE is stretched by n / L, without training, in this order. The sliding window "
            "forgets what is farther back than L."
        ),
    )
    missing = [method for method in methods if method not in model.methods]
    if missing:
        names = ", ".join(titles[method] for method in missing)
        st.caption(_("Left out for this model: {methods}.", methods=names))
    keys = controls.toggle(
        "keys",
        _("Ask for keys"),
        True,
        help=_("Ten named keys in filler as long as the context, after the curves of each text."),
    )
    fitting = tuple(method for method in methods if method in model.methods)
    return Request(60.0 * minutes, int(times), fitting, keys)


def draw(lab: Lab) -> screen.ScreenView | None:
    """Choose a model, see what fits, measure, and the curves as they grow."""
    models = own_models(lab.settings.home)
    with left:
        found = choose(models) if models else None
    with left, st.expander(_("More models"), expanded=found is None):
        show_place(lab)
    if found is None:
        with right:
            return show_example()
    with right:
        model = look_at(found)
    with left:
        request = ask(model)
        with st.expander(_("More")):
            text = own_text(lab)
        with st.container(key=controls.FIRST):
            pressed = may_order(lab) and st.button(_("Measure"), type="primary")
    with right:
        show_before(lab, model, request, text, pressed=pressed)
        return show_measured(lab, model) or show_example(model)


lesson = screen.header("own")
left, right = screen.columns(has_first=True)
shown = None
with screen.guard():
    shown = draw(open_lab())
    controls.say_misspelt(["checkpoint", "minutes", "times", "methods", "keys", "length"])
screen.ask(lesson)
screen.notice(lesson)
screen.tabs(lesson, shown)
