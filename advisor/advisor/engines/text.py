"""Settings as text."""

import json
import math
import re
from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.engines.engine import Serving
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

IN_CONFIG = say("in config.json, in place of rope_theta, rope_scaling and rope_parameters")
"""The place of text that is fields of config.json."""


def plain(number: float) -> str:
    """A number in full, without a point where it is whole."""
    return str(int(number)) if float(number).is_integer() else repr(number)


def as_json(fields: dict[str, Any]) -> str:
    """Indented, but a list on one line: LongRoPE's have dozens of numbers."""
    text = json.dumps(fields, indent=2) if fields else ""
    return re.sub(r"\[[^][{}]*\]", lambda found: " ".join(found[0].split()), text)


def own_attention_factor(layer: RopeLayer) -> float | None:
    """YaRN's factor on cos and sin where the file gives another than its formula; else None."""
    scaling = layer.scaling
    if not isinstance(scaling, YaRN) or scaling.attention_factor is None:
        return None
    usual = YaRN(scaling.factor, scaling.original_length).cos_sin_factor
    return None if math.isclose(scaling.attention_factor, usual) else scaling.attention_factor


def unread_factor(engine: str, factor: float) -> Sentence:
    """An engine computes YaRN's factor on cos and sin itself."""
    return say(
        "{engine} does not read attention_factor {factor:.6g}: it computes YaRN's own.",
        engine=engine,
        factor=factor,
    )


def other_cache(engine: str, serving: Serving) -> list[Sentence]:
    """A cache type that a server for graphics cards does not have."""
    if serving.cache_kind in ("bfloat16", "float16", "fp8"):
        return []
    return [
        say(
            "{engine} has no {kind} cache: the line leaves it in the model's own type.",
            engine=engine,
            kind=serving.cache_kind,
        )
    ]
