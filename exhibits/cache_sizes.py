"""Numbers of the course on the cache: what it weighs in known models, what another base does."""

from collections.abc import Callable
from functools import cache, partial

import torch
from torch import Tensor

from advisor.known_models import known_models
from advisor.memory.cache import cache_bytes
from advisor.rope import RopeConfig
from posenc.cache.picture import StaleKeys
from posenc.cache.stale_keys import stale_score_error
from posenc.scaling.dynamic import DynamicNTK

BOOK = 131_072  # tokens
GIB = 2**30
MODELS = {
    "llama2": "Llama-2-7B",
    "llama3": "Llama-3.1-8B",
}
TRAINED = 4096
DECODED = 64
HEAD_DIM = 128
ALPHA = 2.0


def _config(name: str) -> RopeConfig:
    return RopeConfig.from_hf(known_models()[MODELS[name]].config)


def _kept(name: str) -> float:
    """GiB of the cache after a book, in bfloat16."""
    return cache_bytes(_config(name), BOOK) / GIB


def _group() -> int:
    """Query heads of Llama 3.1 that share a key."""
    config = known_models()[MODELS["llama3"]].config
    return int(config["num_attention_heads"] // config["num_key_value_heads"])


@cache
def _angles() -> Tensor:
    """By how much the cached keys of Llama 2 are off under dynamic NTK, (keys, pairs)."""
    length = TRAINED + DECODED
    stale = StaleKeys(
        scaling=DynamicNTK(ALPHA, TRAINED),
        head_dim=HEAD_DIM,
        base=10000.0,
        prompt=TRAINED,
        length=length,
        cache="on_write",
    )
    return stale.at(torch.arange(length), torch.arange(HEAD_DIM // 2))


KEPT: dict[str, Callable[[], float]] = {
    "book": lambda: BOOK,
    **{f"kv_{name}": partial(_kept, name) for name in MODELS},
    "group_llama3": _group,
    "stale_decoded": lambda: DECODED,
    "stale_alpha": lambda: ALPHA,
    "stale_score": lambda: float(stale_score_error(_angles()).mean()),
}
"""Name to what computes it."""
