"""The references of posenc, and how far it may be from each: the rows of data/verified.json.

A row's bound follows from the reference's own arithmetic. Nearly all references build frequencies
and angles in float32, posenc in float64; then the bound is what float32 can lose, not a taste:

- a frequency base^(-2i/d) loses ln(base) · 2⁻²⁴ in the exponent and a few roundings of 6e-8;
- an angle position · frequency inherits that, times the position;
- where the reference takes the dtype it is given, it is given float64 and must agree to 1e-12;
- integers and looked-up numbers must agree exactly.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

Number = Tensor | float


@dataclass
class Comparison:
    """One row: what was compared, within which bound, and what the tests of this run met."""

    encoding: str
    what: str
    package: str
    reference: str
    bound: float
    reason: str
    relative: bool = False
    """Differences are divided by the reference's values (frequencies span many decades)."""
    cases: int = 0
    largest: float = 0.0


EXACT = "integers or looked-up numbers: no arithmetic"
FLOAT64 = "both in float64, the order of the sums apart"
FREQUENCY = "the reference's power is float32: ln(base) · 2⁻²⁴ and a few roundings"
ANGLE = "the reference's angle is float32: position · frequency · 2⁻²⁴, a few times"
LLAMA3 = "the float32 weight is 1e-6 off, beside θ/factor up to the factor, 64, times as much"
SLOPE = "the reference's powers are float32, times distances up to the length"
ATTENTION = "softmax over the reference's float32 bias"

TRANSFORMERS = "transformers"
X_TRANSFORMERS = "x-transformers"
ROTARY = "rotary-embedding-torch"
TORCHTUNE = "torchtune"
INIT = "modeling_rope_utils, ROPE_INIT_FUNCTIONS"

