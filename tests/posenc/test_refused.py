"""Numbers out of range and shapes that do not fit are refused by the argument's name."""

import pytest
import torch

import posenc
from advisor.units.convert import convert_units
from posenc import (
    FIRE,
    RoPE,
    apply_rope,
    kerple_bias,
    relative_position_ids,
    rope_inv_freq,
    t5_bucket,
)
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.cache.picture import StaleKeys
from posenc.cache.policy import decode_work
from posenc.cache.window import WindowCache
from posenc.catalogue import ModelShape
from posenc.cope.formula import cope_logits_direct
from posenc.cope.interpolation import cope_logits
from posenc.fire.picture import FIREBias, FIREDistance
from posenc.kerple.picture import KerpleBias
from posenc.learned.longer import interpolate_grid, interpolate_table
from posenc.random_model import RandomProjections
from posenc.reading.formula import Reading, logit_change
from posenc.rope.axes import (
    axial_angles,
    axial_inv_freq,
    axis_angles,
    mrope_axis_of_pair,
    mrope_positions,
)
from posenc.rope.layouts import convert_projection
from posenc.sandwich.picture import SandwichBias
from posenc.scaling import NTK, DynamicNTK, LongRoPE, NTKByParts
from posenc.scaling.coverage import arc_is_new, last_shown_angle
from posenc.shaw.picture import RelativeIds
from posenc.sinusoidal.picture import SinusoidalSimilarity, SinusoidalTable
from posenc.sinusoidal.shift import sinusoidal_similarity
from posenc.study import SelfExtend, rope_rotation_matrix
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.picture import T5Buckets
from posenc.t5.unclamped import T5BucketsUnclamped
from posenc.temperature.formula import llama4_temperature, log_n_scale
from posenc.transformer_xl.distance_alone import SinusoidalBias
from posenc.transformer_xl.formula import relative_sinusoid
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from tests.posenc.test_arguments import CALLS, public
from tests.tensors import random

OUT_OF_RANGE = [
    ("ALiBi", "num_heads", 0),
    ("alibi_slopes", "num_heads", 0),
    ("alibi_slopes", "bias_max", 0),
    ("angle_coverage", "trained_length", 1),
    ("angle_coverage", "target_length", 0),
    ("apply_rope", "positions", torch.arange(4)),
    ("apply_rope", "inv_freq", torch.ones(5)),
    ("apply_rope", "x", torch.ones(1, 2, 6, 8, dtype=torch.int64)),
    ("attend", "k", torch.ones(1, 2, 6, 8).half()),
    ("attend", "v", torch.ones(1, 2, 6, 8, device="meta")),
    ("attend", "mask", torch.ones(6, 6, dtype=torch.bool, device="meta")),
    ("CoPE", "head_dim", 0),
    ("CoPE", "max_positions", 1),
    ("CoPE", "scale", 0.0),
    ("DualChunk", "local_window", 9),
    ("DynamicNTK", "factor", 0.0),
    ("FIRE", "num_heads", 0),
    ("FIRE", "init_c", 0),
    ("FIRE", "mlp_width", 0),
    ("kerple_bias", "r1", torch.tensor([-0.5, 0.25])),
    ("kerple_bias", "r1", torch.tensor([0.5, float("nan")])),
    ("kerple_bias", "r2", torch.tensor([0.5, 0.25, 0.25])),
    ("kerple_bias", "r2", torch.tensor([0.0, 1.0])),
    ("LeakyReRoPE", "factor", 0.5),
    ("Linear", "factor", 0.5),
    ("Llama3", "high_freq_factor", 0.5),
    ("LongRoPE", "short_factor", [1.0, 0.0, 1.0, 1.0]),
    ("NTK", "alpha", 0.0),
    ("NTKByParts", "beta", 0.5),
    ("Proportional", "proportion", 1.5),
    ("relative_position_ids", "q_len", 5),
    ("relative_position_ids", "q_len", 0),
    ("relative_position_ids", "max_distance", 0),
    ("ReRoPE", "window", 0),
    ("RoPE", "rotary_dim", 10),
    ("RoPE", "scaling", posenc.scaling.YaRN),
    ("rope_inv_freq", "head_dim", 7),
    ("rope_inv_freq", "head_dim", 0),
    ("rope_inv_freq", "base", 1.0),
    ("SelfExtend", "group_size", 0),
    ("sinusoidal_table", "d_model", 0),
    ("sinusoidal_table", "base", 1),
    ("sinusoidal_table", "length", 0),
    ("t5_bucket", "num_buckets", 1),
    ("t5_bucket", "max_distance", 16),
    ("t5_bucket", "relative_position", torch.tensor([-1.5])),
    ("T5Bias", "num_buckets", 31),
    ("T5Bias", "max_distance", 8),
    ("TransformerXL", "num_heads", 0),
    ("XPos", "head_dim", 7),
    ("XPos", "gamma", 0.0),
    ("XPos", "scale_base", 0.0),
    ("YaRN", "factor", 0.5),
    ("YaRN", "original_length", 0),
    ("YaRN", "beta_fast", 0.5),
    ("YaRN", "mscale", -1.0),
]


