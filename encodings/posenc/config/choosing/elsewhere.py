"""Choices for files that no scaling helps: other encodings, and unknown ones."""

from typing import cast

from posenc.config.choosing.change import declaring_alone
from posenc.config.choosing.choice import Choice, Reason
from posenc.config.layers import OtherLayer
from posenc.config.rope import RopeConfig
from posenc.words import Sentence, say

ELSEWHERE = {
    "alibi": say("No scaling is needed: ALiBi has no trained length in its formula"),
    "t5": say("No scaling is needed: T5's last bucket holds every longer distance"),
    "nope": say("No scaling is needed: these layers have no positions to stretch"),
    "learned": say(
        "No method reads further: positions come from a learned table, which ends at its last row"
    ),
    "sinusoidal": say(
        "No method reads further: the model knows the sines of the positions that it was trained on"
    ),
    "shaw": say("No scaling is needed: distances beyond the largest are alike to these layers"),
    "transformer_xl": say(
        "No method reads further: the model knows the distances that it was trained on"
    ),
    "disentangled": say(
        "No scaling applies: far distances share a bucket, and a table of positions, where the "
        "model has one, ends at its last row"
    ),
    "window_bias": say("No method for longer texts applies: these layers see windows of an image"),
    "axial": say(
        "No method for longer texts applies: these layers turn with the rows and columns of an "
        "image"
    ),
    "convolution": say("No scaling is needed: convolutions have no length"),
    "linear": say("No scaling is needed: these layers carry a state, which has no length"),
    "coordinates": say("No method for longer texts applies: positions are coordinates"),
}
"""Advice for layers without rotation, by their encoding."""
ENDLESS = ("alibi", "t5", "nope", "none", "shaw", "convolution", "linear")
"""Encodings that no length ends: a file may declare any."""

OWN_PLACES = say(
    "Its class takes the base or the share of rotated channels from places of its own, so that a "
    "scaling written here could be read differently."
)


def unknown(config: RopeConfig) -> Choice:
    """The family is not known."""
    kind = config.model_type or say("no model_type")
    return Choice(
        "unknown",
        say("No advice: how the layers of this model ({kind}) rotate is not known", kind=kind),
        "none",
        tuple(
            Reason("family", cast(Sentence, told))
            for one in config.findings[:1]
            for told in (one.message, one.remedy)
            if told
        ),
    )


def not_written(config: RopeConfig) -> Choice:
    """The form of the file is read and not written."""
    kind = config.model_type or say("no model_type")
    return Choice(
        "unknown",
        say(
            "No advice: files of this model ({kind}) are read exactly and not written yet",
            kind=kind,
        ),
        "none",
        (Reason("family", OWN_PLACES),),
    )


def elsewhere(config: RopeConfig, target: int) -> Choice:
    """No layer rotates."""
    layer = _others(config)[0]
    clause = _how_far(config, layer, target)
    if target <= (config.reach or target):
        return Choice("elsewhere", clause, "setting", config=config)
    if layer.encoding == "learned":
        return Choice("cannot", clause, "limit")
    if any(one.encoding not in ENDLESS for one in _others(config)):
        return Choice("cannot", clause, "none")
    told = say(
        "{clause}; the file declares {declared:,} tokens, so that the engine must be told "
        "{target:,}",
        clause=clause,
        declared=config.reach,
        target=target,
    )
    return Choice("elsewhere", told, "setting", config=declaring_alone(config, target))


def _how_far(config: RopeConfig, layer: OtherLayer, target: int) -> Sentence:
    """How far layers without rotation read, by the encoding of the first."""
    rows = layer.max_length
    if len(config.layers) > 1 and "nope" in config.layers:
        return say("No scaling is needed: no layer of this model has positions to stretch")
    if layer.encoding == "learned" and config.family.grid is not None:
        return say(
            "No method for longer texts applies: the learned table has a row for each patch of an "
            "image"
        )
    if layer.encoding == "learned" and rows is not None:
        told = {"rows": rows, "target": target}
        if target > rows:
            return say(
                "No: the learned table has {rows:,} rows, one for each position, and {target:,} "
                "are asked for",
                **told,
            )
        return say(
            "Nothing to set: the learned table has {rows:,} rows, and {target:,} are asked for",
            **told,
        )
    return ELSEWHERE.get(layer.encoding) or say(
        "No method for rotary positions applies: these layers do not rotate"
    )


def _others(config: RopeConfig) -> list[OtherLayer]:
    return [layer for layer in config.layers.values() if isinstance(layer, OtherLayer)]
