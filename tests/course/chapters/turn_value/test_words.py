"""What the chapter says of DeepSeek's models, beside their own classes with random numbers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from transformers import DeepseekV3Config, DeepseekV4Config, DeepseekV32Config, GlmMoeDsaConfig
from transformers.models.deepseek_v3.modeling_deepseek_v3 import (
    DeepseekV3Attention,
    DeepseekV3RotaryEmbedding,
)
from transformers.models.deepseek_v4.modeling_deepseek_v4 import (
    DeepseekV4Attention,
    DeepseekV4RotaryEmbedding,
)
from transformers.models.deepseek_v32.modeling_deepseek_v32 import DeepseekV32Indexer
from transformers.models.glm_moe_dsa.modeling_glm_moe_dsa import GlmMoeDsaIndexer

from course.chapters import FOLDER
from course.chapters.turn_value.data import data
from posenc import RoPE, attend, rope_cos_sin, rope_inv_freq
from tests.static.values import turn_value

TOLD = json.loads((FOLDER / "turn_value" / "told.json").read_text("utf-8"))
TOKENS = 6


def drawn(module: nn.Module) -> nn.Module:
    """The module with random matrices of the usual size, and sinks that take nothing."""
    for name, weights in module.named_parameters():
        if weights.dim() > 1:
            nn.init.normal_(weights, std=weights.shape[-1] ** -0.5)
        elif name == "sinks":
            nn.init.constant_(weights, -1e4)
    return module.eval()


def sliding(head_dim: int, turned: int, seed: int = 0) -> tuple[DeepseekV4Attention, nn.Module]:
    """A layer of DeepSeek-V4 that sees a window alone, and its rotation."""
    torch.manual_seed(seed)
    config = DeepseekV4Config(
        hidden_size=32, num_attention_heads=2, head_dim=head_dim, q_lora_rank=32, o_groups=1,
        o_lora_rank=32, num_hidden_layers=1, layer_types=["sliding_attention"],
        partial_rotary_factor=turned / head_dim, attn_implementation="eager",
    )  # fmt: skip
    return drawn(DeepseekV4Attention(config, 0)), DeepseekV4RotaryEmbedding(config)


@contextmanager
def watched(**modules: nn.Module) -> Iterator[dict[str, Tensor]]:
    """What goes into a module whose name begins with `to_`, and what comes out of any other."""
    found: dict[str, Tensor] = {}

    def note(name: str) -> Any:
        def hook(_module: nn.Module, given: tuple[Tensor, ...], made: Tensor) -> None:
            found[name] = (given[0] if name.startswith("to_") else made).detach()

        return hook

    handles = [module.register_forward_hook(note(name)) for name, module in modules.items()]
    yield found
    for handle in handles:
        handle.remove()


def causal(tokens: int) -> Tensor:
    return torch.full((tokens, tokens), -torch.inf).triu(1)[None, None]


@torch.no_grad()
def heads_at(layer: DeepseekV4Attention, rotary: nn.Module, start: int) -> Mapping[str, Tensor]:
    """Queries, the shared vectors, and the heads' output as the last matrices get it."""
    torch.manual_seed(1)
    x, places = torch.randn(1, TOKENS, 32), start + torch.arange(TOKENS)[None]
    table = rotary(x, places, layer_type="main")
    with watched(q=layer.q_b_norm, kv=layer.kv_norm, to_o=layer.o_a_proj) as found:
        found["out"] = layer(x, {"main": table}, places, causal(TOKENS))[0]
    return found


def test_moving_the_text_leaves_the_output_of_deepseek_v4() -> None:
    layer, rotary = sliding(16, 8)
    first = heads_at(layer, rotary, 0)["out"]
    golden = torch.tensor([-1.01539, 0.98550, -0.26296, -0.63577])
    torch.testing.assert_close(first[0, -1, :4], golden, rtol=0, atol=1e-5)
    for start in (1, 10, 100, 1000):
        there = heads_at(layer, rotary, start)["out"]
        torch.testing.assert_close(there, first, rtol=0, atol=2e-5)


def test_posenc_turns_values_and_turns_back_as_deepseek_v4_does() -> None:
    layer, rotary = sliding(16, 8)
    start = 37
    found, places = heads_at(layer, rotary, start), start + torch.arange(TOKENS)
    rope = RoPE(8)

    def turned(x: Tensor, positions: Tensor) -> Tensor:
        return torch.cat([x[..., :-8], rope(x[..., -8:], positions)], -1)

    q, kv = turned(found["q"], places), turned(found["kv"][:, None], places)
    out = turned(attend(q, kv, kv, mask="causal"), -places)
    heads = found["to_o"].view(1, TOKENS, 2, 16).transpose(1, 2)
    torch.testing.assert_close(out, heads, rtol=0, atol=1e-5)


