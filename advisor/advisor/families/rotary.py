"""Families that rotate along the text: what their classes in transformers 5.23 do not say.

The class of each says its fields, their defaults and names, and the kinds of its layers. A row has
what stands in no configuration: which channels form a pair, the scale of the scores, which kinds of
layers do not rotate, and fields that files say in ways of their own.

Source: transformers 5.23, the attention and rotary classes of each family.
"""

from typing import Any

from advisor.families import normals
from advisor.families.classes import known
from advisor.families.family import Family
from posenc.words import say

PLAIN = """
    apertus arcee aria_text bamba bitnet chameleon cosmos3_edge_text csm csm_depth_decoder_model
    cwm deepseek_ocr2_text diffllama doge dots1 emu3_text_model esmc eurobert evolla EvollaModel
    falcon_h1 flex_olmo gemma glm4_moe glm4v_moe_text glm_image_text gpt_oss gradium_phonon_tts
    gte higgs_audio_v2 hy_v3 hyperclovax idefics internlm3 iquestcoder jais2 jetmoe
    jina_embeddings_v3 kyutai_speech_to_text lfm2 lfm2_moe lfm3 llama minimax minimax_m2
    ministral ministral3 molmo2_text moshi muse_glimmer_assistant musicflamingo nanochat
    nemotron olmo olmo2 olmo_hybrid olmoe paddleocr_vl_text persimmon phi phi3 phi4_multimodal
    pocket_tts qwen2 qwen2_5_omni_talker qwen2_5_omni_text qwen2_moe qwen3 qwen3_next
    qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen3_omni_moe_text
    qwen4_exp_text recurrent_gemma seed_oss smollm3 solar_open stablelm starcoder2
    unlimited_ocr_text voxtral_realtime_text
"""
"""Halves of a head form the pairs, scores are divided by the root of its width."""
INTERLEAVED = """
    blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher cohere ernie4_5
    ernie4_5_moe ernie4_5_vl_moe_text glm glm4 glm4v_text glm_ocr_text helium llama4_text
    openai_privacy_filter
"""
"""Neighbouring channels do."""
LATENT = """
    deepseek_v2 deepseek_v3 deepseek_v32 axk1 axk2 bailing_hybrid glm4_moe_lite glm_moe_dsa
    longcat_flash youtu
"""
"""Latent attention (MLA) as DeepSeek-V3 has it, whose heads have a rotated part."""
SCORES = """
    granite granitemoe granitemoeshared granite4_vision_text granite_docling_text
"""
"""attention_multiplier is the scale of the scores."""
STILL: dict[str, Any] = {"nope_kinds": ("full_attention",)}
"""Layers with a window rotate, those that see everything do not."""
ROOT: dict[str, Any] = {"softmax_scale": "query_pre_attn_scalar", "softmax_root": True}
"""Gemma divides scores by the root of a field."""
TWO_BASES: dict[str, Any] = {"names_base": False, "local_base": "rope_local_base_freq"}
"""Layers with a window have a base of their own."""
BY_TABLE: dict[str, Any] = {
    "layout": "interleaved",
    "defaults": {"rope_theta": 10000.0},
    "names_base": False,
    "by_table": True,
}
"""A table of sines with one base, whatever the file says."""

FAMILIES: dict[str, Family] = {
    **known(PLAIN),
    **known(INTERLEAVED, layout="interleaved"),
    **known(LATENT, layout="interleaved", multiplies_softmax=True),
    **known(SCORES, softmax_scale="attention_multiplier"),
    **known("roformer gptj codegen", **BY_TABLE),
    **known("hy_v4 minicpm3", multiplies_softmax=True),
    **known("mistral4", layout="interleaved", multiplies_softmax=True, turned_share=True),
    **known(
        "deepseek_v4",
        names_base=False,
        layout="interleaved",
        normal=normals.deepseek_v4,
        turned_share=True,
        defaults={"qk_rope_head_dim": 64, "qk_nope_head_dim": 448},
        rope_keys={
            "sliding_attention": "main",
            "compressed_sparse_attention": "compress",
            "heavily_compressed_attention": "compress",
        },
    ),
    **known(
        "mistral_large4_text",
        encoding="unknown",
        reason=say(
            "Each frequency is multiplied by a factor that was learned and stands in the "
            "checkpoint, not in the file."
        ),
    ),
    **known(
        "gpt_neox gpt_neox_japanese",
        names={"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
        unread=("rope_theta", "partial_rotary_factor"),
    ),
    # The first files name no base: their code knows none but 10000.
    **known("falcon", names_base=False),
    # A file that does not say sliding_window has its class's; null is none.
    **known("mistral", normal=lambda values: {"sliding_window": 4096, **values}),
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
    **known("hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl_text", fixed_alpha=True),
    **known("hrm_text", normal=normals.hrm),
    **known("minimax_m3_vl_text", normal=normals.without_width, defaults={"rotary_dim": None}),
    **known("dbrx", normal=normals.dbrx),
    **known("dots3_note_text mimo_v2_flash neomme ultrabert", names_base=False),
    **known("beam laguna mellum step3p5 zaya", names_base=False, named_kinds=True),
    "blt": Family(part="decoder_config"),
    # Images: pairs for time, height and width where a file names none.
    **known("qwen2_vl_text qwen2_5_vl_text", sections=(16, 24, 24)),
    **known("qwen3_vl_text qwen3_vl_moe_text", sections=(24, 20, 20), take_turns=True),
    **known("qwen3_5_text qwen3_5_moe_text", sections=(11, 11, 10), take_turns=True),
    # Layers with a window beside layers that see everything.
    **known("qwen3_moe", normal=normals.qwen3_moe),
    **known("cohere2", layout="interleaved", **STILL),
    **known("cohere2_moe", layout="interleaved", unread=("rope_scaling",), **STILL),
    **known("cohere_compass_text", named_kinds=True),
    **known("afmoe flint muse_glimmer_text muse_spark_text", **STILL),
    **known("exaone4 exaone_moe", normal=normals.letters, null_turns_all="sliding_window", **STILL),
    **known("kolibri1", null_turns_all="sliding_window", **STILL),
    **known(
        "granite_swa granitemoe_swa",
        softmax_scale="attention_multiplier",
        normal=normals.layer_thetas,
    ),
    **known("olmo3", local_base="rope_theta"),
    **known(
        "modernbert modernbert-decoder",
        names_base=False,
        unread=("rope_theta",),
        names={"rope_theta": "global_rope_theta"},
        local_base="local_rope_theta",
    ),
    **known("gemma2 vaultgemma t5_gemma_module", **ROOT),
    **known("gemma3_text t5gemma2_text t5gemma2_decoder", **TWO_BASES, **ROOT),
    **known("gemma3n_text", softmax_scale=1.0, **TWO_BASES),
    **known(
        "gemma4_text gemma4_unified_text diffusion_gemma_text embedding_gemma2_text",
        defaults={"global_head_dim": 512},
        names_base=False,
        normal=normals.wide_layers,
        softmax_scale=1.0,
    ),
    # Attention in some layers, in the others a state or a look at the image.
    **known(
        "granitemoehybrid", normal=normals.granite_hybrid, softmax_scale="attention_multiplier"
    ),
    **known("zamba2", normal=normals.zamba2),
    **known(
        "mllama_text_model", normal=normals.images_alone, other_kinds={"cross_attention": "none"}
    ),
}
