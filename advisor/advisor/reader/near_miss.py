"""Names of fields that a reader probably meant: misspelt by a letter or two."""

from collections.abc import Collection
from functools import lru_cache

OF_THE_OBJECT = frozenset(
    {
        *("rope_type", "type", "rope_theta", "factor", "original_max_position_embeddings"),
        *("attention_factor", "attn_factor", "beta_fast", "beta_slow", "mscale"),
        *("mscale_all_dim", "truncate", "short_factor", "long_factor", "short_mscale"),
        *("long_mscale", "low_freq_factor", "high_freq_factor", "partial_rotary_factor"),
        *("mrope_section", "mrope_interleaved", "llama_4_scaling_beta", "extrapolation_factor"),
    }
)
"""Fields of rope_scaling and rope_parameters."""
OF_THE_FILE = frozenset(
    {
        *("rope_scaling", "rope_parameters", "rope_theta", "max_position_embeddings"),
        *("original_max_position_embeddings", "partial_rotary_factor", "sliding_window"),
        *("layer_types", "no_rope_layers"),
    }
)
"""Fields of the file itself that decide about positions."""
OTHER_WORDS = {
    "scaling_factor": "factor",
    "scale": "factor",
    "orig_max_position_embeddings": "original_max_position_embeddings",
    "original_max_seq_len": "original_max_position_embeddings",
    "theta": "rope_theta",
    "base": "rope_theta",
}
"""Fields of the object by their names in other programs."""
OF_OTHERS = frozenset({"layer_type", "sliding_windows"})
"""Fields of some models that look like one of these and are right."""
MOST_NAMES = {OF_THE_OBJECT: 40, OF_THE_FILE: 250}
"""An object with more fields than any model's has is not compared."""


def meant(names: Collection[str], known: frozenset[str]) -> dict[str, str]:
    """Which known name each unknown one was probably meant to be.

    Returns:
        {misspelt: right name}, without names that stand right beside their misspelling.
    """
    if len(names) > MOST_NAMES[known]:
        return {}
    found = {name: _nearest(name, known) for name in names if name not in known | OF_OTHERS}
    return {name: right for name, right in found.items() if right and right not in names}


@lru_cache(maxsize=4096)
def _nearest(name: str, known: frozenset[str]) -> str | None:
    if known is OF_THE_OBJECT and name in OTHER_WORDS:
        return OTHER_WORDS[name]
    for right in sorted(known):
        most = 1 if len(right) < 8 else 2
        if abs(len(right) - len(name)) <= most and edits(name, right, most) <= most:
            return right
    return None


def edits(one: str, other: str, most: int) -> int:
    """Letters to add, drop, change, or exchange with their neighbour; `most` + 1 for any more.

    Source: Damerau 1964; the distance of optimal string alignment.
    """
    far = most + 1
    before: dict[int, int] = {}
    row = {j: j for j in range(min(most, len(other)) + 1)}
    for i, letter in enumerate(one, 1):
        last = row
        row = {0: i} if i <= most else {}
        # A path that leaves this band has more edits than `most`.
        for j in range(max(1, i - most), min(len(other), i + most) + 1):
            steps = min(last.get(j, far), row.get(j - 1, far)) + 1
            steps = min(steps, last.get(j - 1, far) + (letter != other[j - 1]))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                steps = min(steps, before.get(j - 2, far) + 1)
            row[j] = min(steps, far)
        before = last
    return row.get(len(other), far)