def test_not_turned_back_an_output_is_off_as_is_said() -> None:
    values = turn_value()
    expected = dict(zip(values["places"], values["off"], strict=True))
    for place in (1, 10, 100, 1000, 10000):
        off = []
        for seed in range(4):
            layer, rotary = sliding(512, 64, seed)
            right = heads_at(layer, rotary, place - TOKENS + 1)["to_o"].view(1, TOKENS, 2, 512)[
                0, -1
            ]
            wrong = right.clone()
            wrong[:, -64:] = RoPE(64)(right[:, -64:], torch.tensor([place, place]))
            off.append(float((wrong - right).norm() / right.norm()))
        assert sum(off) / len(off) == pytest.approx(expected[place], abs=0.03), place
    assert expected[0] == 0


@torch.no_grad()
def test_a_score_of_mla_is_a_latents_and_a_turning_keys() -> None:
    torch.manual_seed(0)
    config = DeepseekV3Config(
        hidden_size=32, num_attention_heads=2, num_key_value_heads=2, q_lora_rank=None,
        kv_lora_rank=12, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=8,
        attn_implementation="eager",
    )  # fmt: skip
    layer = drawn(DeepseekV3Attention(config, 0))
    x, places = torch.randn(1, TOKENS, 32), torch.arange(TOKENS)[None]
    table = DeepseekV3RotaryEmbedding(config)(x, places)
    parts = {"q": layer.q_proj, "c": layer.kv_a_layernorm, "both": layer.kv_a_proj_with_mqa}
    with watched(**parts) as found:
        shares = layer(x, table, causal(TOKENS))[1]
    q, turning = found["q"].view(1, TOKENS, 2, 12).transpose(1, 2).split([8, 4], -1)
    key_of = layer.kv_b_proj.weight.view(2, 16, 12)[:, :8]  # W of each head
    moved = torch.einsum("bhqd,hdc->bhqc", q, key_of)  # Wᵀq: words keep c alone
    rope, one = RoPE(4), found["both"][:, None, :, -4:]
    scores = moved @ found["c"][:, None].mT + rope(turning) @ rope(one).mT
    expected = (scores * layer.scaling + causal(TOKENS)).softmax(-1)
    torch.testing.assert_close(shares, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("indexer", "config", "order"),
    [(DeepseekV32Indexer, DeepseekV32Config, 0), (GlmMoeDsaIndexer, GlmMoeDsaConfig, 1)],
)
@torch.no_grad()
def test_indexers_of_both_pairings_choose_what_is_drawn(
    indexer: type[nn.Module], config: type, order: int
) -> None:
    kept, words = int(TOLD["indexer"]["at"]["kept"]), int(TOLD["indexer"]["after"]["all"])
    made = indexer(
        config(hidden_size=16, q_lora_rank=16, index_n_heads=1, index_head_dim=16,
               qk_rope_head_dim=16, index_topk=kept), 0,
    )  # fmt: skip
    theta = rope_inv_freq(16)[0].float()
    back = int(TOLD["indexer"]["at"]["wanted"])
    query = torch.cat([(back * theta).cos(), -(back * theta).sin()])
    key = torch.cat([torch.ones(8), torch.zeros(8)])
    for weights in made.parameters():
        weights.zero_()
    made.wq_b.weight[:, 0], made.weights_proj.weight[:, 0] = query, 1.0
    made.k_norm.bias.copy_(key)  # every word has the same key, before it turns
    x = torch.zeros(1, words, 16)
    x[..., 0] = 1
    table = rope_cos_sin(torch.arange(words), theta.double(), dtype=torch.float32)
    cos, sin = (torch.cat([one, one], -1)[None] for one in table)
    seen = made(x, x, (cos, sin), causal(words)[0], torch.arange(words)[None])
    found = {words - 1 - int(one) for one in seen[0, -1]}
    scores = torch.tensor(turn_value()["scores"][order])
    assert found == {*scores.topk(kept).indices.tolist()}
    assert (back in found) == (order == 0)


def test_sizes_are_those_of_the_models() -> None:
    found, told = data(), TOLD["forget"]["at"]
    numbers, turning = int(told["numbers"]), int(told["turning"])
    assert found["shared"] == {"numbers": numbers, "turned": turning, "base": 10000}
    assert 2 * int(told["pairs"]) == found["shared"]["turned"]
    shared = DeepseekV4Config()
    assert shared.rope_parameters["main"]["rope_theta"] == 10_000
    assert shared.rope_parameters["compress"]["rope_theta"] == 160_000
    assert DeepseekV32Config().index_topk == 2048
    latent = DeepseekV3Config()
    assert found["latent"]["numbers"] == latent.kv_lora_rank
    assert found["latent"]["turned"] == latent.qk_rope_head_dim
    assert found["latent"]["heads"] == latent.num_attention_heads
