"""SGLang: one pool for all layers, or a second one for windows, a fixed share as long.

Source: `srt/model_executor/pool_configurator.py` of SGLang 0.5.23.
"""

import math

from advisor.memory.planners.request import Layers, Request, refuse_indexer, without_windows

WINDOW_SHARE = 0.8
"""Tokens in the pool for windows, for each in the other one: --swa-full-tokens-ratio."""
TWO_POOLS = ("gpt_oss", "llama4_text", "gemma4_text", "mimo_v2_flash")
"""Families whose windows have a pool of their own: `is_hybrid_swa_model`."""


def plan(request: Request, layers: Layers) -> int:
    """Bytes of the pools.

    Raises:
        ValueError: If the attention is sparse, or a layer is recurrent.
    """
    refuse_indexer(request.config)
    if any(layer.state is not None for layer in layers):
        raise ValueError("How many states SGLang keeps depends on --max-running-requests.")
    if request.config.model_type not in TWO_POOLS:
        layers = without_windows(layers)
    tokens = request.batch * request.length
    windows = [layer.window for layer in layers if layer.window is not None]
    if windows:
        # It does not start where the pool for windows does not hold one and a token.
        tokens = max(tokens, math.ceil((max(windows) + 1) / WINDOW_SHARE))
    pools = 0.0
    for layer in layers:
        held = tokens if layer.window is None else int(tokens * WINDOW_SHARE)
        pools += layer.layers * layer.per_token * held * request.bits / 8
    return math.ceil(pools)