@pytest.mark.parametrize(("name", "argument", "value"), OUT_OF_RANGE)
def test_what_is_out_of_range_is_named(name: str, argument: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"\b{argument}\b.*must"):
        public(name)(**(CALLS[name] | {argument: value}))


ONES = torch.ones(1)
THETA = rope_inv_freq(8)[0]
MODEL = RandomProjections(seed=7, d_model=512, num_heads=8, head_dim=64)
# What the sentence says, and the call.
OTHERS = [
    *((r"num_heads must .* got 0", lambda scheme=one: scheme(0)) for one in SLOPE_SCHEMES.values()),
    ("positions must lie between 0 and 4, got 7.5", lambda: cope(torch.full((3, 3), 7.5))),
    ("positions must lie between 0 and 4, got nan", lambda: cope(torch.full((3, 3), torch.nan))),
    (
        "query, positions and embedding must have shapes",
        lambda: cope_logits_direct(random(3, 4), torch.zeros(3, 3), random(6, 5)),
    ),
    ("threshold must", lambda: FIREDistance(9, threshold=-1)),
    ("head must be an integer from 0 to 1, got 2", lambda: FIREBias(FIRE(2), 2, 9)),
    ("variant must", lambda: kerple_bias(ONES, ONES, torch.arange(3), "linear")),
    ("r2 must be above 0 and at most 2", lambda: kerple_bias(ONES, 3 * ONES, AT, "power")),
    ("r1 must", lambda: KerpleBias(0, 1, 9)),
    ("positions must have one row for each of the 2", lambda: apply_rope(*rows_of_batch(3, 2))),
    ("long_factor must hold 4 numbers", lambda: RoPE(8, scaling=LongRoPE(FOUR, [1.0], 64, 2.0))),
    ("short_factor must hold 4 numbers", lambda: RoPE(8, scaling=LongRoPE([1.0], FOUR, 64, 2.0))),
    ("r2 must", lambda: KerpleBias(1, torch.nan, 9)),
    ("r2 must .* at most 2", lambda: KerpleBias(1, 2.5, 9, "power")),
    ("length must", lambda: KerpleBias(1, 1, 0)),
    ("variant must", lambda: KerpleBias(1, 1, 9, "exp")),
    ("new_length must", lambda: interpolate_table(random(7, 3), 0)),
    ("table must have shape", lambda: interpolate_table(random(7), 3)),
    ("neither of them 0", lambda: interpolate_table(random(7, 3)[:0], 3)),
    (
        "table must have 197 rows, 1 in front and 14 x 14",
        lambda: interpolate_grid(torch.zeros(196, 8), (14, 14), (16, 16), class_tokens=1),
    ),
    ("new_grid must", lambda: interpolate_grid(torch.zeros(4, 8), (2, 2), (0, 2))),
    ("head must be an integer from 0 to 1, got 2", lambda: SandwichBias(2, 2, 9)),
    ("num_heads must", lambda: SandwichBias(0, 0, 9)),
    ("length must", lambda: SandwichBias(0, 1, 0)),
    ("d_bar must", lambda: SandwichBias(0, 1, 9, 7)),
    ("base must", lambda: SandwichBias(0, 1, 9, 8, 1.0)),
    ("alpha must be 1 unless variant is 'aware'", lambda: NTK(4.0, "base", alpha=2.0)),
    ("head_dim must .* at least 4", lambda: rope_inv_freq(2, 1e4, NTK(4.0))),
    ("beta must .* above 8", lambda: NTKByParts(4.0, 4096, 8.0, 2.0)),
    (
        "short_factor must hold 4 numbers",
        lambda: rope_inv_freq(8, scaling=LongRoPE((1.0,), (1.0,), 4096, 2.0)),
    ),
    ("length must", lambda: rope_inv_freq(8, scaling=DynamicNTK(2.0, 64), length=0)),
    ("trained_length must .* at least 8", lambda: SelfExtend(8, 2).max_length(4)),
    ("trained_length must", lambda: last_shown_angle(THETA, 1)),
    ("must", lambda: arc_is_new(-1, THETA, 16)),
    ("must", lambda: arc_is_new(3, THETA, 1)),
    ("positions of a batch need x with a batch", lambda: apply_rope(random(3, 8), AT, THETA)),
    ("positions must", lambda: rope_rotation_matrix(1.5, THETA)),
    ("head_dim must be a multiple of 4", lambda: axial_inv_freq(6)),
    ("height must", lambda: axial_angles(0, 2, 8)),
    ("order must", lambda: axial_angles(2, 2, 8, order="yx")),
    ("sections must hold three numbers", lambda: mrope_axis_of_pair((8, 8))),
    (
        r"sections\[1\] must be at most a third",
        lambda: mrope_axis_of_pair((2, 10, 10), interleaved=True),
    ),
    (r"segments\[0\] must", lambda: mrope_positions([0])),
    ("positions must", lambda: axis_angles(torch.arange(3), torch.ones(2), AT[0, :2])),
    ("axis_of_pair must", lambda: axis_angles(AT.mT, torch.ones(2), AT[0])),
    ("weight must have a multiple of head_dim", lambda: convert_projection(random(6, 2), 4)),
    ("rotary_dim must", lambda: convert_projection(random(8, 2), 4, rotary_dim=6)),
    ("q_len must", lambda: RelativeIds(3, 2, 1)),
    ("max_distance must", lambda: RelativeIds(1, 2, 0)),
    ("convention must", lambda: RelativeIds(1, 2, 1, "past")),
    ("convention must", lambda: relative_position_ids(1, 2, 1, "past")),
    ("d_model must", lambda: SinusoidalTable(3, 0)),
    ("base must", lambda: SinusoidalTable(3, 4, 1)),
    ("length must", lambda: SinusoidalSimilarity(0, 4)),
    ("d_model must", lambda: SinusoidalSimilarity(3, 0)),
    ("d_model must be an even", lambda: sinusoidal_similarity(torch.arange(3), 7)),
    ("num_buckets must be an even", lambda: t5_bucket(torch.arange(3), True, 31)),
    ("num_buckets must be an even", lambda: t5_bucket_lower_edges(True, 31, 128)),
    ("num_buckets must be an even", lambda: T5Buckets(10, True, 31)),
    ("num_buckets must be an even", lambda: T5BucketsUnclamped(300, True, 7)),
    ("max_distance must", lambda: T5Buckets(10, True, 32, 8)),
    (r"table must have shape \(8,\)", lambda: T5Buckets(10, True, 8, 16, torch.zeros(7))),
    ("table must hold finite", lambda: T5Buckets(10, True, 8, 16, torch.full((8,), torch.nan))),
    ("positions must", lambda: llama4_temperature(torch.ones(3))),
    ("floor_scale must", lambda: llama4_temperature(torch.arange(3), 0)),
    ("trained_length must", lambda: log_n_scale(torch.arange(3), 1)),
    ("d_model must be an even", lambda: SinusoidalBias(2, 5)),
    ("base must", lambda: SinusoidalBias(2, 4, 0.5)),
    ("d_model must be an even", lambda: relative_sinusoid(torch.arange(3), 5)),
    ("weight must be a vector", lambda: SinusoidalBiasMatrix(torch.zeros(2, 4), 9)),
    ("weight must hold finite", lambda: SinusoidalBiasMatrix(torch.full((4,), torch.nan), 9)),
    ("unit must", lambda: convert_units("theta", 2.0)),
    ("alpha must", lambda: convert_units("alpha", 0)),
    ("base must", lambda: convert_units("base", 1.0)),
    ("head_dim must be an even", lambda: convert_units("alpha", 2.0, head_dim=3)),
    ("head_dim must be an even integer from 4", lambda: convert_units("alpha", 2.0, head_dim=2)),
    ("trained_length must", lambda: convert_units("alpha", 2.0, trained_length=2)),
    ("as many pairs, got 4 and 3", lambda: logit_change(READING, OTHER, AT[0], 9, width=8)),
    ("width must", lambda: logit_change(READING, READING, AT[0], 9, width=6)),
    ("length must", lambda: StaleKeys(DynamicNTK(2.0, 16), 8, 10000.0, 10, 9)),
    ("cache must", lambda: decode_work("never", 1, 2, 3)),
    ("window must", lambda: WindowCache(RoPE(6), 0)),
    ("sink_tokens must", lambda: WindowCache(RoPE(6), 2, sink_tokens=-1)),
    ("numbering must", lambda: WindowCache(RoPE(6), 2, numbering="other")),
    ("num_heads must", lambda: ModelShape(8, 0, 8, 16)),
    ("seed must", lambda: RandomProjections(-1, 4, 1, 2)),
    ("d_model must", lambda: RandomProjections(0, 0, 1, 2)),
    ("num_heads must", lambda: RandomProjections(0, 4, 0, 2)),
    ("head_dim must", lambda: RandomProjections(0, 4, 1, 0)),
    ("ids must hold at least one token", lambda: MODEL.embed([])),
    ("ids must be an integer from 0", lambda: MODEL.embed([-1])),
    (r"x must have shape \(batch, seq, 512\)", lambda: MODEL.project(torch.zeros(1, 2, 3))),
]
AT = torch.zeros(2, 3).long()
FOUR = [1.0] * 4
READING, OTHER = Reading(THETA), Reading(THETA[:3])


def rows_of_batch(rows: int, batch: int) -> tuple[torch.Tensor, ...]:
    return torch.ones(batch, 1, 3, 8), torch.zeros(rows, 3).long(), THETA


def cope(positions: torch.Tensor) -> torch.Tensor:
    return cope_logits(random(3, 4), positions, random(4, 5))


@pytest.mark.parametrize(("words", "call"), OTHERS, ids=[words for words, _ in OTHERS])
def test_what_does_not_fit_gets_a_sentence(words: str, call) -> None:
    with pytest.raises(ValueError, match=words):
        call()
