"""Findings about names: fields that no engine reads, or one alone, or not at this place."""

import re
from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import TRANSFORMERS, since
from advisor.families.all import has_class
from advisor.families.fields_read import asked_by, is_observed, is_positional
from advisor.fields import kind_of
from advisor.findings.asked import is_released
from advisor.findings.finding import (
    SCALINGS,
    Told,
    as_given,
    is_scaling,
    judge,
    judged_layers,
    ratio,
)
from advisor.known_models import all_models
from advisor.reader.near_miss import OF_THE_FILE, OF_THE_OBJECT, meant
from posenc.scaling.yarn import YaRN, yarn_mscale
from posenc.words import say


@judge("error")
def misspelt_field(config: Config) -> Iterator[Told]:
    """A field whose name is a letter or two away from one that is read."""
    if not config.rotary:
        return
    places = [(config.text.where, as_given(config), OF_THE_FILE)]
    places += [(one.where, one.values, OF_THE_OBJECT) for one in config.objects.values()]
    for where, values, known in places:
        for name, right in meant(values.keys(), known).items():
            if values[name] is not None:
                yield Told(
                    (f"{where}{name}",),
                    say(
                        "{name} is read by neither transformers nor vLLM; {right} looks like what "
                        "is meant, and the file does not give it there.",
                        name=name,
                        right=right,
                    ),
                    say(
                        "Write {right}: {value}.",
                        right=f"{where}{right}",
                        value=kind_of(values[name]),
                    ),
                )


@judge("warning")
def field_not_read(config: Config) -> Iterator[Told]:
    """Fields about positions that nothing in the class asks for."""
    if is_released(config):
        return
    given = as_given(config)
    # What transformers writes for itself says nothing beside the kinds of layers that it lists.
    mine = [name for name in given if is_positional(name)]
    mine = [name for name in mine if not (name.startswith("_") and given.get("layer_types"))]
    unread = [name for name in mine if asked_by(config.read_as, name) == "nothing"]
    misspelt = meant(given.keys(), OF_THE_FILE)
    known = _worked_with(config, [given[name] for name in mine if name not in unread])
    renamed = [name for name in ("partial_rotary_factor",) if config.text.own_name(name) != name]
    told = [
        name
        for name in unread
        if name not in misspelt
        and (name not in TOLD_ELSEWHERE or name in renamed)
        and _speaks(name, given[name], known, config)
    ]
    layers = config.text.get("num_hidden_layers")
    own = config.text.own_name("num_hidden_layers")
    for name in told:
        if OF_LAYERS.fullmatch(name) and layers is not None:
            yield Told(
                (config.text.where + name, config.text.where + own),
                say(
                    "{name} is {given} and {own} is {layers}: the class of {model} in "
                    "{transformers} makes {layers} layers.",
                    name=name,
                    given=given[name],
                    own=own,
                    layers=layers,
                    model=config.read_as,
                    transformers=TRANSFORMERS,
                ),
                say("Write into both the number of layers that the weights have."),
            )
    if told:
        yield Told(
            tuple(config.text.where + name for name in told),
            say(
                "Nothing in the class of {model} in {transformers} reads {fields}: the model is "
                "the same without.",
                model=config.read_as,
                transformers=TRANSFORMERS,
                fields=", ".join(told),
            ),
            say("Remove what is not read, or name the model type whose class reads it."),
            severity="info" if all(OF_LENGTH.search(name) for name in told) else None,
        )


@judge("info")
def class_not_observed(config: Config) -> Iterator[Told]:
    """A class of which nobody saw which fields it asks for, so that a leftover has no finding."""
    if not config.is_known or not config.rotary or is_observed(config.read_as):
        return
    if is_released(config, all_models().values()):
        return  # its makers' word is about this file
    why = say("no small model of it runs by itself")
    if not has_class(config.read_as):
        why = say("its code comes with the weights")
    yield Told(
        ("model_type",),
        say(
            "Which fields the class of {model} reads was not observed, since {why}: a field that "
            "it does not read would not be named here.",
            model=config.read_as,
            why=why,
        ),
    )


