"""A small Llama: RMSNorm, SwiGLU, no biases, and any posenc encoding in the four places.

Modules are named as in transformers' Llama, so that the weights of a RoPE model load there.
"""

import copy

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

from lab.spec import RunSpec
from posenc import PositionalEncoding, attend
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows, Pairs

EPS = 1e-5
ROWS = 512  # queries that attend at once where an L × L matrix would have to be held
TOKENS_AT_ONCE = 1 << 14  # tokens in one forward pass; bounds the memory


class Attention(nn.Module):
    """Queries, keys and values of a layer, through posenc's one attention."""

    def __init__(self, d_model: int, heads: int, head_dim: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(d_model, heads * head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, heads * head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, heads * head_dim, bias=False)
        self.o_proj = nn.Linear(heads * head_dim, d_model, bias=False)

    def qkv(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys, values (batch, heads, seq, head_dim) of x (batch, seq, d_model)."""

        def split(y: Tensor) -> Tensor:
            return y.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        return split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))

    def forward(
        self, x: Tensor, encoding: PositionalEncoding, positions: Tensor, window: int | None
    ) -> Tensor:
        """Attend causally, at most `window` keys back; (batch, seq, d_model) to the same."""
        q, k, v = self.qkv(x)
        out = attend_in_rows(q, k, v, encoding, positions, window)
        return self.o_proj(out.transpose(1, 2).flatten(-2))


def attend_in_rows(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding,
    positions: Tensor,
    window: int | None = None,
    rows: int = ROWS,
) -> Tensor:
    """Causal attention that never holds more than `rows` × L scores per head.

    Args:
        q: Queries (batch, heads, seq, head_dim); k and v alike.
        k: Keys.
        v: Values.
        encoding: Where position enters.
        positions: Integers (seq,) or (batch, seq).
        window: A query sees this many keys at most, itself included; None is all before it.
        rows: Queries computed at once.

    Returns:
        (batch, heads, seq, head_dim), as from one `attend` over everything.
    """
    seq = q.shape[-2]
    if seq <= rows and window is None:
        return attend(
            q, k, v, encoding, mask="causal", q_positions=positions, k_positions=positions
        )
    q, k = encoding.rotate(q, k, positions, positions)
    index = torch.arange(seq, device=q.device)
    out = []
    for start in range(0, seq, rows):
        stop = min(start + rows, seq)
        first = 0 if window is None else max(0, start - window + 1)
        behind = index[start:stop, None] - index[None, first:stop]
        mask = behind >= 0 if window is None else (behind >= 0) & (behind < window)
        out.append(
            attend(
                q[..., start:stop, :],
                k[..., first:stop, :],
                v[..., first:stop, :],
                encoding,
                mask=mask,
                q_positions=positions[..., start:stop],
                k_positions=positions[..., first:stop],
                rotated=True,
            )
        )
    return torch.cat(out, dim=-2)


class FeedForward(nn.Module):
    """SwiGLU. Source: Shazeer 2020, arXiv:2002.05202."""

    def __init__(self, d_model: int, ffn: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(d_model, ffn, bias=False)
        self.up_proj = nn.Linear(d_model, ffn, bias=False)
        self.down_proj = nn.Linear(ffn, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Each token by itself, (batch, seq, d_model)."""
        return self.down_proj(silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    """Attention, then feed-forward, each added to what it read through a norm."""

    def __init__(self, spec: RunSpec) -> None:
        super().__init__()
        self.self_attn = Attention(spec.d_model, spec.heads, spec.head_dim)
        self.mlp = FeedForward(spec.d_model, spec.ffn)
        self.input_layernorm = nn.RMSNorm(spec.d_model, eps=EPS)
        self.post_attention_layernorm = nn.RMSNorm(spec.d_model, eps=EPS)

    def forward(
        self, x: Tensor, encoding: PositionalEncoding, positions: Tensor, window: int | None
    ) -> Tensor:
        """One layer, (batch, seq, d_model)."""
        x = x + self.self_attn(self.input_layernorm(x), encoding, positions, window)
        return x + self.mlp(self.post_attention_layernorm(x))


class LanguageModel(nn.Module):
    """Embeddings, blocks, norm, head; one encoding object serves all layers.

    Args:
        spec: The sizes.
        vocab_size: Different tokens.
        encoding: Where position enters. Shared by the layers, as T5 and Kerple do.
        seed: Of the initial weights.
    """

    def __init__(
        self, spec: RunSpec, vocab_size: int, encoding: PositionalEncoding, seed: int = 0
    ) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, spec.d_model)
        self.layers = nn.ModuleList(Block(spec) for _ in range(spec.layers))
        self.norm = nn.RMSNorm(spec.d_model, eps=EPS)
        self.lm_head = nn.Linear(spec.d_model, vocab_size, bias=False)
        self.encoding = encoding
        self._initialise(seed)

    @torch.no_grad()
    def _initialise(self, seed: int) -> None:
        """Embedding 1, head 0.02, matrices 1/√fan_in, those that write to the stream less."""
        generator = torch.Generator().manual_seed(seed)
        writes = (2 * len(self.layers)) ** -0.5
        for name, parameter in self.named_parameters():
            if name.startswith("encoding.") or parameter.dim() < 2:
                continue
            std = 1.0 if "embed" in name else 0.02 if "head" in name else parameter.shape[1] ** -0.5
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                std *= writes
            parameter.normal_(std=std, generator=generator)

    def hidden(
        self, tokens: Tensor, positions: Tensor | None = None, window: int | None = None
    ) -> Tensor:
        """The head's input, (batch, seq, d_model); arguments as in `forward`."""
        if positions is None:
            positions = torch.arange(tokens.shape[-1], device=tokens.device)
        x = self.encoding.embed(self.embed_tokens(tokens), positions)
        for layer in self.layers:
            x = layer(x, self.encoding, positions, window)
        return self.norm(x)

    def forward(
        self, tokens: Tensor, positions: Tensor | None = None, window: int | None = None
    ) -> Tensor:
        """Logits of the next token.

        Args:
            tokens: Integers (batch, seq).
            positions: Integers (seq,) or (batch, seq); default 0 … seq - 1.
            window: Keys that a query sees at most; None is all before it.

        Returns:
            (batch, seq, vocab_size).
        """
        return self.lm_head(self.hidden(tokens, positions, window))

    @torch.no_grad()
    def attentions(
        self, tokens: Tensor, positions: Tensor | None = None, pairs: Pairs | None = causal_pairs
    ) -> list[AttentionRows]:
        """The attention of every layer on one text, with every stage on demand.

        Args:
            tokens: Integers (1, seq).
            positions: Integers (seq,); default 0 … seq - 1.
            pairs: Which queries see which keys, in every layer; see `posenc.attention.masks`.

        Returns:
            One for each layer. Where positions are added to the embeddings, the first layer also
            knows its queries and keys without them; in later layers they cannot be told apart.
        """
        if positions is None:
            positions = torch.arange(tokens.shape[-1], device=tokens.device)
        plain = self.embed_tokens(tokens)
        x = self.encoding.embed(plain, positions)
        found: list[AttentionRows] = []
        for layer in self.layers:
            assert isinstance(layer, Block)
            attention = layer.self_attn
            q, k, v = attention.qkv(layer.input_layernorm(x))
            content = None
            if not found and x is not plain:
                content = attention.qkv(layer.input_layernorm(plain))[:2]
            found.append(AttentionRows(q, k, v, self.encoding, pairs, positions, content))
            x = x + attention.o_proj(found[-1].output().transpose(1, 2).flatten(-2))
            x = x + layer.mlp(layer.post_attention_layernorm(x))
        return found

    def with_encoding(self, encoding: PositionalEncoding) -> "LanguageModel":
        """The same weights, not copied, with another encoding in the four places."""
        model = copy.copy(self)
        model._modules = {**self._modules, "encoding": encoding}
        return model

    @property
    def size(self) -> int:
        """Number of trained parameters."""
        return sum(parameter.numel() for parameter in self.parameters())
