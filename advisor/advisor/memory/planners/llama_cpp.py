"""llama.cpp: cells for each text, fewer in layers with a window.

Source: `src/llama-kv-cache-iswa.cpp`, `llama-kv-cache.cpp`, `llama-memory-recurrent.cpp`.
"""

import math

from advisor.facts import no_windows
from advisor.memory.cache import CACHE_BITS
from advisor.memory.planners.request import Layers, Request, refuse_indexer, without_windows

PIECE = 512
"""Tokens that are computed at once: --ubatch-size."""
ROUNDED = 256
"""Cells are rounded up to a multiple of it."""
EIGHT_BITS = ("fp8", "int8")
"""Types in whose place llama.cpp has q8_0."""


def plan(request: Request, layers: Layers) -> int:
    """Bytes of the cache; a layer with a window has cells for the window and a piece.

    Raises:
        ValueError: If the attention is sparse.
    """
    refuse_indexer(request.config)
    if no_windows("llama_cpp", request.config) is not None:
        layers = without_windows(layers)
    bits = CACHE_BITS["q8_0" if request.kind in EIGHT_BITS else request.kind]
    text = 0.0
    for layer in layers:
        cells = _rounded(request.length)
        if layer.window is not None:
            cells = min(cells, _rounded(layer.window + PIECE))
        text += layer.layers * layer.per_token * cells * bits / 8
        if layer.state is not None:  # in float32
            text += layer.layers * 4 * (layer.state.before + layer.state.recurrent)
    return math.ceil(request.batch * text)


def plan_swa_full(request: Request, layers: Layers) -> int:
    """Bytes of the cache with --swa-full: windows have as many cells as the other layers.

    Raises:
        ValueError: If the attention is sparse.
    """
    return plan(request, without_windows(layers))


def _rounded(tokens: int) -> int:
    return ROUNDED * math.ceil(tokens / ROUNDED)
