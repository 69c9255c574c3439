"""Findings about windows: layers in which no distance is as long as the text."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.facts import TRANSFORMERS, without_window
from advisor.families.fields_read import PASSED_ON, asked_by
from advisor.findings.finding import Told, as_given, judge
from advisor.known_models import same_shape
from advisor.released import (
    is_same_scaling,
    released_scalings,
    released_without_window,
)
from posenc.words import say

# Families whose layers all have the window that the file gives.
WHOLE = ("mistral", "mixtral", "ministral", "phi3", "phimoe", "starcoder2")
# Families whose rotating layers see the chunk of their query alone.
CHUNKED = ("llama4",)
# Scalings that are added to a trained model; others are part of the training that made it.
ADDED = ("yarn", "linear", "dynamic")
# Kinds of layers that do not see, or do not keep, every token before them.
OTHERS = ("sliding_attention", "chunked_attention", "linear_attention", "conv", "mamba")
SHOWN = 6


def are_windowed(config: Config) -> bool:
    """Whether every layer that rotates sees a window only."""
    rotating = _rotating(config)
    return bool(rotating) and len(_windows(config, rotating)[1]) == len(rotating)


@judge("info")
def window_needs_no_scaling(config: Config) -> Iterator[Told]:
    """Every layer that rotates sees a window only: no scaling helps where the engine has it."""
    rotating = _rotating(config)
    width, windowed = _windows(config, rotating)
    if not windowed or len(windowed) != len(rotating) or _released_without(config):
        return
    layers = say("{named} ({count})", named=named(windowed), count=len(windowed))
    if len(windowed) == config.text.get("num_hidden_layers"):
        layers = say("all {count}", count=len(windowed))
    scaled = [kind for i in windowed if (kind := _stretch(config, i)) is not None]
    says = say(
        "Layers that rotate: {layers}. Each sees {width:,} tokens at most, so no distance between "
        "a query and a key exceeds {farthest:,}, however long the text is.",
        layers=layers,
        width=width,
        farthest=width - 1,
    )
    if scaled:
        yield Told(
            (_field(config),),
            say(
                "{says} The {kind} scaling changes angles that training has shown, and has "
                "nothing to mend.",
                says=says,
                kind=scaled[0],
            ),
            _remedy(config, say("Remove the scaling.")),
            severity="warning",
        )
    yield Told(
        (_field(config),),
        say(
            "{says} Where the engine applies the window, a longer text needs no scaling, and YaRN "
            "has nothing to mend.",
            says=says,
        ),
        _remedy(config, ""),
    )


@judge("error")
def window_without_width(config: Config) -> Iterator[Told]:
    """Layers that see a window, and a file that says null for its width."""
    given = as_given(config)
    count = config.layer_types.count("sliding_attention")
    is_null = "sliding_window" in given and given["sliding_window"] is None
    if count and is_null and asked_by(config.read_as, "sliding_window") == "model":
        yield Told(
            ("sliding_window", "layer_types"),
            say(
                "sliding_window is null, and layers of the kind sliding_attention: {count}. The "
                "mask of {transformers} needs a width there, and the first pass ends with an "
                "error.",
                count=count,
                transformers=TRANSFORMERS,
            ),
            say(
                "Write the width that the model was trained with, or layer_types without "
                "sliding_attention."
            ),
        )


@judge("warning")
def window_in_doubt(config: Config) -> Iterator[Told]:
    """A window that the known model of this shape does not have, or that nobody wrote."""
    width = config.text.get("sliding_window")
    is_given = "sliding_window" in as_given(config)
    theirs = _released_without(config)
    is_left_open = not (is_given or same_shape(config))
    if width is None or config.model_type not in WHOLE or not (theirs or is_left_open):
        return
    told = say(
        "The file says sliding_window: {width}, so every layer sees the last {width:,} tokens "
        "alone.",
        width=width,
    )
    if not is_given:
        told = say(
            "The file does not say sliding_window, so the class of {transformers} takes its own: "
            "every layer sees the last {width:,} tokens alone.",
            transformers=TRANSFORMERS,
            width=width,
        )
    if not theirs:
        remedy = say("Write sliding_window: null, or the window that the model was trained with.")
        yield Told(("sliding_window",), told, remedy)
        return
    yield Told(
        ("sliding_window",),
        say(
            "{told} {model}, which has this shape and base, has no window.",
            told=told,
            model=theirs,
        ),
        say("Write sliding_window: null, unless this model was trained further with the window."),
        severity="error",
    )


def _released_without(config: Config) -> str:
    """The known model that is released without the window that all its layers have here; ""."""
    is_meant = config.model_type in WHOLE and are_windowed(config)
    return released_without_window(config) if is_meant else ""


def _remedy(config: Config, remedy: str) -> str:
    """The remedy, and the engines that do not hold to the window."""
    engines = without_window(config)
    if not engines:
        return remedy
    told = say(
        "Not in {engines}: they do not read sliding_window for {model}, so every token sees all "
        "before it, unscaled, and the cache keeps them all. Take another engine, or texts of at "
        "most the window's length there.",
        engines=engines,
        model=config.model_type,
    )
    return say("{one} {more}", one=remedy, more=told) if remedy else told


@judge("warning")
def window_not_read(config: Config) -> Iterator[Told]:
    """A window that was left in the file of a class whose mask does not look at it."""
    given = as_given(config)
    if given.get("layer_types") or config.layer_types or not config.rotary:
        return
    for name in ("sliding_window", "attention_chunk_size"):  # the cache takes the first
        width = given.get(name)
        is_left = asked_by(config.read_as, name) == "cache"
        is_left |= name == "sliding_window" and config.read_as in PASSED_ON
        if not isinstance(width, int) or width < 1 or not is_left:
            continue
        yield Told(
            (name,),
            say(
                "The mask of {model} in {transformers} does not look at {field}: every token sees "
                "all before it. Its cache does, whatever use_sliding_window says: from token "
                "{next:,} on, what is decoded no longer sees what a pass over the whole text does.",
                model=config.read_as,
                transformers=TRANSFORMERS,
                field=name,
                next=width + 1,
            ),
            say("Write {field}: null.", field=name),
        )


@judge("error")
def kinds_not_read(config: Config) -> Iterator[Told]:
    """Kinds of layers in the file of a class whose layers are all alike."""
    kinds = as_given(config).get("layer_types")
    if not kinds or asked_by(config.read_as, "layer_types") != "cache":
        return
    if isinstance(kinds, list) and any(str(kind) in OTHERS for kind in kinds):
        yield Told(
            ("layer_types",),
            say(
                "The layers of {model} in {transformers} are all alike: neither they nor their "
                "mask look at layer_types. Their cache does: decoding fails, or no longer sees "
                "what a pass over the whole text does.",
                model=config.read_as,
                transformers=TRANSFORMERS,
            ),
            say("Remove layer_types, or use a model type whose layers are of several kinds."),
        )


@judge("info")
def window_layers_scaled(config: Config) -> Iterator[Told]:
    """Some of the scaled layers see a window only."""
    rotating = _rotating(config)
    width, windowed = _windows(config, rotating)
    scaled = [i for i in windowed if _stretch(config, i) is not None]
    if not scaled or len(windowed) == len(rotating):
        return
    told = say(
        "Layers {layers} ({count} of {all}) see {width:,} tokens each: no distance exceeds "
        "{farthest:,} there, and {kind} scaling changes their angles all the same.",
        layers=named(scaled),
        count=len(scaled),
        all=len(rotating),
        width=width,
        farthest=width - 1,
        kind=_stretch(config, scaled[0]),
    )
    ours = cast(RopeLayer, config.layer_at(scaled[0])).scaling
    theirs = [known for known, one in released_scalings(config) if is_same_scaling(ours, one)]
    if theirs:
        yield Told(
            ("sliding_window",),
            say(
                "{told} That is right: {model}, which has this shape and base, was trained with "
                "it.",
                told=told,
                model=theirs[0].model,
            ),
        )
        return
    yield Told(
        ("sliding_window",),
        say("{told} That is right only for a model that was trained with it.", told=told),
    )


def named(layers: Sequence[int]) -> str:
    """Indices of layers, from 0, as a reader writes them: 0-31, or 0, 2, 4 … 22."""
    steps = {after - before for before, after in pairwise(layers)}
    if steps == {1}:
        return f"{layers[0]}-{layers[-1]}"
    if len(layers) <= SHOWN:
        return ", ".join(map(str, layers))
    if len(steps) == 1:
        return f"{layers[0]}, {layers[1]}, {layers[2]} … {layers[-1]}"
    return ", ".join(map(str, layers[:SHOWN])) + f" … {layers[-1]}"


def _rotating(config: Config) -> list[int]:
    """The layers that rotate; none where the file does not say how many there are."""
    layers = config.text.get("num_hidden_layers")
    if not config.rotary or not config.rope_layers or len(config.rope_layers) != layers:
        return []
    return [index for index, rotates in enumerate(config.rope_layers) if rotates]


def _windows(config: Config, rotating: Sequence[int]) -> tuple[int, list[int]]:
    """How wide the window is, and which of the layers have one."""
    text = config.text
    kind = (config.model_type or "").removesuffix("_text")
    reach = config.reach
    width = text.get("attention_chunk_size" if kind in CHUNKED else "sliding_window")
    if not isinstance(width, int) or width < 1 or (reach is not None and width >= reach):
        return 0, []
    if config.layer_types and kind not in CHUNKED:
        kinds = config.layer_types
        sliding = [i for i in rotating if i < len(kinds) and kinds[i] == "sliding_attention"]
        return width, sliding
    if kind in WHOLE or kind in CHUNKED:
        return width, list(rotating)
    return 0, []


def _field(config: Config) -> str:
    kind = (config.model_type or "").removesuffix("_text")
    return "attention_chunk_size" if kind in CHUNKED else "sliding_window"


def _stretch(config: Config, index: int) -> str | None:
    """The kind of scaling that changes this layer's angles, if any."""
    try:
        layer = config.layer_at(index)
    except (ValueError, IndexError):
        return None
    if not isinstance(layer, RopeLayer) or layer.scaling is None:
        return None
    is_added = layer.rope_type in ADDED and getattr(layer.scaling, "factor", 1.0) > 1
    return layer.rope_type if is_added else None
