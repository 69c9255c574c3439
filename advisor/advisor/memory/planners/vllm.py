"""vLLM: blocks of one size, handed out to groups of layers of one kind.

Source: `v1/core/kv_cache_planning.py`, `v1/kv_cache_interface.py` and `platforms/interface.py` of
vLLM 0.33.0; for states `model_executor/models/config.py` and `layers/mamba/mamba_utils.py`.
"""

import math
from dataclasses import dataclass, replace

from advisor.data import Config
from advisor.memory.cache import LayerCache
from advisor.memory.cards import Card
from advisor.memory.planners.request import Layers, Request, refuse_indexer, without_windows

BLOCK = 16
"""Tokens of a block."""
DELTA_NETS = ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text")
DELTA_NET_BLOCK = 64
"""Blocks beside a Gated DeltaNet hold a multiple of so many tokens, on Hopper and Blackwell."""
HANDED_OUT = (*DELTA_NETS, "bamba", "falcon_h1", "granitemoehybrid", "nemotron_h")
"""Families whose kernels hand out a state from within a prompt, on Hopper and Blackwell."""
WIDE_STATES = ("kimi_linear", "nemotron_h")
"""Families whose recurrence is float32 unless their file says otherwise."""


@dataclass(frozen=True)
class Spec:
    """Layers of one kind: how many, bytes and tokens of a block, states that one text keeps."""

    layers: int
    page: int
    tokens: int = 0
    window: int | None = None
    states: int = 0

    def blocks(self, length: int, in_flight: int) -> int:
        """Blocks that one text needs in each layer."""
        if self.states:
            return self.states
        if self.window is None:
            return math.ceil(length / self.tokens)
        held = min(self.window - 1 + in_flight, length)
        return math.ceil(held / self.tokens) + 1  # a window begins within a block


def tokens_in_flight(card: Card) -> int:
    """Tokens in flight in a server on this card: two batches of --max-num-batched-tokens.

    Source: `get_batch_defaults` and `max_concurrent_batches`.
    """
    if card.gib >= 160:
        return 2 * 16384
    if card.gib >= 70 and not card.name.startswith("A100"):
        return 2 * 8192
    return 2 * 2048


def plan(request: Request, layers: Layers) -> int:
    """Bytes of the blocks.

    Raises:
        ValueError: If the attention is sparse.
    """
    refuse_indexer(request.config)
    if any(layer.kind == "chunk" for layer in layers):
        layers = without_windows(layers)  # chunks switch the hybrid manager off: config/vllm.py
    specs = _equal_pages(_specs(request, layers))
    if all(spec.window == specs[0].window and not spec.states for spec in specs):
        specs = [replace(specs[0], layers=sum(spec.layers for spec in specs))]
    group = _group_size([spec.layers for spec in specs])
    blocks = 0
    for spec in specs:
        groups = math.ceil(spec.layers / group)
        blocks += groups * spec.blocks(request.length, request.in_flight)
    return request.batch * blocks * group * specs[0].page


def _specs(request: Request, layers: Layers) -> list[Spec]:
    """Kinds of layers, each with blocks as it would have them alone."""
    family = request.config.model_type
    state = max(_state_bytes(request.config, layer) for layer in layers)
    step = DELTA_NET_BLOCK if state and family in DELTA_NETS else BLOCK
    specs = []
    for layer in layers:
        if layer.per_token:
            token = int(layer.per_token * request.bits / 8)
            tokens = step * max(
                1, math.ceil(state / (step * token))
            )  # a block has room for a state
            specs.append(Spec(layer.layers, token * tokens, tokens, layer.window))
        if layer.state is not None:
            # With the prefix cache, the state at its end is kept beside the running one.
            states = 3 if family in HANDED_OUT else 2
            specs.append(Spec(layer.layers, _state_bytes(request.config, layer), states=states))
    return specs


def _state_bytes(config: Config, layer: LayerCache) -> int:
    """Bytes of a state: the recurrence in the type of the weights, unless the file says another."""
    if layer.state is None:
        return 0
    usual = "float32" if config.model_type in WIDE_STATES else "auto"
    kind = config.text.get("mamba_ssm_cache_dtype") or config.text.get("mamba_ssm_dtype") or usual
    recurrent = 4 if kind == "float32" else 2
    return 2 * layer.state.before + recurrent * layer.state.recurrent


def _equal_pages(specs: list[Spec]) -> list[Spec]:
    """The kinds with the largest of their pages: smaller ones hold more tokens, or are padded."""
    page = max(spec.page for spec in specs)
    equal = []
    for spec in specs:
        times = page // spec.page if page % spec.page == 0 else 1
        equal.append(replace(spec, page=page, tokens=spec.tokens * times))
    return equal


def _group_size(layers: list[int]) -> int:
    """Layers of a group: those of the rarest kind, or of the most common where they are close."""
    fewest = min(layers)
    most = max(layers)
    return most if most < 1.5 * fewest else fewest
