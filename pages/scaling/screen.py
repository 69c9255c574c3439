"""Scaling: what stretching the rotary frequencies does to every pair, and to the scores."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.scaling import stretch
from pages.scaling.pictures import Stretched, angles, score, wavelengths
from posenc.config.layers import RopeLayer
from posenc.reading.outcome import compare
from posenc.reading.task import Task
from posenc.scaling.methods import Need, fitting
from posenc.words import say
from ui import controls, screen
from ui.charts.methods import title
from ui.controls.rope import Head, QueryKey
from ui.links.models import to_config
from ui.words import _

PRESETS = {
    "llama-2": {"head_dim": 128, "rotary_dim": 0, "base": 10000.0, "train_length": 4096},
    "llama-3": {"head_dim": 128, "rotary_dim": 0, "base": 500000.0, "train_length": 8192},
    "qwen2.5": {"head_dim": 128, "rotary_dim": 0, "base": 1000000.0, "train_length": 32768},
    "smollm2": {"head_dim": 64, "rotary_dim": 0, "base": 100000.0, "train_length": 8192},
    "gpt-neox": {"head_dim": 96, "rotary_dim": 24, "base": 10000.0, "train_length": 2048},
    "worked": {"head_dim": 8, "rotary_dim": 0, "base": 10000.0, "train_length": 64},
}
PRESET_LABELS = {
    "llama-2": "Llama-2-7B",
    "llama-3": "Llama-3-8B",
    "qwen2.5": "Qwen2.5-7B",
    "smollm2": "SmolLM2-135M",
    "gpt-neox": "GPT-NeoX-20B",
    "worked": say("Worked example, d = 8"),
}
PICTURES = {
    "wavelengths": say("Wavelengths"),
    "angles": say("Angles"),
    "score": say("Score"),
    "stretch": say("Stretch a text"),
}
DRAW: dict[str, Callable[[Stretched], screen.ScreenView]] = {
    "wavelengths": wavelengths,
    "angles": angles,
    "score": score,
}
# What a method is given here: no file, and curves of frequencies for what it makes of them.
GIVEN: tuple[Need, ...] = ("trained", "alpha", "inv_freq", "length")
START = ("none", "linear", "ntk")


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls, work the methods out, draw the picture."""
    stretch.hear()
    left, right = screen.columns(lesson)
    with right:
        view_place, methods_place = st.columns(2)
    with view_place:
        view = controls.picture(PICTURES)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        times = stretch.times() if view == "stretch" else 0.0
        factor = controls.number(
            "factor",
            _("Factor k"),
            4.0,
            1.0,
            1024.0,
            step=1.0,
            help=_("k in the formula: target length / trained length; 2 to 40 in released models."),
        )
        trained = controls.number(
            "train_length",
            _("Trained length L₀"),
            4096,
            4,
            2**22,
            help=_("Tokens in training; 4096 in Llama 2, 8192 in Llama 3."),
        )
        attention_head = controls.read(Head)
        with st.expander(_("More")):
            alpha = controls.number(
                "alpha",
                "α",
                2.0,
                0.1,
                64.0,
                step=0.5,
                help=_("Of NTK alpha and dynamic NTK, where 2 is usual; α = 1 gives NTK-aware."),
            )
        vectors = controls.read(QueryKey)
    shown = None
    names = [] if view == "stretch" else methods(methods_place)
    with right, screen.guard():
        task = task_of(attention_head, trained, factor, alpha)
        if view == "stretch":
            shown = stretch.show(task, times)
        else:
            outcomes, refused = compare(names, task)
            shown = DRAW[view](Stretched(task, outcomes, refused, vectors))
        to_config(task.layer.rotary_dim, task.layer.base, trained, task.target)
    return shown


def methods(place: DeltaGenerator) -> list[str]:
    """Draw the list of methods; ids."""
    with place:
        return controls.choices(
            "methods",
            _("Methods"),
            {name: title(name) for name in fitting(*GIVEN)},
            START,
            help=_("How the frequencies θᵢ are stretched; none is plain RoPE."),
        )


def task_of(attention_head: Head, trained: int, factor: float, alpha: float) -> Task:
    """The head, read `factor` times as far as it was trained.

    Raises:
        ValueError: If the head cannot be rotated.
    """
    rope = attention_head.make_rope("half")
    layer = RopeLayer(
        head_dim=attention_head.head_dim,
        rotary_dim=rope.rotary_dim,
        base=rope.base,
        layout="half",
        scaling=None,
        original_length=trained,
        max_length=trained,
    )
    return Task(layer, trained, round(factor * trained), factor, alpha)


screen.show("scaling", draw)
