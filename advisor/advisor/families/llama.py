"""Llama, RoFormer, GPT-J, GPT-NeoX and those whose rotation differs in numbers alone."""

from advisor.families.classes import known
from advisor.families.family import Family, called, shape

NAMES = called(hidden="n_embd", heads="n_head", layers="n_layer", length="n_positions")
"""GPT-2's names of fields."""
_GPTJ = Family(
    "interleaved",
    defaults=shape(4096, 16, 28, 2048, rotary_dim=64),
    names=NAMES,
    names_base=False,
    by_table=True,
)


_SAME = """
    llama apertus arcee aria_text bitnet diffllama doge emu3_text_model eurobert evolla flex_olmo
    gte hy_v3 hyperclovax internlm3 iquestcoder jais2 jetmoe jina_embeddings_v3 minimax_m2
    ministral3 molmo2_text nanochat olmo olmo2 olmoe paddleocr_vl_text seed_oss solar_open
    starcoder2 unlimited_ocr_text moshi csm csm_depth_decoder_model cosmos3_edge_text
"""


FAMILIES = {
    "roformer": Family(
        "interleaved", defaults=shape(768, 12, 12, 1536), names_base=False, by_table=True
    ),
    "gptj": _GPTJ,
    "codegen": _GPTJ,
    **known(
        "gpt_neox gpt_neox_japanese",
        names={"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
        unread=("rope_theta", "partial_rotary_factor"),
    ),
    # The first files name no base: their code knows none but 10000.
    **known("falcon", names_base=False),
    **known("gpt_oss"),
    **known(_SAME),
    # A file that does not say sliding_window has its class's; null is none.
    **known("mistral", normal=lambda values: {"sliding_window": 4096, **values}),
    # A part of each head's channels is rotated.
    **known("phi phi3 phi4_multimodal stablelm nemotron persimmon"),
    **known(
        "llama4_text",
        layout="interleaved",
        nope_interval=4,
    ),
    # Older files have the base under the name of the makers' own code.
    **known(
        "nomic_bert",
        aliases={
            "rope_theta": ("rotary_emb_base",),
            "max_position_embeddings": ("n_positions",),
            "hidden_size": ("n_embd",),
            "num_attention_heads": ("n_head",),
            "num_hidden_layers": ("n_layer",),
            "intermediate_size": ("n_inner",),
        },
    ),
    **known("phimoe", has_mscales=True),
    **known("mixtral", has_null_head_dim=True),
    **known("smollm3", nope_interval=4),
    **known("cohere", layout="interleaved"),
    **known("granite", softmax_scale="attention_multiplier"),
}
