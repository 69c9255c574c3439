"""What is timed: for each task ours, the peers' way to the same numbers, and the least traffic."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import torch
from torch import Tensor, nn

from benchmarks import peers
from posenc import (
    ALiBi,
    RoPE,
    Shaw,
    T5Bias,
    alibi_bias,
    alibi_slopes,
    cope_logits,
    cope_positions,
    rope_cos_sin,
    rope_inv_freq,
    sinusoidal_table,
)
from posenc.rope.fast import rotate_pairs

Function = Callable[[], object]
MOST_NUMBERS = 2**24
"""Numbers in one tensor of queries or one bias: 64 MiB in float32."""
HEADS = 8


@dataclass
class Case:
    """One row: a task at one size."""

    task: str
    setting: str
    ours: Function
    peers: dict[str, Function | None]
    """By name; None where the peer is not installed."""
    moved: int
    """Bytes that must be read and written, whoever computes."""


@dataclass(frozen=True)
class Size:
    """The sizes that a case is made for."""

    head_dim: int
    length: int
    dtype: torch.dtype
    device: torch.device

    def __str__(self) -> str:
        return f"head_dim {self.head_dim}, length {self.length:,}, {str(self.dtype)[6:]}"


def when(module: object, function: Function) -> Function | None:
    """The function, if its library is here."""
    return function if module is not None else None


def heads_of(size: Size) -> int:
    """As many heads as the largest tensor allows, at most HEADS."""
    return max(1, min(HEADS, MOST_NUMBERS // (size.length * size.head_dim)))


def llama_rotary(size: Size) -> nn.Module | None:
    """transformers' module that makes cos and sin."""
    llama = peers.model("llama")
    if llama is None:
        return None
    config = peers.transformers.LlamaConfig(
        hidden_size=size.head_dim, num_attention_heads=1, head_dim=size.head_dim
    )
    return llama.LlamaRotaryEmbedding(config).to(size.device)


def rope_table(size: Size) -> Case:
    """Cos and sin of all positions. transformers writes every number twice, in float32 angles."""
    inv_freq, _ = rope_inv_freq(size.head_dim)
    positions = torch.arange(size.length, device=size.device)
    rotary, like = llama_rotary(size), torch.zeros(1, dtype=size.dtype, device=size.device)
    tune = peers.torchtune and peers.torchtune.RotaryPositionalEmbeddings(size.head_dim, 8)
    return Case(
        "cos and sin",
        str(size),
        lambda: rope_cos_sin(positions, inv_freq, dtype=size.dtype),
        {
            "transformers": when(rotary, lambda: rotary(like, positions[None])),
            "torchtune": when(tune, lambda: tune.build_rope_cache(size.length)),
        },
        size.length * size.head_dim * like.element_size(),
    )


def apply_half(size: Size) -> Case:
    """Queries and keys turned by a table that is there already, half layout (Llama)."""
    q, k = torch.randn(2, 1, heads_of(size), size.length, size.head_dim, device=size.device).to(
        size.dtype
    )
    inv_freq, _ = rope_inv_freq(size.head_dim)
    positions = torch.arange(size.length, device=size.device)
    cos, sin = rope_cos_sin(positions, inv_freq, dtype=torch.float32)
    llama = peers.model("llama")
    doubled = [torch.cat((t, t), dim=-1)[None].to(size.dtype) for t in (cos, sin)]
    return Case(
        "apply RoPE, half",
        f"{heads_of(size)} heads, {size}",
        lambda: (rotate_pairs(q, cos, sin, "half"), rotate_pairs(k, cos, sin, "half")),
        {"transformers": when(llama, lambda: llama.apply_rotary_pos_emb(q, k, *doubled))},
        4 * q.nbytes + 2 * cos.nbytes,
    )


