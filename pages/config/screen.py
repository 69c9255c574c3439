"""Scaling studio: what a model's config.json does to positions, and how to read further."""

from collections.abc import Callable
from dataclasses import dataclass, fields

import streamlit as st

from advisor.choosing.lengths import trained_lengths
from advisor.comparing.layer import RopeLayer
from advisor.comparing.outcome import compare
from advisor.decision import Decision, decided_for
from advisor.engines.engine import Serving
from advisor.families.all import UNKNOWN
from advisor.layers import OtherLayer
from pages.config import controls as asking
from pages.config.comparison import POINTS, Studio
from pages.config.decided import (
    Memory,
    choose_method,
    decision_of,
    show_decision,
    show_price,
    show_reasons,
    with_choice,
)
from pages.config.files import show_files
from pages.config.other_layers import show_other
from pages.config.pairs import angles, three_methods, wavelengths
from pages.config.prices import ledger, short_prompts
from pages.config.scores import resolution, scores
from posenc.words import say
from ui import controls, screen
from ui.charts import stage
from ui.controls import address
from ui.controls.advice import engine_now, show_findings, show_settings
from ui.controls.model_config import (
    OWN,
    Model,
    ask_for_model,
    choose_model,
    go_back,
    paste,
    plain,
    read_as,
    read_model,
)
from ui.links.models import from_config
from ui.screen.budget import seat
from ui.words import _, translate

WIDEST = 4096  # pairs that a curve can show
DRAW: dict[str, Callable[[Studio], screen.Picture]] = {
    "wavelengths": wavelengths,
    "angles": angles,
    "resolution": resolution,
    "scores": scores,
    "short_prompts": short_prompts,
    "ledger": ledger,
}


@dataclass(frozen=True)
class Layers:
    """The layers of a model that are looked at, and the tokens that they are to read."""

    model: Model
    layer_type: str
    layer: RopeLayer | OtherLayer
    target: int


@dataclass(frozen=True)
class Question:
    """A model, a length, and what the answer counts with."""

    name: str
    layers: Layers | ValueError | None
    """None before there is a file; an error where it cannot be read."""
    length: int
    """As typed: 0 is the length that the file declares."""
    method: str
    """An id, or "" for the advice."""
    memory: Memory
    curves: asking.Curves | None
    """Settings of the curves; None for layers without rotation, which have none."""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """The decision for the typed target with its settings, its reasons, and the curves under it."""
    is_answered = stage.mode() or ask_for_model()
    left, right = screen.columns(has_first=True)
    with left:
        question = ask()
    with right:
        if not is_answered:
            go_back(question.name)
        elif question.layers is None:
            st.info(_("Paste or drop a file above to see what it does."))
        elif isinstance(question.layers, ValueError):
            st.error(plain(translate(question.layers)))
        else:
            with screen.guard():
                view = answer(question, question.layers)
                controls.say_misspelt(asking.NAMES | {one.name for one in fields(Memory)})
                return view
    return None


def ask() -> Question:
    """Draw the controls."""
    controls.presets(asking.PRESETS)
    with st.container(key="first"):
        name = choose_model()
        length = asking.choose_target()
    typed = paste() if name == OWN else ""
    layers: Layers | ValueError | None = None
    if name != OWN or typed.strip():
        try:
            layers = choose_layers(read_model(name, typed), length)
        except ValueError as error:
            layers = error
    # Methods are for layers that rotate, as most do: they are there until a file says otherwise.
    rotates = not (isinstance(layers, Layers) and isinstance(layers.layer, OtherLayer))
    question = Question(
        name=name,
        layers=layers,
        length=length,
        method=choose_method() if rotates else "",
        memory=controls.read(Memory),
        curves=asking.choose_curves() if rotates else None,
    )
    if isinstance(layers, Layers):
        st.caption(
            _(
                "**Where the values come from.** {source}",
                source=plain(translate(layers.model.source)),
            )
        )
    return question


def choose_layers(model: Model, length: int) -> Layers:
    """Draw what a file leaves open: its family where that is not known, and the kind of layer.

    Raises:
        ValueError: If there is no length.
    """
    if model.config.family is UNKNOWN and (family := asking.choose_family()):
        model = read_as(model, family)
    layer_type = asking.choose_layer_type(model.config)
    layer = model.config.layers[layer_type]
    return Layers(model, layer_type, layer, asking.target_of(layer, length))


