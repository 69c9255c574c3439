"""Findings about what a file has otherwise than the known models of its shape are released."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.evidence import evidence_for
from advisor.fields import DECLARED, LENGTH_TAKEN, ORIGINAL
from advisor.findings.finding import Told, judge, judged_layers, layer_key, ratio
from advisor.findings.windows import are_windowed
from advisor.known_models import alike, other_bases
from advisor.released import (
    ROOM,
    Released,
    changed,
    declared_with,
    is_unscaled,
    raised_from,
    released_reach,
)
from advisor.training import own_word, training
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say


@judge("warning")
def trained_length_against_makers(config: Config) -> Iterator[Told]:
    """A trained length that is not that of the known model with this shape and base."""
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        key = layer_key(config, judged)
        word = own_word(config, key)
        trained = training(config, key)
        if word is None or trained.known is None or trained.length is None:
            continue
        if word > (judged.layer.max_length or word):
            continue  # swapped
        said = say(
            "{field} is {word:,}, but {trained:,} for {model}, which has this shape and base.",
            field=ORIGINAL,
            word=word,
            model=trained.known.model,
            trained=trained.length,
        )
        if word > trained.length:
            said = say(
                "{said} Was the factor put into this length too? It belongs in {declared} alone.",
                said=said,
                declared=DECLARED,
            )
        remedy = say(
            "Write {field}: {trained}, unless this model was trained further.",
            field=ORIGINAL,
            trained=trained.length,
        )
        factor = judged.scaling.factor if isinstance(judged.scaling, YaRN) else math.inf
        if factor * trained.length < 0.99 * (judged.layer.max_length or 0):
            remedy = say(
                "Write {field}: {trained} and {declared}: {reach}, as far as factor {factor} then "
                "reaches, unless this model was trained further.",
                field=ORIGINAL,
                trained=trained.length,
                declared=DECLARED,
                reach=int(factor * trained.length + 1e-6),
                factor=ratio(factor),
            )
        yield Told((judged.given.label(ORIGINAL),), said, remedy)


@judge("warning")
def scaling_missing(config: Config) -> Iterator[Told]:
    """No scaling, and the known model with this shape and base is released with one."""
    theirs = changed(config)
    if theirs is None or theirs.change != "lost":
        return
    layer = theirs.scaled
    yield Told(
        (_scaling_field(config),),
        say(
            "{model}, which has this shape and base, is released with {kind} scaling to {length:,} "
            "tokens; this file has none.",
            model=say(" or ").join(known.model for known in theirs.models),
            kind=layer.rope_type,
            length=layer.max_length,
        ),
        _restore(theirs),
    )


@judge("warning")
def scaling_edited(config: Config) -> Iterator[Told]:
    """Another scaling than the one that the known model with this shape and base has."""
    theirs = changed(config)
    if theirs is None or theirs.change != "edited":
        return
    ours = next(layer for layer in config.rotary.values() if not is_unscaled(layer))
    yield Told(
        (_scaling_field(config),),
        say(
            "{model}, which has this shape and base, is released with {theirs}; this file has "
            "{ours}.",
            model=say(" or ").join(known.model for known in theirs.models),
            theirs=_scaling(theirs.scaled, ours),
            ours=_scaling(ours, theirs.scaled),
        ),
        _restore(theirs),
    )


@judge("warning")
def longrope_declared_edited(config: Config) -> Iterator[Told]:
    """The makers' lists beside another declared length, which is in the factor on cos and sin."""
    theirs = changed(config)
    if theirs is None or theirs.change != "declared":
        return
    ours = next(layer for layer in config.rotary.values() if not is_unscaled(layer))
    own, released = ours.frequencies()[1], theirs.scaled.frequencies()[1]
    length = theirs.scaled.max_length or 0
    remedy = say(
        "Write {field}: {length}, and give the engine the length itself (vLLM: --max-model-len).",
        field=DECLARED,
        length=length,
    )
    if length < (ours.max_length or 0):
        remedy = say(
            "Write {field}: {length} and keep texts within it, unless this model was trained "
            "further.",
            field=DECLARED,
            length=length,
        )
    yield Told(
        (DECLARED,),
        say(
            "{model}, which has these lists, declares {length:,} tokens and this file "
            "{declared:,}: transformers and vLLM take LongRoPE's factor on cos and sin from that, "
            "{own:.6g} instead of {released:.6g}.",
            model=theirs.models[0].model,
            length=length,
            declared=ours.max_length,
            own=own,
            released=released,
        ),
        remedy,
    )


def _scaling(layer: RopeLayer, other: RopeLayer) -> str:
    """A scaling as a reader would name it, by what tells it from another one."""
    one = layer.scaling
    two = other.scaling
    if isinstance(one, LongRoPE):
        if isinstance(two, LongRoPE) and one.original_length != two.original_length:
            return say(
                "{kind} scaling for texts beyond {original:,}",
                kind=layer.rope_type,
                original=one.original_length,
            )
        return say("its own lists of {kind} scaling", kind=layer.rope_type)
    numbers = {name: getattr(one, name) for name in ("factor",) if hasattr(one, name)}
    if type(one) is type(two):
        names = [name for name in vars(one) if name != "original_length"]
        differing = [name for name in names if getattr(one, name) != getattr(two, name)]
        numbers = {name: getattr(one, name) for name in differing}
    told = ", ".join(f"{name} {_number(value)}" for name, value in numbers.items())
    return say("{kind} scaling, {numbers}", kind=layer.rope_type, numbers=told)


