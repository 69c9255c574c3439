"""A draft model beside its target: whether it turns alike, and what its file has to say."""

import json
from collections.abc import Iterator
from dataclasses import replace

from advisor.choosing.choice import NAMES
from advisor.comparing.layer import RopeLayer
from advisor.rope import RopeConfig
from posenc.words import Sentence, say


def beside(draft: RopeConfig, target: RopeConfig, length: int | None) -> Iterator[Sentence]:
    """Say what a draft's file needs to go with its target.

    Args:
        draft: The draft's file.
        target: The target's file, with the scaling that is advised.
        length: Tokens that are asked for; None for what the target reaches.
    """
    ours, theirs = (next(iter(one.rotary.values()), None) for one in (draft, target))
    if ours is None or theirs is None:
        yield say("The draft or its target has no rotary positions: there is nothing to share.")
        return
    same = replace(ours, base=theirs.base, scaling=theirs.scaling)
    length = length or target.reach
    reach = max(draft.reach or 0, length or 0)
    is_alike = (ours.base, ours.scaling) == (theirs.base, theirs.scaling)
    if is_alike and reach == draft.reach:
        yield say("The draft turns as its target does, and declares as much.")
        return
    if not is_alike:
        yield say(
            "The draft turns otherwise than its target (base {own:,.0f}, {kind}; the target has "
            "base {base:,.0f}, {other}), so at equal positions it has other angles. How many of "
            "its tokens are accepted then is not known here.",
            own=ours.base,
            kind=_scaling(ours),
            base=theirs.base,
            other=_scaling(theirs),
        )
    (key,) = list(draft.rotary)[:1]
    original = theirs.original_length if theirs.scaling is not None else None
    layer = replace(same, max_length=reach, original_length=original)
    changed = draft.with_layer(key, layer)
    try:
        told = json.dumps(changed.to_hf_fragment())
    except ValueError as error:
        yield say("The draft's file cannot say its target's scaling: {error}", error=str(error))
        return
    yield say(
        "Write into the draft's own config.json, since --hf-overrides and its like go to the "
        "target alone: {fields}",
        fields=told,
    )


def _scaling(layer: RopeLayer) -> Sentence:
    """A layer's scaling in words."""
    if layer.scaling is None:
        return say("no scaling")
    return say("{kind} scaling", kind=NAMES[layer.rope_type])
