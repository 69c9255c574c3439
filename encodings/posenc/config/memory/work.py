"""Operations of reading a prompt."""

from collections import Counter

from posenc.checks import check_int
from posenc.config.data import Config
from posenc.config.fields import LONGEST
from posenc.config.memory.cache import head_widths, layer_kinds, window_of
from posenc.config.memory.sizes import Sizes
from posenc.config.memory.weights import count_weights


def prefill_operations(config: Config, length: int) -> tuple[int, int]:
    """Multiplications and additions of reading a prompt.

    A token is multiplied once with every weight that it uses, 2 operations each. Attention takes
    2 · heads · (channels of a key + of a value) for each pair of a query and a key at or before
    it, within the window where there is one. Recurrences and softmax are not counted.

    Args:
        config: A model's configuration.
        length: n, tokens of the prompt.

    Returns:
        Operations with the weights, and operations of attention.

    Raises:
        ValueError: If the number of weights is not known, or the file lacks a width or count.

    Source: Kaplan et al. 2020, table 1, arXiv:2001.08361, with the causal half of the scores.
    """
    check_int("length", length, 1, maximum=LONGEST)
    sizes = Sizes.of(config)
    heads = sizes.need("num_attention_heads")
    attention = 0
    for kind, layers in Counter(layer_kinds(config, sizes)).items():
        if kind in ("state", "nothing"):
            continue
        key, value = _widths(sizes, kind)
        window = min(length, window_of(sizes, kind) or length)
        attention += layers * 2 * heads * (key + value) * _pairs(length, window)
    return 2 * count_weights(config).active * length, attention


def _widths(sizes: Sizes, kind: str) -> tuple[int, int]:
    """Channels that a head compares, and that it sums up."""
    if kind != "latent":
        return head_widths(sizes, kind)
    key = sizes.need("qk_nope_head_dim") + sizes.need("qk_rope_head_dim")
    return key, sizes.need("v_head_dim")


def _pairs(length: int, window: int) -> int:
    """Pairs of a query and a key that it sees, with at most `window` keys each."""
    return window * (window + 1) // 2 + (length - window) * window
