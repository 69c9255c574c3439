"""A small model around an encoding, for laws that hold for all of them."""

import torch

from posenc import ALiBi, CoPE, Kerple, RoPE, Shaw, T5Bias, XPos, attend
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import RandomProjections, randomise
from posenc.scaling import NTK, DynamicNTK, YaRN
from posenc.transformer_xl.distance_alone import SinusoidalBias

LENGTH, BATCH = 11, 2
SHAPE = ModelShape(d_model=12, num_heads=4, head_dim=6, length=1024)
MODEL = RandomProjections(seed=3, d_model=12, num_heads=4, head_dim=6)
IDS = [[5, 1, 8, 5, 2, 9, 3, 5, 7, 4, 6], [2, 2, 7, 1, 9, 8, 3, 6, 4, 5, 1]]

# Options of the classes that the catalogue does not take, and biases that are not entries.
VARIANTS = {
    "rope, half layout, partial": lambda: RoPE(6, layout="half", rotary_dim=4),
    "xpos, half layout": lambda: XPos(6, layout="half"),
    "rope, NTK": lambda: RoPE(6, scaling=NTK(4.0)),
    "rope, YaRN": lambda: RoPE(6, scaling=YaRN(4.0, original_length=16)),
    "rope, dynamic NTK of a fixed length": lambda: RoPE(6, scaling=DynamicNTK(2.0, 8), length=1024),
    "kerple, power": lambda: Kerple(4, "power"),
    "shaw, keys only": lambda: Shaw(6, max_distance=2, values=False),
    "t5, causal": lambda: T5Bias(4, bidirectional=False, num_buckets=6, max_distance=9),
    "alibi, causal and learned": lambda: ALiBi(4, learned=True),
    "sinusoidal bias": lambda: SinusoidalBias(4, 8),
    "cope, paper's gates, capped": lambda: CoPE(6, 4, scale_gates=False, scale_sum=False),
}


def build(name, dtype=torch.float64, device="cpu", shape=SHAPE):
    """An encoding by name, whose learned tables are not zero."""
    encoding = VARIANTS[name]() if name in VARIANTS else CATALOGUE[name].build(shape)
    return randomise(encoding, seed=1, std=0.7).to(device, dtype)


def texts(dtype=torch.float64, device="cpu"):
    """Embeddings of two texts, (2, LENGTH, d_model)."""
    return torch.cat([MODEL.embed(ids) for ids in IDS]).to(device, dtype)


def qkv(encoding, positions, x):
    """Queries, keys and values of embeddings at these positions."""
    return MODEL.project(encoding.embed(x, positions))


def output(encoding, positions, x, mask="causal", *, trace=False):
    """All four places, from embeddings to the output of attention."""
    q, k, v = qkv(encoding, positions, x)
    return attend(q, k, v, encoding, mask=mask, k_positions=positions, trace=trace)
