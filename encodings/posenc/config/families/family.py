"""What is known about one family of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from posenc.rope.pairs import Layout

Encoding = Literal["rope", "nope", "learned", "t5", "alibi"]


@dataclass(frozen=True)
class Family:
    """One `model_type`.

    Args:
        layout: Which channels form a pair, "interleaved" or "half".
        encoding: How positions enter, by its name in `CATALOGUE`.
        defaults: Fields that the class in transformers 5.23 fills in.
        names: The family's own names of fields, by the common name.
        nope_interval: n where every n-th layer has no rotation; 0 where all rotate.
        window_pattern: n where all but every n-th layer see a window only; 0 for one kind.
        multiplies_softmax: The attention multiplies its scale by mscale_all_dim's part of YaRN.
        names_base: Its files say the base; False where the class alone knows it.
        has_null_head_dim: The class in transformers 5.23 leaves head_dim null.
    """

    layout: Layout = "half"
    encoding: Encoding = "rope"
    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    nope_interval: int = 0
    window_pattern: int = 0
    multiplies_softmax: bool = False
    names_base: bool = True
    has_null_head_dim: bool = False


def shape(hidden: int, heads: int, layers: int, length: int, **more: Any) -> dict[str, Any]:
    """Class defaults that nearly every family has; the base is 10000 unless `more` says another."""
    return {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "max_position_embeddings": length,
        "rope_theta": 10000.0,
        **more,
    }
