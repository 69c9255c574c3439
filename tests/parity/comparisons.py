"""The references of posenc, and how far it may be from each: the rows of data/verified.json.

A row's bound follows from the reference's own arithmetic. Nearly all references build frequencies
and angles in float32, posenc in float64; then the bound is what float32 can lose, not a taste:

- a frequency base^(-2i/d) loses ln(base) · 2⁻²⁴ in the exponent and a few roundings of 6e-8;
- an angle position · frequency inherits that, times the position;
- where the reference takes the dtype it is given, it is given float64 and must agree to 1e-12;
- integers and looked-up numbers must agree exactly.
"""

from collections.abc import Callable
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


# What may be lost, and why: bound and reason.
Limit = tuple[float, str]
EXACT: Limit = (0.0, "integers or looked-up numbers: no arithmetic")
FLOAT64: Limit = (1e-12, "both in float64, the order of the sums apart")
FREQUENCY: Limit = (
    2e-6,
    "the reference's power is float32: ln(base) · 2⁻²⁴ and a few roundings",
)
LLAMA3: Limit = (
    1e-4,
    "the float32 weight is 1e-6 off, beside θ/factor up to the factor, 64, times as much",
)
SLOPE: Limit = (
    2e-5,
    "the reference's powers are float32, times distances up to the length",
)
ATTENTION: Limit = (1e-5, "softmax over the reference's float32 bias")
# The bound is another one for each length.
ANGLE = "the reference's angle is float32: position · frequency · 2⁻²⁴, a few times"
FLOAT32 = "the reference's powers and weights are float32"

INIT = "modeling_rope_utils, ROPE_INIT_FUNCTIONS"
FILES = "each model's configuration and rotary embedding"


def package(name: str) -> Callable[..., Comparison]:
    """Rows about one package: encoding, what is compared, its reference, the limit."""

    def row(
        encoding: str, what: str, reference: str, limit: Limit, relative: bool = False
    ) -> Comparison:
        return Comparison(encoding, what, name, reference, *limit, relative)

    return row


