"""Choices for files that no scaling helps: other encodings, and unknown ones."""

from advisor.choosing.change import declaring_alone
from advisor.choosing.choice import Choice, Reason, reason
from advisor.choosing.reasons import stretch
from advisor.families.without_rotation import WITHOUT_ROTATION
from advisor.known_models import same_shape
from advisor.layers import OtherLayer
from advisor.rope import RopeConfig
from posenc.words import Sentence, say


def unknown(config: RopeConfig) -> Choice:
    """The family is not known, as a finding says."""
    kind = config.model_type or say("no model_type")
    clause = say("No advice: how the layers of this model ({kind}) rotate is not known", kind=kind)
    return Choice("unknown", clause, "none")


def elsewhere(config: RopeConfig, target: int) -> Choice:
    """No layer rotates."""
    layer = _others(config)[0]
    clause = _how_far(config, layer, target)
    if target <= (config.reach or target):
        why = _shorter(config, layer, target)
        return Choice("elsewhere", clause, "setting", why, config=config)
    if layer.encoding == "learned":
        return Choice("cannot", clause, "limit")
    if not all(WITHOUT_ROTATION[one.encoding].is_endless for one in _others(config)):
        return Choice("cannot", clause, "none")
    told = say(
        "{clause}; the file declares {declared:,} tokens, so that the engine must be told "
        "{target:,}",
        clause=clause,
        declared=config.reach,
        target=target,
    )
    beyond = stretch.beyond_declared(config, target)
    longer = declaring_alone(config, target)
    return Choice("elsewhere", told, "guess" if beyond else "setting", beyond, config=longer)


def _shorter(config: RopeConfig, layer: OtherLayer, target: int) -> tuple[Reason, ...]:
    """That the known model of this shape has a table that ends before the target."""
    tables = same_shape(config) if layer.encoding == "learned" else ()
    return tuple(
        reason(
            "shorter_table",
            "The table of {model}, which has this shape, has {rows:,} rows: right only if the "
            "weights of this model have more.",
            model=known.model,
            rows=known.declared,
        )
        for known in tables
        if (known.declared or target) < target
    )


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
        told = say("Nothing to set: the file declares {rows:,} rows of the learned table")
        if target > rows:
            told = say(
                "No: the learned table has {rows:,} rows, one for each position, and {target:,} "
                "are asked for"
            )
        return told.filled(rows=rows, target=target)
    return WITHOUT_ROTATION[layer.encoding].advice or say(
        "No method for rotary positions applies: these layers do not rotate"
    )


def _others(config: RopeConfig) -> list[OtherLayer]:
    return [layer for layer in config.layers.values() if isinstance(layer, OtherLayer)]