def answer(question: Question, layers: Layers) -> screen.ScreenView | None:
    """Draw the decision, what it rests on, and how it is started.

    Raises:
        ValueError: If the file does not give what a decision needs.
    """
    config = layers.model.config
    engine = engine_now()
    decision = decision_of(config, question.length, question.method, question.memory)
    decision = decided_for(decision, config, engine)
    name = plain(layers.model.given.name)
    if question.name != OWN:
        st.caption(_("**2 · The advice for {model}**, by its config.json", model=name))
    elif name:
        st.caption(_("**2 · The advice for {model}**", model=name))
    else:
        st.caption(_("**2 · The advice for your file**"))
    show_decision(decision)
    is_settled = decision.choice.config is not None
    settings = st.container(key="advice" if is_settled else None)
    if is_settled:
        settings.caption(_("**3 · Start and check**"))
    show_three(layers, question.curves)
    st.caption(_("**4 · Why, and what it costs**"))
    show_reasons(decision)
    show_price(config, decision, question.memory, engine)
    if isinstance(layers.layer, RopeLayer) and decision.choice.lengths is not None:
        from_config(layers.layer, decision.choice.lengths.before, decision.target)
    about_file = st.container()
    shown = None
    with screen.guard():
        shown = show_layers(layers, question.curves, decision)
    # Behind the curves: a browser that is new here reads much for a table and a field of code.
    with settings:
        memory = question.memory
        serving = Serving(memory.cache_kind, memory.batch, decision.target or None)
        start_and_check(layers.model, decision, serving)
    with about_file:
        with screen.guard():
            show_files(layers.model, decision)
        show_findings(config)
    return shown


def show_three(layers: Layers, curves: asking.Curves | None) -> None:
    """Linear, NTK-aware and YaRN beside each other, where the target is longer than training."""
    if curves is None or not isinstance(layers.layer, RopeLayer):
        return
    lengths = trained_lengths(layers.model.config, layers.layer_type)
    with screen.guard():
        check_width(layers.layer)
        task = curves.task(layers.model, layers.layer, layers.target, lengths)
        if task.factor > 1:
            name = plain(layers.model.given.name) or _("Your model")
            for figure in three_methods(name, task):
                figure.draw()


def show_layers(
    layers: Layers, curves: asking.Curves | None, decision: Decision
) -> screen.ScreenView | None:
    """The curves that the decision rests on, or what layers without rotation do instead."""
    if isinstance(layers.layer, OtherLayer):
        return show_other(layers.model, layers.layer, layers.layer_type, layers.target)
    return None if curves is None else show_curves(layers, layers.layer, curves, decision)


def start_and_check(model: Model, decision: Decision, serving: Serving) -> None:
    """Settings of what was decided, and how to see that they took effect."""
    if decision.choice.config is not None:
        show_settings(decision.choice.config, model, serving)


def show_curves(
    layers: Layers, layer: RopeLayer, curves: asking.Curves, decision: Decision
) -> screen.ScreenView:
    """The curves that the decision rests on, beside other methods."""
    st.header(_("What it rests on"), anchor=False)
    view = controls.picture(asking.PICTURES)
    names = asking.choose_methods()
    lengths = trained_lengths(layers.model.config, layers.layer_type)
    task = curves.task(layers.model, layer, layers.target, lengths)
    check_width(layer)
    with seat(memory_needed(layer)):
        outcomes, refused = compare(names, task)
        outcomes = with_choice(outcomes, task, decision.choice, layers.layer_type)
        studio = Studio(layers.model, layers.layer_type, task, outcomes, refused, curves.vectors)
        return screen.draw(DRAW[view](studio))


def memory_needed(layer: RopeLayer) -> int:
    """Bytes at the peak: four tables of float64, of places by pairs, while a curve is computed."""
    return 4 * 8 * POINTS * (layer.rotary_dim // 2)


def check_width(layer: RopeLayer) -> None:
    """Refuse a head with more pairs than a curve can show."""
    if layer.rotary_dim > 2 * WIDEST:
        raise ValueError(
            say(
                "head_dim must leave 1 to {most} numbers per curve, one for each pair; got "
                "{pairs}.",
                most=WIDEST,
                pairs=layer.rotary_dim // 2,
            )
        )


# As short as what people type into a thread: ?model=qwen3-8b&target=131072&engine=vllm.
address.renamed("target", "target_length", lambda _typed: True)
screen.show("config", draw)
