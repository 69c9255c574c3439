"""Names of fields that a reader probably meant: misspelt by a letter or two."""

from collections.abc import Collection
from functools import lru_cache

OF_THE_OBJECT = frozenset(
    {
        "rope_type",
        "type",
        "rope_theta",
        "factor",
        "original_max_position_embeddings",
        "attention_factor",
        "attn_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "truncate",
        "short_factor",
        "long_factor",
        "short_mscale",
        "long_mscale",
        "low_freq_factor",
        "high_freq_factor",
        "partial_rotary_factor",
        "mrope_section",
        "mrope_interleaved",
        "llama_4_scaling_beta",
        "extrapolation_factor",
    }
)
"""Fields of rope_scaling and rope_parameters."""
OF_THE_FILE = frozenset(
    {
        "rope_scaling",
        "rope_parameters",
        "rope_theta",
        "max_position_embeddings",
        "original_max_position_embeddings",
        "partial_rotary_factor",
        "sliding_window",
        "layer_types",
        "no_rope_layers",
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
"""What other programs call the fields of the object."""
OF_OTHERS = frozenset({"layer_type", "sliding_windows"})
"""Fields of some models that look like one of these and are right."""
MOST_NAMES = 400
"""More fields than any model's file has are not compared."""


def meant(names: Collection[str], known: frozenset[str]) -> dict[str, str]:
    """Which known name each unknown one was probably meant to be.

    Args:
        names: Of one object of the file.
        known: `OF_THE_OBJECT` or `OF_THE_FILE`.

    Returns:
        {misspelt: right name}, without names that stand right beside their misspelling.
    """
    if len(names) > MOST_NAMES:
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
    """Letters to add, drop, change, or exchange with their neighbour; more than `most` is enough.

    Source: Damerau 1964; the distance of optimal string alignment.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row = row, [i]
        for j, wanted in enumerate(other, 1):
            steps = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                steps = min(steps, before[j - 2] + 1)
            row.append(steps)
        if min(row) > most and min(last) > most:
            return most + 1
        before = last
    return row[-1]