TOLD_ELSEWHERE = (
    *("rope_scaling", "rope_parameters", "rope_theta", "partial_rotary_factor"),
    *("max_position_embeddings", "original_max_position_embeddings"),
    *("rope_condense_ratio", "rope_ratio", "dual_chunk_attention_config"),
)
"""Fields of every class that rotates: of each it is said elsewhere what becomes of it."""
OF_LAYERS = re.compile("n_layers?|num_layers|num_hidden_layers")
"""Names of the number of layers."""
OF_LENGTH = re.compile("len|context|n_ctx|n_positions")
"""Names of lengths, which stand in many files for programs other than the model."""


def _worked_with(config: Config, read: list[object]) -> set[object]:
    """Numbers and words that the model works with, wherever they stand."""
    known: set[object] = {one for one in read if isinstance(one, int | float | str)}
    known |= {config.reach, config.text.get("num_hidden_layers")}
    for layer in config.rotary.values():
        known |= {layer.base, layer.rotary_dim, layer.head_dim, layer.original_length}
        known |= {layer.max_length, layer.rope_type}
    return known


def _speaks(name: str, value: object, known: set[object], config: Config) -> bool:
    """Whether a field asks for something that the model does not do anyhow."""
    if not value or (isinstance(value, int | float | str) and value in known):
        return False
    if value is True and "interleave" in name:
        return all(one.layout != "interleaved" for one in config.rotary.values())
    if isinstance(value, float | int) and "window" in name:
        return asked_by(config.read_as, "sliding_window") == "model"
    if isinstance(value, float | int) and ("partial" in name or "pct" in name):
        turned = {int(one.head_dim * value) for one in config.rotary.values()}
        return turned != {one.rotary_dim for one in config.rotary.values()}
    kinds = config.layer_types
    if isinstance(value, list) and len(value) == len(kinds):
        # The same layers have something in common, in other words.
        pairs = {(str(one), kind) for one, kind in zip(value, kinds, strict=True)}
        return not len(pairs) == len({*kinds}) == len({*map(str, value)})
    return True


@judge("warning")
def attn_factor(config: Config) -> Iterator[Told]:
    """A name and a meaning of YaRN's factor that transformers does not have."""
    for judged in judged_layers(config, YaRN):
        given = judged.given.get("attn_factor")
        if not isinstance(given, int | float) or isinstance(given, bool):
            continue
        usual = yarn_mscale(judged.scaling.factor)
        explicit = judged.scaling.attention_factor
        theirs = given * usual
        ours = judged.layer.frequencies()[1]
        if abs(theirs - ours) <= 1e-3:
            continue
        yield Told(
            (judged.given.label("attn_factor"),)
            + ((judged.given.label("attention_factor"),) if explicit is not None else ()),
            say(
                "attn_factor is a field of SGLang, and of vLLM before {since}: they multiply their "
                "own {usual} by it, so cos and sin get {theirs}. transformers, and vLLM since "
                "{since}, read attention_factor instead, and here compute with {ours}.",
                since=since("attn_factor", "vllm"),
                usual=ratio(usual),
                theirs=ratio(theirs),
                ours=ratio(ours),
            ),
            say(
                "For the same scores in all of them write attention_factor: {theirs} beside it.",
                theirs=ratio(theirs),
            ),
        )


@judge("error")
def outer_scaling_ignored(config: Config) -> Iterator[Told]:
    """A scaling at the top of a file whose text model has a config of its own."""
    where = config.text.where
    if not where or not config.rotary:
        return
    for name in SCALINGS:
        outer = config.source.get(name)
        if isinstance(outer, dict) and is_scaling(outer) and not _has(config, outer):
            yield Told(
                (name,),
                say(
                    "{name} stands beside {inner}, and the text model is built from {inner} "
                    "alone: transformers and vLLM do not apply it.",
                    name=name,
                    inner=where.rstrip("."),
                ),
                say("Move {name} into {inner}.", name=name, inner=where.rstrip(".")),
            )


def _has(config: Config, outer: dict) -> bool:
    """Whether the text model's own object says all of it too."""
    inner = {key: value for one in config.objects.values() for key, value in one.values.items()}
    kinds = [given.get("rope_type") or given.get("type") for given in (inner, outer)]
    rest = {key: value for key, value in outer.items() if key not in ("rope_type", "type")}
    return kinds[0] == kinds[1] and all(inner.get(key) == value for key, value in rest.items())
