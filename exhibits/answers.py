"""Named answers: the numbers that the predict questions of the screens ask for, computed.

A lesson writes the name in braces; nobody types the number, so it cannot go stale.
"""

import math
from collections.abc import Callable
from functools import cache

import torch

from advisor.comparing.layer import RopeLayer
from advisor.known_models import known_models
from advisor.rope import RopeConfig
from exhibits.asked import ASKED
from exhibits.cache_sizes import KEPT
from exhibits.real import REAL
from exhibits.stretched import STRETCHED
from posenc.alibi.formula import ALiBi
from posenc.alibi.window import alibi_window
from posenc.attention.formula import attend
from posenc.attention.masks import causal_mask
from posenc.cache.policy import decode_work
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.cope.formula import cope_positions
from posenc.learned.formula import Learned
from posenc.places import PositionalEncoding
from posenc.precision.rounding import first_colliding_position
from posenc.random_model import RandomProjections
from posenc.rope.axes import mrope_positions
from posenc.rope.formula import RoPE, rope_inv_freq, rope_wavelengths
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.ntk import ntk_base
from posenc.sinusoidal.formula import sinusoidal_at
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.waves import rope_angles

Number = int | float
FORGET_GATE = 0.9


def _parameters(encoding: PositionalEncoding) -> int:
    return sum(parameter.numel() for parameter in encoding.parameters())


def _learned_parameters() -> int:
    """Parameters of a table of 4096 positions, 4096 wide: those of a row, times the rows."""
    return 4096 * _parameters(Learned(1, 4096))


def _shuffled(name: str) -> float:
    """Largest change of a word's output when the words are shuffled, with no mask."""
    model = RandomProjections(seed=0, d_model=32, num_heads=4, head_dim=8)
    encoding = CATALOGUE[name].build(ModelShape(32, 4, 8, length=12))
    x = model.embed(range(12)).double()
    order = torch.randperm(12, generator=_seed())
    outputs = []
    for words in (x, x[:, order]):
        q, k, v = model.project(encoding.embed(words, torch.arange(12)))
        outputs.append(attend(q, k, v, encoding))
    return float((outputs[0][:, :, order] - outputs[1]).abs().max())


def _seed() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _same_distance_difference() -> float:
    """Difference of PE(0)·PE(50) and PE(1000)·PE(1050), 64 dimensions."""
    near, far = (sinusoidal_at(torch.tensor([p, p + 50]), 64) for p in (0, 1000))
    return float((near[0] @ near[1] - far[0] @ far[1]).abs())


def _moved_on() -> float:
    """Change of a score of random vectors when query and key move on by 1000, 128 channels."""
    q, k = torch.randn(2, 1, 1, 1, 128, generator=_seed(), dtype=torch.float64)
    rope = RoPE(128)
    scores = []
    for shift in (0, 1000):
        at = torch.tensor([[7 + shift], [3 + shift]])
        rotated_q, rotated_k = rope.rotate(q, k, at[0], at[1])
        scores.append(float((rotated_q * rotated_k).sum()))
    return abs(scores[0] - scores[1])


def _open_gates(distance: int) -> float:
    """Position that CoPE gives the key at a distance when all gates are open."""
    logits = torch.full((8, 8), torch.inf).masked_fill(~causal_mask(8, 8), -torch.inf)
    return float(cope_positions(logits, max_positions=64)[7, 7 - distance])


def _flat_share(length: int) -> float:
    """Attention that the last of equal words gives to each, under a causal mask, in percent."""
    same = torch.zeros(1, 1, length, 4, dtype=torch.float64)
    return 100 * float(attend(same, same, same, mask="causal", trace=True).weights[0, 0, -1, 0])


def _llama_layer(name: str = "Llama-3.1-8B") -> RopeLayer:
    layer = RopeConfig.from_hf(known_models()[name].config).layers["all"]
    assert isinstance(layer, RopeLayer)
    return layer


def _kept_pairs() -> int:
    """Pairs of Llama 3.1 that its scaling leaves as they were."""
    layer = _llama_layer()
    plain = rope_inv_freq(layer.rotary_dim, layer.base)[0]
    return int((layer.frequencies()[0] / plain > 1 - 1e-9).sum())