COMPARISONS = {
    "hf linear": Comparison(
        "RoPE, linear", "frequencies", TRANSFORMERS, INIT, 2e-6, FREQUENCY, relative=True
    ),
    "hf dynamic": Comparison(
        "RoPE, dynamic NTK", "frequencies", TRANSFORMERS, INIT, 2e-6, FREQUENCY, relative=True
    ),
    "hf yarn": Comparison(
        "RoPE, YaRN",
        "frequencies",
        TRANSFORMERS,
        INIT,
        1e-5,
        "the float32 ramp is 6e-8 off, up to factor times as much beside θ/factor",
        relative=True,
    ),
    "hf yarn factor": Comparison(
        "RoPE, YaRN", "attention factor", TRANSFORMERS, INIT, 1e-12, FLOAT64
    ),
    "hf longrope": Comparison(
        "RoPE, LongRoPE", "frequencies", TRANSFORMERS, INIT, 2e-6, FREQUENCY, relative=True
    ),
    "hf longrope factor": Comparison(
        "RoPE, LongRoPE", "attention factor", TRANSFORMERS, INIT, 1e-12, FLOAT64
    ),
    "hf llama3": Comparison(
        "RoPE, Llama-3",
        "frequencies",
        TRANSFORMERS,
        INIT,
        1e-4,
        LLAMA3,
        relative=True,
    ),
    "hf proportional": Comparison(
        "RoPE, proportional", "frequencies", TRANSFORMERS, INIT, 2e-6, FREQUENCY, relative=True
    ),
    "hf known models": Comparison(
        "RoPE, released models",
        "frequencies of config.json",
        TRANSFORMERS,
        "each model's configuration and rotary embedding",
        5e-6,
        "the reference's powers and weights are float32",
        relative=True,
    ),
    "hf known models factor": Comparison(
        "RoPE, released models",
        "attention factor of config.json",
        TRANSFORMERS,
        "each model's configuration and rotary embedding",
        1e-12,
        FLOAT64,
    ),
    "hf written settings": Comparison(
        "RoPE, settings written",
        "frequencies of the settings",
        TRANSFORMERS,
        "each model's configuration and rotary embedding",
        1e-5,
        "the reference's powers and weights are float32",
        relative=True,
    ),
    "hf written settings factor": Comparison(
        "RoPE, settings written",
        "attention factor of the settings",
        TRANSFORMERS,
        "each model's configuration and rotary embedding",
        1e-12,
        FLOAT64,
    ),
    "hf llama table": Comparison(
        "RoPE",
        "cos and sin to position 4095",
        TRANSFORMERS,
        "llama, LlamaRotaryEmbedding",
        1e-3,
        ANGLE,
    ),
    "hf llama rotation": Comparison(
        "RoPE, half layout",
        "rotated queries and keys",
        TRANSFORMERS,
        "llama, apply_rotary_pos_emb",
        1e-12,
        FLOAT64,
    ),
    "hf gptj rotation": Comparison(
        "RoPE, interleaved layout",
        "rotated queries",
        TRANSFORMERS,
        "gptj, apply_rotary_pos_emb and rotate_every_two",
        1e-12,
        FLOAT64,
    ),
    "hf neox rotation": Comparison(
        "RoPE, partial",
        "rotated queries and keys",
        TRANSFORMERS,
        "gpt_neox, apply_rotary_pos_emb",
        1e-12,
        FLOAT64,
    ),
    "hf qwen2-vl": Comparison(
        "M-RoPE, contiguous",
        "cos and sin to position 511",
        TRANSFORMERS,
        "qwen2_vl, Qwen2VLRotaryEmbedding",
        1e-4,
        ANGLE,
    ),
    "hf qwen3-vl": Comparison(
        "M-RoPE, interleaved",
        "cos and sin to position 511",
        TRANSFORMERS,
        "qwen3_vl, Qwen3VLTextRotaryEmbedding",
        1e-4,
        ANGLE,
    ),
    "hf t5": Comparison(
        "T5 bias", "bias of every head", TRANSFORMERS, "t5, T5Attention.compute_bias", 0.0, EXACT
    ),
    "hf t5 buckets": Comparison(
        "T5 bias", "buckets", TRANSFORMERS, "t5, T5Attention._relative_position_bucket", 0.0, EXACT
    ),
    "hf bloom": Comparison(
        "ALiBi", "attention", TRANSFORMERS, "bloom, build_alibi_tensor", 1e-5, ATTENTION
    ),
    "hf mpt": Comparison(
        "ALiBi", "attention", TRANSFORMERS, "mpt, build_mpt_alibi_tensor", 1e-5, ATTENTION
    ),
    "hf vit": Comparison(
        "Learned",
        "table on another grid",
        TRANSFORMERS,
        "vit, ViTEmbeddings.interpolate_pos_encoding",
        1e-12,
        FLOAT64,
    ),
    "hf opt": Comparison(
        "Learned",
        "rows with an offset of 2",
        TRANSFORMERS,
        "opt, OPTLearnedPositionalEmbedding",
        0.0,
        EXACT,
    ),
    "hf gptj table": Comparison(
        "Sinusoidal, concatenated",
        "table to position 511",
        TRANSFORMERS,
        "gptj, create_sinusoidal_positions",
        1e-4,
        ANGLE,
    ),
    "hf m2m table": Comparison(
        "Sinusoidal, tensor2tensor",
        "table to position 511",
        TRANSFORMERS,
        "m2m_100, M2M100SinusoidalPositionalEmbedding",
        1e-4,
        ANGLE,
    ),
    "hf xlnet": Comparison(
        "Transformer-XL",
        "sinusoid of the distance",
        TRANSFORMERS,
        "xlnet, XLNetModel.relative_positional_encoding",
        1e-4,
        ANGLE,
    ),
    "hf shaw": Comparison(
        "Shaw",
        "position scores",
        TRANSFORMERS,
        "wav2vec2_bert, _apply_relative_key_position_encoding",
        1e-12,
        FLOAT64,
    ),
    "xt alibi": Comparison(
        "ALiBi, symmetric",
        "bias of every head",
        X_TRANSFORMERS,
        "AlibiPositionalBias",
        2e-5,
        SLOPE,
    ),
    "xt t5": Comparison(
        "T5 bias", "bias of every head", X_TRANSFORMERS, "RelativePositionBias", 0.0, EXACT
    ),
    "xt cope": Comparison("CoPE", "position logits", X_TRANSFORMERS, "CoPE", 1e-12, FLOAT64),
    "xt fox": Comparison(
        "FoX", "forgetting bias", X_TRANSFORMERS, "DataDependentAlibi", 1e-12, FLOAT64
    ),
    "xt rope": Comparison(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        X_TRANSFORMERS,
        "RotaryEmbedding, apply_rotary_pos_emb",
        5e-4,
        ANGLE,
    ),
    "xt xpos": Comparison(
        "xPos", "causal scores", X_TRANSFORMERS, "RotaryEmbedding(use_xpos=True)", 5e-5, ANGLE
    ),
    "ret rope": Comparison(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        ROTARY,
        "RotaryEmbedding.rotate_queries_or_keys",
        5e-4,
        ANGLE,
    ),
    "ret xpos": Comparison(
        "xPos", "causal scores", ROTARY, "RotaryEmbedding(use_xpos=True)", 5e-5, ANGLE
    ),
    "tt rope": Comparison(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        TORCHTUNE,
        "RotaryPositionalEmbeddings",
        5e-4,
        ANGLE,
    ),
    "tt llama3": Comparison(
        "RoPE, Llama-3",
        "frequencies",
        TORCHTUNE,
        "Llama3ScaledRoPE",
        1e-4,
        LLAMA3,
        relative=True,
    ),
    "tt vision": Comparison(
        "RoPE, two axes",
        "rotated queries on a grid of 16 by 16",
        TORCHTUNE,
        "VisionRotaryPositionalEmbeddings",
        2e-5,
        ANGLE,
    ),
}


def difference(ours: Number, theirs: Number, relative: bool = False) -> float:
    """Largest difference, element by element; relative to the second where it is not zero."""
    ours, theirs = (torch.as_tensor(x).detach().to(torch.float64) for x in (ours, theirs))
    assert ours.shape == theirs.shape, f"{tuple(ours.shape)} against {tuple(theirs.shape)}"
    assert ours.isfinite().all()
    assert theirs.isfinite().all()
    apart = (ours - theirs).abs()
    if relative:
        apart = torch.where(theirs == 0, apart, apart / theirs.abs())
    return float(apart.max())


def agree(name: str, ours: Number, theirs: Number) -> None:
    """Hold a comparison to its bound, and count it."""
    row = COMPARISONS[name]
    apart = difference(ours, theirs, row.relative)
    assert apart <= row.bound, f"{row.encoding}, {row.reference}: {apart} > {row.bound}"
    row.cases += 1
    row.largest = max(row.largest, apart)
