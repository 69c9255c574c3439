"""The families that can be opened, and where transformers keeps the parts of each.

A family is offered once a test holds its attention and its logits to transformers' own.
"""

from dataclasses import dataclass
from typing import Literal

Fused = Literal["", "interleaved", "stacked"]


@dataclass(frozen=True)
class Family:
    """One `model_type` of transformers.

    Args:
        layers: Path of the list of layers, from the model without its head.
        attention: Name of a layer's attention.
        qkv: Where attention does not go through transformers' attention interface: the name of
            its fused projection.
        fused: How that projection's channels lie: q, k and v of each head together
            ("interleaved"), or all of q, then all of k, then all of v ("stacked").
        output: There: the name of the projection behind the attention.
        word_positions: Path of the table of positions that is added to the embeddings, from the
            model without its head; "" where none is.
        masked: Whether it predicts hidden tokens from both sides, instead of the next one.
    """

    layers: str = "layers"
    attention: str = "self_attn"
    qkv: str = ""
    fused: Fused = ""
    output: str = ""
    word_positions: str = ""
    masked: bool = False


FAMILIES: dict[str, Family] = {
    "llama": Family(),
    "mistral": Family(),
    "qwen2": Family(),
    "qwen3": Family(),
    "smollm3": Family(),
    "gemma2": Family(),
    "gemma3_text": Family(),
    "phi3": Family(),
    "olmo2": Family(),
    "gpt_neox": Family(attention="attention"),
    "gpt2": Family("h", "attn", word_positions="wpe"),
    "bert": Family(
        "encoder.layer",
        "attention.self",
        word_positions="embeddings.position_embeddings",
        masked=True,
    ),
    "bloom": Family("h", "self_attention", "query_key_value", "interleaved", "dense"),
    "mpt": Family("blocks", "attn", "Wqkv", "stacked", "out_proj"),
}