hf, xt = package("transformers"), package("x-transformers")
ret, tt = package("rotary-embedding-torch"), package("torchtune")
COMPARISONS: dict[str, Comparison] = {
    "hf linear": hf("RoPE, linear", "frequencies", INIT, FREQUENCY, relative=True),
    "hf dynamic": hf("RoPE, dynamic NTK", "frequencies", INIT, FREQUENCY, relative=True),
    "hf yarn": hf(
        "RoPE, YaRN",
        "frequencies",
        INIT,
        (1e-5, "the float32 ramp is 6e-8 off, up to factor times as much beside θ/factor"),
        relative=True,
    ),
    "hf yarn factor": hf("RoPE, YaRN", "attention factor", INIT, FLOAT64),
    "hf longrope": hf("RoPE, LongRoPE", "frequencies", INIT, FREQUENCY, relative=True),
    "hf longrope factor": hf("RoPE, LongRoPE", "attention factor", INIT, FLOAT64),
    "hf llama3": hf("RoPE, Llama-3", "frequencies", INIT, LLAMA3, relative=True),
    "hf proportional": hf("RoPE, proportional", "frequencies", INIT, FREQUENCY, relative=True),
    "hf known models": hf(
        "RoPE, released models",
        "frequencies of config.json",
        FILES,
        (5e-6, FLOAT32),
        relative=True,
    ),
    "hf known models factor": hf(
        "RoPE, released models", "attention factor of config.json", FILES, FLOAT64
    ),
    "hf written settings": hf(
        "RoPE, settings written",
        "frequencies of the settings",
        FILES,
        (1e-5, FLOAT32),
        relative=True,
    ),
    "hf written settings factor": hf(
        "RoPE, settings written", "attention factor of the settings", FILES, FLOAT64
    ),
    "hf llama table": hf(
        "RoPE", "cos and sin to position 4095", "llama, LlamaRotaryEmbedding", (1e-3, ANGLE)
    ),
    "hf llama rotation": hf(
        "RoPE, half layout", "rotated queries and keys", "llama, apply_rotary_pos_emb", FLOAT64
    ),
    "hf gptj rotation": hf(
        "RoPE, interleaved layout",
        "rotated queries",
        "gptj, apply_rotary_pos_emb and rotate_every_two",
        FLOAT64,
    ),
    "hf neox rotation": hf(
        "RoPE, partial", "rotated queries and keys", "gpt_neox, apply_rotary_pos_emb", FLOAT64
    ),
    "hf qwen2-vl": hf(
        "M-RoPE, contiguous",
        "cos and sin to position 511",
        "qwen2_vl, Qwen2VLRotaryEmbedding",
        (1e-4, ANGLE),
    ),
    "hf qwen3-vl": hf(
        "M-RoPE, interleaved",
        "cos and sin to position 511",
        "qwen3_vl, Qwen3VLTextRotaryEmbedding",
        (1e-4, ANGLE),
    ),
    "hf t5": hf("T5 bias", "bias of every head", "t5, T5Attention.compute_bias", EXACT),
    "hf t5 buckets": hf("T5 bias", "buckets", "t5, T5Attention._relative_position_bucket", EXACT),
    "hf bloom": hf("ALiBi", "attention", "bloom, build_alibi_tensor", ATTENTION),
    "hf mpt": hf("ALiBi", "attention", "mpt, build_mpt_alibi_tensor", ATTENTION),
    "hf vit": hf(
        "Learned", "table on another grid", "vit, ViTEmbeddings.interpolate_pos_encoding", FLOAT64
    ),
    "hf opt": hf(
        "Learned", "rows with an offset of 2", "opt, OPTLearnedPositionalEmbedding", EXACT
    ),
    "hf gptj table": hf(
        "Sinusoidal, concatenated",
        "table to position 511",
        "gptj, create_sinusoidal_positions",
        (1e-4, ANGLE),
    ),
    "hf m2m table": hf(
        "Sinusoidal, tensor2tensor",
        "table to position 511",
        "m2m_100, M2M100SinusoidalPositionalEmbedding",
        (1e-4, ANGLE),
    ),
    "hf xlnet": hf(
        "Transformer-XL",
        "sinusoid of the distance",
        "xlnet, XLNetModel.relative_positional_encoding",
        (1e-4, ANGLE),
    ),
    "hf shaw": hf(
        "Shaw", "position scores", "wav2vec2_bert, _apply_relative_key_position_encoding", FLOAT64
    ),
    "xt alibi": xt("ALiBi, symmetric", "bias of every head", "AlibiPositionalBias", SLOPE),
    "xt t5": xt("T5 bias", "bias of every head", "RelativePositionBias", EXACT),
    "xt cope": xt("CoPE", "position logits", "CoPE", FLOAT64),
    "xt fox": xt("FoX", "forgetting bias", "DataDependentAlibi", FLOAT64),
    "xt rope": xt(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        "RotaryEmbedding, apply_rotary_pos_emb",
        (5e-4, ANGLE),
    ),
    "xt xpos": xt("xPos", "causal scores", "RotaryEmbedding(use_xpos=True)", (5e-5, ANGLE)),
    "ret rope": ret(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        "RotaryEmbedding.rotate_queries_or_keys",
        (5e-4, ANGLE),
    ),
    "ret xpos": ret("xPos", "causal scores", "RotaryEmbedding(use_xpos=True)", (5e-5, ANGLE)),
    "tt rope": tt(
        "RoPE, interleaved layout",
        "rotated queries to position 511",
        "RotaryPositionalEmbeddings",
        (5e-4, ANGLE),
    ),
    "tt llama3": tt("RoPE, Llama-3", "frequencies", "Llama3ScaledRoPE", LLAMA3, relative=True),
    "tt vision": tt(
        "RoPE, two axes",
        "rotated queries on a grid of 16 by 16",
        "VisionRotaryPositionalEmbeddings",
        (2e-5, ANGLE),
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