def _number(value: float | None) -> str:
    return json.dumps(value) if value is None or isinstance(value, bool) else ratio(value)


def _scaling_field(config: Config) -> str:
    given = next(iter(config.objects.values()), None)
    return "rope_scaling" if given is None or not given.where else given.where.rstrip(".")


def _restore(theirs: Released) -> str:
    if not theirs.fields:
        return say(
            "Copy the scaling from the released file, unless this model was trained further."
        )
    return say("Write {fields}, unless this model was trained further.", fields=theirs.fields)


@judge("warning")
def declared_above_trained(config: Config) -> Iterator[Told]:
    """A length that the makers did not train, and no scaling that would reach it."""
    if config.dual_chunk is not None:
        return
    for judged in judged_layers(config, type(None), Llama3, LongRoPE):
        key = layer_key(config, judged)
        if key == "sliding_attention" and len(config.rotary) > 1:
            continue  # the other layers tell how far the model reads
        declared = judged.layer.max_length or 0
        base = training(config, key)
        said = [row for row in evidence_for(config) if row.kind in ("trained", "documented")]
        if judged.scaling is not None or base.known is None:
            reach = released_reach(config, judged.layer)
            if judged.scaling is not None and reach is None:
                continue  # another scaling than the makers': its length is not theirs
            told = max((row.tokens or 0 for row in said), default=reach)
            base = replace(base, length=told)
        if base.length is None or not alike(config) or declared <= ROOM * base.length:
            continue
        sees_windows_alone = are_windowed(config) and all(config.rope_layers)
        if sees_windows_alone or scaling_missing(config) is not None:
            continue
        rows = [*said, *(row for row in evidence_for(config) if row.original == base.length)]
        row = next((row for row in rows if base.length in (row.tokens, row.original)), None)
        model = alike(config)[0].model
        remedy = say(
            "Keep texts within {trained:,} tokens or scale, unless this model was trained further.",
            trained=base.length,
        )
        if isinstance(judged.scaling, LongRoPE):
            remedy = say(
                "Keep texts within {trained:,} tokens, unless this model was trained further.",
                trained=base.length,
            )
        if are_windowed(config):
            remedy = say(
                "Keep texts within {trained:,} tokens, unless this model was trained further. No "
                "scaling helps: every layer that rotates sees a window only.",
                trained=base.length,
            )
        numbers = {
            "declared": declared,
            "times": declared / base.length,
            "length": base.length,
            "model": model,
            "said": say("Its released file declares no more.") if row is None else row.says,
        }
        message = say(
            "The file declares {declared:,} tokens, {times:.3g} times the {length:,} of {model}, a "
            "model of this shape and base. {said} Engines allow the declared length without "
            "a warning.",
            **numbers,
        )
        if config.text.get(LENGTH_TAKEN):
            message = say(
                "{declared:,} tokens are taken for this params.json, which names no length: "
                "{times:.3g} times the {length:,} of {model}, a model of this shape and base. "
                "{said}",
                **numbers,
            )
        yield Told((DECLARED,), message, remedy)


@judge("warning")
def llama3_length_raised(config: Config) -> Iterator[Told]:
    """Llama-3 scaling of nobody known here, and more declared than such files are released with."""
    for judged in judged_layers(config, Llama3):
        scaling = judged.scaling
        declared = judged.layer.max_length or 0
        if released_reach(config, judged.layer) is not None:
            continue  # the makers' own: see `declared_above_trained`
        theirs = declared_with(scaling)
        # Llama 3.1 is the widest: factor 8 on 8,192, and 131,072 declared.
        most = theirs or int(2 * scaling.factor * scaling.original_length)
        if declared <= ROOM * most:
            continue
        told = {
            "declared": declared,
            "factor": ratio(scaling.factor),
            "original": scaling.original_length,
            "most": most,
        }
        says = say(
            "The file declares {declared:,} tokens with Llama-3 scaling, factor {factor} on "
            "{original:,}; no file known here declares more than twice their product, {most:,}.",
            **told,
        )
        if theirs:
            says = say(
                "The file declares {declared:,} tokens with Llama-3 scaling, factor {factor} on "
                "{original:,}; the released models with these numbers declare {most:,}.",
                **told,
            )
        yield Told(
            (DECLARED, judged.given.label("factor")),
            says,
            say("Keep texts within {most:,} tokens, unless the makers say more.", most=most),
        )


@judge("warning")
def base_against_known(config: Config) -> Iterator[Told]:
    """Another base than the known models of this shape have."""
    others = other_bases(config)
    if not others or not config.family.names_base:
        return
    own = max(layer.base for layer in config.rotary.values())
    named = ", ".join(dict.fromkeys(f"{known.model}: {ratio(base)}" for known, base in others[:3]))
    yield Told(
        # A larger base with longer texts is how models are trained further.
        ("rope_theta",),
        say(
            "The base is {own}; known models of this shape have another one ({named}).",
            own=ratio(own),
            named=named,
        ),
        say(
            "Compare with the released file: with a wrong base every pair but the first is wrong. "
            "Right only for another model of the same shape, or one trained further with this "
            "base."
        ),
        severity=None if raised_from(config) is None else "info",
    )
