"""Parameters under the names of other libraries, and the numbers that those libraries compute."""

import pytest
import torch
from transformers import BertConfig, GPT2Config, OPTConfig, T5Config, XLNetConfig
from transformers.models.bert.modeling_bert import BertModel
from transformers.models.gpt2.modeling_gpt2 import GPT2Model
from transformers.models.opt.modeling_opt import OPTModel
from transformers.models.t5.modeling_t5 import T5Model
from transformers.models.xlnet.modeling_xlnet import XLNetModel

from posenc import (
    FIRE,
    ALiBi,
    CoPE,
    Kerple,
    Learned,
    T5Bias,
    TransformerXL,
    attend,
    load_published,
)
from posenc.random_model import randomise
from tests.parity.peers import x_transformers
from tests.tensors import random


def test_t5():
    config = T5Config(
        d_model=16, d_kv=4, num_heads=4, num_layers=1, d_ff=8, vocab_size=9,
        relative_attention_num_buckets=8, relative_attention_max_distance=20,
    )  # fmt: skip
    model = T5Model(config).eval()
    for side, bidirectional in (("encoder", True), ("decoder", False)):
        ours = T5Bias(4, bidirectional, num_buckets=8, max_distance=20)
        load_published(ours, model.state_dict(), f"{side}.")
        theirs = getattr(model, side).block[0].layer[0].SelfAttention.compute_bias(7, 7)
        positions = torch.arange(7)
        got = ours.bias(torch.zeros(1, 4, 7, 4), torch.zeros(1, 4, 7, 7), positions, positions)
        torch.testing.assert_close(got, theirs[0])
    with pytest.raises(ValueError, match="one name that ends in relative_attention"):
        load_published(T5Bias(4, num_buckets=8), model.state_dict())


@pytest.mark.parametrize(
    ("model", "key", "offset"),
    [
        (lambda: BertModel(BertConfig(hidden_size=8, num_attention_heads=2, num_hidden_layers=1,
                                      intermediate_size=8, vocab_size=9,
                                      max_position_embeddings=12)),
         "embeddings.position_embeddings.weight", 0),
        (lambda: GPT2Model(GPT2Config(n_embd=8, n_head=2, n_layer=1, vocab_size=9,
                                      n_positions=12)), "wpe.weight", 0),
        (lambda: OPTModel(OPTConfig(hidden_size=8, num_attention_heads=2, num_hidden_layers=1,
                                    ffn_dim=8, vocab_size=9, word_embed_proj_dim=8,
                                    max_position_embeddings=12)),
         "decoder.embed_positions.weight", 2),
    ],
)  # fmt: skip
def test_learned(model, key, offset):
    state = model().state_dict()
    ours = Learned(12, 8, offset=offset)
    load_published(ours, state)
    x = torch.zeros(1, 12, 8)
    torch.testing.assert_close(ours.embed(x, torch.arange(12))[0], state[key][offset:])


def test_xlnet():
    """Its two-stream attention without segments: the score of content and distance."""
    config = XLNetConfig(d_model=8, n_head=2, n_layer=1, d_inner=8, vocab_size=9, dropout=0.0)
    model = XLNetModel(config).eval()
    layer = model.layer[0].rel_attn
    with torch.no_grad():
        for parameter in (layer.r_w_bias, layer.r_r_bias, layer.r):
            parameter.normal_()
        ours = TransformerXL(2, 4, 8)
        load_published(ours, model.state_dict(), "layer.0.")
        q, k = random(2, 5, 1, 2, 4, dtype=torch.float32).unbind()
        distances = model.relative_positional_encoding(5, 5, bsz=1)
        r = torch.einsum("ibh,hnd->ibnd", distances, layer.r)
        v = torch.eye(5)[:, None, None].expand(5, 1, 2, 5)
        weights = layer.rel_attn_core(q, k, v, r)
        moved = [x.permute(1, 2, 0, 3) for x in (q, k, v)]
        got = attend(*moved, ours)
    torch.testing.assert_close(got.permute(2, 0, 1, 3), weights, atol=1e-5, rtol=0)


def test_cope():
    theirs = x_transformers.CoPE(4, 2, 6, talking_heads=False).double()
    ours = CoPE(4, 6).double()
    load_published(ours, {"attn.cope.pos_emb": theirs.pos_emb.data.mT[None]})
    torch.testing.assert_close(ours.embedding.data, theirs.pos_emb.data.mT)


@pytest.mark.parametrize("build", [lambda: Kerple(3), lambda: FIRE(3)])
def test_our_own_parameters_under_published_names(build):
    source, target = randomise(build(), 0), randomise(build(), 1)
    names = {"r1": "bias_p", "r2": "bias_a", "threshold_factor": "L_multiplier"}
    state = {
        f"layers.0.{names.get(name, name)}": parameter.data.reshape(-1, 1, 1)
        if name in ("r1", "r2")
        else parameter.data
        for name, parameter in source.named_parameters()
    }
    load_published(target, state)
    for one, other in zip(source.parameters(), target.parameters(), strict=True):
        assert one.equal(other)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: load_published(ALiBi(2), {}), "must have published names, and ALiBi has none"),
        (lambda: load_published(T5Bias(2), {}), r"ends in relative_attention_bias.weight, got no"),
        (
            lambda: load_published(
                T5Bias(2), {"relative_attention_bias.weight": torch.zeros(8, 2)}
            ),
            r"for a table of shape \(32, 2\), got \(8, 2\)",
        ),
        (lambda: load_published(T5Bias(2), 3), "state must be tensors by name"),
        (
            lambda: load_published(T5Bias(2), {"relative_attention_bias.weight": 3}),
            "state must be a torch tensor",
        ),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_filled(call, words):
    with pytest.raises(ValueError, match=words):
        call()