def _unfinished_pairs(head_dim: int, trained_length: int, base: float = 10000.0) -> int:
    """Pairs that make no full turn within the trained length."""
    coverage = angle_coverage(rope_inv_freq(head_dim, base)[0], trained_length, trained_length)
    return int((~coverage.full_turn).sum())


def _after_image(rows: int, columns: int) -> int:
    """Position of the first word after ten words and an image."""
    return int(mrope_positions([10, (1, rows, columns), 1])[0, -1])


def _float32_cosine_error() -> float:
    """Largest error of a cosine at position 4095 whose angle was computed in float32."""
    theta = rope_inv_freq(128)[0]
    exact = rope_angles(torch.tensor([4095]), theta)[0]
    return float(((4095 * theta.float()).double().cos() - exact.cos()).abs().max())


ANSWERS: dict[str, Callable[[], Number]] = {
    "rope_parameters": lambda: _parameters(RoPE(128)),
    "learned_parameters": _learned_parameters,
    "shuffled_without_position": lambda: _shuffled("nope"),
    "shuffled_with_rope": lambda: _shuffled("rope"),
    "similarity_at_50": lambda: float(sinusoidal_similarity(torch.tensor([50]), 64)),
    "similarity_at_100": lambda: float(sinusoidal_similarity(torch.tensor([100]), 64)),
    "same_distance_difference": _same_distance_difference,
    "t5_last_bucket_from": lambda: int(t5_bucket_lower_edges(bidirectional=False)[-1]),
    "alibi_first_window": lambda: int(alibi_window(ALiBi(8).slopes, 8192)[0]),
    "alibi_last_window": lambda: int(alibi_window(ALiBi(8).slopes, 8192)[-1]),
    "alibi_slope_0": lambda: float(ALiBi(8).slopes[0]),
    "alibi_fade": lambda: math.exp(-float(ALiBi(8).slopes[0])),
    "turn_0": lambda: float(rope_wavelengths(rope_inv_freq(16, 1000.0)[0])[0]),
    "llama2_pairs": lambda: _llama_layer("Llama-2-7B").rotary_dim // 2,
    "rope_moved_on": _moved_on,
    "rope_slowest_turn": lambda: float(rope_wavelengths(rope_inv_freq(128)[0])[-1]),
    "forget_half": lambda: math.log(0.5) / math.log(FORGET_GATE),
    "forget_gate": lambda: FORGET_GATE,
    "forget_slope": lambda: -math.log(FORGET_GATE),
    "cope_own_position": lambda: _open_gates(0),
    "cope_next_position": lambda: _open_gates(1),
    "flat_share_of_10": lambda: _flat_share(10),
    "alibi_step_of_4_heads": lambda: float(ALiBi(4).slopes[0]),
    "rotated_on_write": lambda: decode_work("on_write", 1, 1000, 4096).keys_rotated,
    "rotated_on_read": lambda: decode_work("on_read", 1, 1000, 4096).keys_rotated,
    "llama3_kept_pairs": _kept_pairs,
    "llama2_unfinished_pairs": lambda: _unfinished_pairs(128, 4096),
    "lab_unfinished_pairs": lambda: _unfinished_pairs(32, 128, 128.0),
    "alpha_base": lambda: ntk_base(128, 10000.0, 2.5),
    "after_image": lambda: _after_image(20, 30),
    "after_image_by_tokens": lambda: 10 + 20 * 30,
    "after_image_by_one": lambda: 10 + 1,
    "float32_cosine_error": _float32_cosine_error,
    "first_wrong_bfloat16_position": lambda: first_colliding_position(torch.bfloat16),
    **STRETCHED,
    **KEPT,
    **REAL,
    **ASKED,
}
"""Name to what computes it; each takes milliseconds."""


@cache
def answer(name: str) -> Number:
    """One of `ANSWERS`, computed once.

    Raises:
        ValueError: If there is no such name.
    """
    if name not in ANSWERS:
        raise ValueError(f"name must be one of {', '.join(ANSWERS)}, got {name!r}.")
    return ANSWERS[name]()
