"""RoPE: its table, its rotation in both layouts, and both from positions on."""

import torch
from torch import Tensor, nn

from benchmarks import peers
from benchmarks.cases.case import Case, Size, heads_of, when
from posenc import RoPE, rope_cos_sin, rope_inv_freq


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
    rotary = llama_rotary(size)
    like = torch.zeros(1, dtype=size.dtype, device=size.device)
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
    rope = RoPE(size.head_dim, layout="half")
    return Case(
        "apply RoPE, half",
        f"{heads_of(size)} heads, {size}",
        lambda: rope.rotate_by(q, k, (cos, sin)),
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
    rope = RoPE(size.head_dim)
    tune = peers.torchtune and peers.torchtune.RotaryPositionalEmbeddings(
        size.head_dim, size.length
    ).to(size.device)
    return Case(
        "apply RoPE, interleaved",
        f"{heads} heads, {size}",
        lambda: rope.rotate_by(q, k, (cos, sin)),
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
    rotary = llama_rotary(size)
    llama = peers.model("llama")
    xt = peers.x_transformers
    ret = peers.rotary_embedding_torch
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
