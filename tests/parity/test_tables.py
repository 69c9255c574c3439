"""Tables of positions: sinusoidal and learned, against transformers."""

from types import SimpleNamespace

import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import ViTConfig
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.opt.modeling_opt import OPTLearnedPositionalEmbedding
from transformers.models.vit.modeling_vit import ViTEmbeddings
from transformers.models.xlnet.modeling_xlnet import XLNetModel

from posenc import Learned, sinusoidal_table
from posenc.learned.longer import interpolate_grid
from posenc.transformer_xl.formula import relative_sinusoid
from tests.parity.comparisons import agree

LENGTHS = st.integers(1, 512)
PAIRS = st.integers(1, 128)


@given(LENGTHS, PAIRS)
def test_gptj_table(length, pairs):
    ours = sinusoidal_table(length, 2 * pairs, layout="concatenated")
    agree("hf gptj table", ours, create_sinusoidal_positions(length, 2 * pairs))


@given(LENGTHS, st.integers(4, 256))
def test_m2m_table(length, d_model):
    expected = M2M100SinusoidalPositionalEmbedding.get_embedding(length, d_model)
    agree("hf m2m table", sinusoidal_table(length, d_model, layout="tensor2tensor"), expected)


@given(LENGTHS, PAIRS)
def test_xlnet(length, pairs):
    peer = SimpleNamespace(
        d_model=2 * pairs,
        attn_type="uni",
        bi_data=False,
        clamp_len=-1,
        positional_embedding=XLNetModel.positional_embedding,
    )
    expected = XLNetModel.relative_positional_encoding(peer, length, length)[:, 0]
    # From the farthest distance down to that of a token to itself.
    agree("hf xlnet", relative_sinusoid(torch.arange(length, -1, -1), 2 * pairs), expected)


@given(st.integers(2, 8), st.integers(1, 12), st.integers(1, 12), st.integers(1, 16))
def test_vit(side, height, width, d_model):
    config = ViTConfig(hidden_size=d_model, image_size=side, patch_size=1)
    peer = ViTEmbeddings(config).double()
    table = torch.randn(
        1 + side * side, d_model, generator=torch.Generator().manual_seed(side), dtype=torch.float64
    )
    peer.position_embeddings.data = table[None]
    patches = torch.zeros(1, 1 + height * width, d_model)
    expected = peer.interpolate_pos_encoding(patches, height, width)[0]
    ours = interpolate_grid(table, (side, side), (height, width), class_tokens=1)
    agree("hf vit", ours, expected)


@given(st.integers(1, 64), st.integers(1, 16), st.data())
def test_opt(length, d_model, data):
    count = data.draw(st.integers(1, length))
    ours = Learned(length, d_model, offset=2)
    peer = OPTLearnedPositionalEmbedding(length, d_model)
    peer.weight.data = ours.table.detach()
    expected = peer(torch.ones(1, count, dtype=torch.int64))
    agree("hf opt", ours.embed(torch.zeros(1, count, d_model), torch.arange(count)), expected)
