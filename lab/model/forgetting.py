"""The lab's small model with forget gates in place of positions (FoX)."""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from lab.model.transformer import Attention, Block, LanguageModel
from lab.spec import RunSpec
from posenc import PositionalEncoding, causal_mask, fox_bias, fox_log_gates
from posenc.catalogue import CATALOGUE

OPEN = 3.0  # of the gates' logits as training begins: they let 95% through


class ForgettingAttention(Attention):
    """Attention whose scores lose ln f for each gate between query and key."""

    def __init__(self, d_model: int, heads: int, head_dim: int) -> None:
        super().__init__(d_model, heads, head_dim)
        self.forget = nn.Linear(d_model, heads)
        nn.init.constant_(self.forget.bias, OPEN)

    def log_gates(self, x: Tensor) -> Tensor:
        """Logarithms of the gates, (batch, heads, seq), of x (batch, seq, d_model)."""
        return fox_log_gates(x, self.forget.weight, self.forget.bias)

    def forward(
        self, x: Tensor, encoding: PositionalEncoding, positions: Tensor, window: int | None
    ) -> Tensor:
        """Attend causally to all keys; (batch, seq, d_model) to the same."""
        q, k, v = self.qkv(x)
        hidden = ~causal_mask(x.shape[1], x.shape[1], x.device)
        bias = fox_bias(self.log_gates(x)).masked_fill(hidden, float("-inf"))
        out = scaled_dot_product_attention(q, k, v, attn_mask=bias)
        return self.o_proj(out.transpose(1, 2).flatten(-2))


def forgetting_model(spec: RunSpec, vocab_size: int) -> LanguageModel:
    """An untrained model with gates in place of positions; its weights depend on the seed alone."""
    model = LanguageModel(spec, vocab_size, CATALOGUE["nope"].kind(), spec.seed)
    for layer in model.layers:
        layer.self_attn = ForgettingAttention(spec.d_model, spec.heads, spec.head_dim)
    model._initialise(spec.seed)
    return model


@torch.no_grad()
def read_by_gates(model: LanguageModel, texts: Tensor) -> list[tuple[ForgettingAttention, Tensor]]:
    """The attention of each layer, and what its gates read: (texts, length, d_model).

    Args:
        model: Of `forgetting_model`.
        texts: Ids, (texts, length).
    """
    x, positions = model.embed_tokens(texts), torch.arange(texts.shape[1])
    found = []
    for layer in model.layers:
        assert isinstance(layer, Block)
        assert isinstance(layer.self_attn, ForgettingAttention)
        found.append((layer.self_attn, layer.input_layernorm(x)))
        x = layer(x, model.encoding, positions, None)
    return found