def apply_interleaved(size: Size) -> Case:
    """The same in the interleaved layout (GPT-J, torchtune): these have the heads behind."""
    heads = heads_of(size)
    q, k = torch.randn(2, 1, heads, size.length, size.head_dim, device=size.device).to(size.dtype)
    behind = [x.transpose(1, 2).contiguous() for x in (q, k)]
    inv_freq, _ = rope_inv_freq(size.head_dim)
    positions = torch.arange(size.length, device=size.device)
    cos, sin = rope_cos_sin(positions, inv_freq, dtype=torch.float32)
    gptj = peers.model("gptj")
    theirs = [t[None].to(size.dtype) for t in (sin, cos)]
    tune = peers.torchtune and peers.torchtune.RotaryPositionalEmbeddings(
        size.head_dim, size.length
    ).to(size.device)
    return Case(
        "apply RoPE, interleaved",
        f"{heads} heads, {size}",
        lambda: [rotate_pairs(x, cos, sin, "interleaved") for x in (q, k)],
        {
            "transformers": when(
                gptj, lambda: [gptj.apply_rotary_pos_emb(x, *theirs) for x in behind]
            ),
            "torchtune": when(tune, lambda: [tune(x) for x in behind]),
        },
        4 * q.nbytes + 2 * cos.nbytes,
    )


def rope_from_positions(size: Size) -> Case:
    """From positions to turned queries and keys, tables included, as one layer alone does it."""
    q, k = torch.randn(2, 1, heads_of(size), size.length, size.head_dim, device=size.device).to(
        size.dtype
    )
    positions = torch.arange(size.length, device=size.device)
    layout = "interleaved"
    ours = RoPE(size.head_dim, layout=layout)
    rotary, llama = llama_rotary(size), peers.model("llama")
    xt, ret = peers.x_transformers, peers.rotary_embedding_torch
    xt_rotary = xt and xt.RotaryEmbedding(size.head_dim).to(size.device)
    ret_rotary = ret and ret.RotaryEmbedding(size.head_dim, cache_max_seq_len=size.length).to(
        size.device
    )

    def x_transformers() -> list[Tensor]:
        freqs, scale = xt_rotary(positions)
        return [xt.apply_rotary_pos_emb(x, freqs, scale) for x in (q, k)]

    return Case(
        "RoPE from positions",
        f"{heads_of(size)} heads, {size}",
        lambda: ours.rotate(q, k, positions, positions),
        {
            "transformers": when(
                rotary, lambda: llama.apply_rotary_pos_emb(q, k, *rotary(q, positions[None]))
            ),
            "x-transformers": when(xt, x_transformers),
            "rotary-embedding-torch": when(
                ret, lambda: [ret_rotary.rotate_queries_or_keys(x) for x in (q, k)]
            ),
        },
        4 * q.nbytes,
    )


def alibi_row(size: Size) -> Case:
    """The bias of one query to all keys, in the form that BLOOM and MPT add to every row."""
    slopes = alibi_slopes(32).to(size.device, torch.float32)
    relative = torch.arange(1 - size.length, 1, device=size.device)
    mask = torch.ones(1, size.length, dtype=torch.int64, device=size.device)
    bloom, mpt = peers.model("bloom"), peers.model("mpt")
    return Case(
        "ALiBi, one query",
        f"32 heads, {size}",
        lambda: alibi_bias(slopes, relative).to(size.dtype),
        {
            "transformers (BLOOM)": when(
                bloom, lambda: bloom.build_alibi_tensor(mask, 32, size.dtype)
            ),
            "transformers (MPT)": when(
                mpt,
                lambda: mpt.build_mpt_alibi_tensor(32, size.length, device=size.device).to(
                    size.dtype
                ),
            ),
        },
        32 * size.length * size.dtype.itemsize,
    )


def square(size: Size, heads: int) -> tuple[Tensor, Tensor]:
    """Positions, and a stand-in for queries that carries heads, dtype and device."""
    positions = torch.arange(size.length, device=size.device)
    shape = (1, heads, size.length, size.head_dim)
    return positions, torch.randn(shape, device=size.device).to(size.dtype)


def alibi_square(size: Size) -> Case:
    """The bias of all queries to all keys."""
    positions, q = square(size, HEADS)
    ours, xt = ALiBi(HEADS, symmetric=True), peers.x_transformers
    return Case(
        "ALiBi, all pairs",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {
            "x-transformers": when(
                xt,
                lambda: (
                    xt.AlibiPositionalBias(HEADS)
                    .to(size.device)(size.length, size.length)
                    .to(size.dtype)
                ),
            )
        },
        HEADS * size.length**2 * size.dtype.itemsize,
    )


