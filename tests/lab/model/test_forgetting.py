"""The model with forget gates beside those whose positions it can be."""

import torch

from lab.model.forgetting import OPEN, ForgettingAttention, forgetting_model
from lab.spec import text_spec
from lab.tasks.corpus import VOCAB
from lab.training.loop import new_model
from posenc import ALiBi, NoPE, attend
from posenc.alibi.formula import alibi_slopes

D_MODEL, HEADS, WIDTH, LENGTH = 32, 4, 8, 9


def attention(bias: torch.Tensor) -> ForgettingAttention:
    """Random matrices, and gates that the words do not move."""
    torch.manual_seed(0)
    layer = ForgettingAttention(D_MODEL, HEADS, WIDTH)
    torch.nn.init.zeros_(layer.forget.weight)
    with torch.no_grad():
        layer.forget.bias.copy_(bias)
    return layer


@torch.no_grad()
def test_equal_gates_are_alibi() -> None:
    layer = attention(torch.special.logit((-alibi_slopes(HEADS)).exp()).float())
    x = torch.randn(2, LENGTH, D_MODEL)
    heads = attend(*layer.qkv(x), ALiBi(HEADS), mask="causal")
    expected = layer.o_proj(heads.transpose(1, 2).flatten(-2))
    found = layer(x, NoPE(), torch.arange(LENGTH), None)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


@torch.no_grad()
def test_gates_that_are_open_know_no_positions() -> None:
    spec = text_spec("nope", seed=3)
    model, plain = forgetting_model(spec, VOCAB), new_model(spec)
    for layer, other in zip(model.layers, plain.layers, strict=True):
        layer.self_attn.forget.bias.fill_(40.0)  # type: ignore[union-attr, operator]
        layer.load_state_dict(other.state_dict(), strict=False)
    for name in ("embed_tokens", "norm", "lm_head"):
        getattr(model, name).load_state_dict(getattr(plain, name).state_dict())
    tokens = torch.randint(VOCAB, (1, 20))
    torch.testing.assert_close(model(tokens), plain(tokens), rtol=0, atol=1e-4)


def test_a_seed_decides_the_weights_and_gates_begin_open() -> None:
    spec = text_spec("nope", seed=3)
    one, two = (forgetting_model(spec, VOCAB).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert (one["layers.0.self_attn.forget.bias"] == OPEN).all()
