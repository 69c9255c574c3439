"""transformers: `DynamicCache` grows with the text and keeps what the layers need."""

import math

from advisor.memory.planners.request import Layers, Request


def plan(request: Request, layers: Layers) -> int:
    """Bytes of the cache at the end of the texts."""
    text = sum(layer.size(request.length, request.bits) for layer in layers)
    return math.ceil(request.batch * text)