def t5(size: Size) -> Case:
    """T5's bias of all queries to all keys, from the buckets on."""
    positions, q = square(size, HEADS)
    ours = T5Bias(HEADS).to(size.device, size.dtype)
    hf, xt = peers.model("t5"), peers.x_transformers
    config = hf and peers.transformers.T5Config(d_model=64, d_kv=8, num_heads=HEADS)
    theirs = hf and hf.T5Attention(config, has_relative_attention_bias=True).to(
        size.device, size.dtype
    )
    lucid = xt and xt.RelativePositionBias(1, heads=HEADS).to(size.device, size.dtype)
    return Case(
        "T5 bias",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {
            "transformers": when(hf, lambda: theirs.compute_bias(size.length, size.length)),
            "x-transformers": when(xt, lambda: lucid(size.length, size.length)),
        },
        HEADS * size.length**2 * size.dtype.itemsize,
    )


def shaw(size: Size) -> Case:
    """q·a of all pairs; transformers looks up a vector for each pair."""
    positions, q = square(size, HEADS)
    ours = Shaw(size.head_dim, 64, values=False).to(size.device, size.dtype)
    hf = peers.model("wav2vec2_bert")
    theirs = SimpleNamespace(
        left_max_position_embeddings=64,
        right_max_position_embeddings=64,
        distance_embedding=nn.Embedding.from_pretrained(ours.key_embedding.detach()),
        scaling=size.head_dim**-0.5,
    )
    return Case(
        "Shaw scores",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {"transformers": when(hf, lambda: hf._apply_relative_key_position_encoding(theirs, q, q))},
        q.nbytes + HEADS * size.length**2 * size.dtype.itemsize,
    )


def cope(size: Size) -> Case:
    """Gates, positions and logits of CoPE with 64 positions, from masked scores."""
    _, q = square(size, HEADS)
    scores = (q @ q.mT).masked_fill(torch.ones(size.length, size.length).triu(1).bool(), -torch.inf)
    xt = peers.x_transformers
    theirs = xt and xt.CoPE(size.head_dim, HEADS, 64).to(size.device, size.dtype)
    embedding = torch.randn(size.head_dim, 64, device=size.device).to(size.dtype)
    return Case(
        "CoPE",
        f"{HEADS} heads, {size}",
        lambda: cope_logits(q, cope_positions(scores, 64), embedding),
        {"x-transformers": when(xt, lambda: theirs(q, scores))},
        2 * scores.nbytes,
    )


def sinusoidal(size: Size) -> Case:
    """The sinusoidal table, d_model = 8 · head_dim; ours in float64, theirs in float32."""
    d_model = 8 * size.head_dim
    gptj, m2m = peers.model("gptj"), peers.model("m2m_100")
    return Case(
        "sinusoidal table",
        f"d_model {d_model}, length {size.length:,}",
        lambda: sinusoidal_table(size.length, d_model, layout="concatenated").to(size.dtype),
        {
            "transformers (GPT-J)": when(
                gptj, lambda: gptj.create_sinusoidal_positions(size.length, d_model)
            ),
            "transformers (M2M-100)": when(
                m2m,
                lambda: m2m.M2M100SinusoidalPositionalEmbedding.get_embedding(size.length, d_model),
            ),
        },
        size.length * d_model * size.dtype.itemsize,
    )


LONG = (rope_table, apply_half, apply_interleaved, rope_from_positions, alibi_row)
SQUARE = (alibi_square, t5, shaw, cope)
MOST_PAIRS = 2048
"""Length of the tasks whose result grows with its square."""


def cases(device: torch.device, lengths: tuple[int, ...]) -> Iterator[Case]:
    """Every task at every size that fits."""
    for dtype in (torch.float32, torch.bfloat16):
        for head_dim in (64, 128):
            for length in lengths:
                size = Size(head_dim, length, dtype, device)
                yield from (make(size) for make in LONG)
                if length <= MOST_PAIRS:
                    yield from (make(size) for make in SQUARE)
    for length in lengths:
        if device.type == "cpu" and length * 512 <= 2 * MOST_NUMBERS:
            yield sinusoidal(Size(64, length, torch.float32, device))
