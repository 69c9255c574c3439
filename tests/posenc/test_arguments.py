"""Whatever is given for an argument of a public name: taken rightly, or named in a ValueError."""

import inspect
import math
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy
import pytest
import torch
from torch import Tensor

import posenc
from posenc import ALiBi, KVCache, PositionalEncoding, RoPE, attend, rope_inv_freq, study
from posenc.random_model import randomise
from posenc.rope.scaling import Scaling
from posenc.study import WindowCache
from tests.tensors import random

POSITIONS = torch.arange(6)
DISTANCES = POSITIONS[None] - POSITIONS[:, None]
INV_FREQ = rope_inv_freq(8)[0]
HEADS = torch.tensor([0.5, 0.25])
X = torch.ones(1, 2, 6, 8)
CALLS: dict[str, dict[str, Any]] = {
    "ALiBi": {"num_heads": 4},
    "HeadSlice": {"encoding": ALiBi(4), "start": 1, "stop": 3},
    "CoPE": {"head_dim": 8, "max_positions": 4},
    "DualChunk": {"chunk_length": 8, "local_window": 2},
    "DynamicNTK": {"factor": 2.0, "original_length": 64},
    "FIRE": {"num_heads": 4},
    "AxialRoPE": {"head_dim": 8, "width": 3},
    "KVCache": {"encoding": RoPE(8)},
    "Kerple": {"num_heads": 4},
    "LeakyReRoPE": {"window": 4, "factor": 2.0},
    "Learned": {"length": 8, "d_model": 4},
    "Linear": {"factor": 2.0},
    "Llama3": {},
    "LongRoPE": {
        "short_factor": [1.0] * 4,
        "long_factor": [2.0] * 4,
        "original_length": 64,
        "factor": 4.0,
    },
    "MRoPE": {"head_dim": 8, "sections": (2, 1, 1)},
    "NTK": {"factor": 2.0},
    "NTKByParts": {"factor": 2.0, "original_length": 64},
    "Proportional": {"proportion": 0.5},
    "ReRoPE": {"window": 4},
    "RoPE": {"head_dim": 8},
    "Sandwich": {"num_heads": 4},
    "SelfExtend": {"window": 4, "group_size": 2},
    "Shaw": {"head_dim": 8, "max_distance": 4},
    "Sinusoidal": {"d_model": 8},
    "T5Bias": {"num_heads": 4},
    "TransformerXL": {"num_heads": 2, "head_dim": 4, "d_model": 8},
    "WindowCache": {"encoding": RoPE(8), "window": 4},
    "XPos": {"head_dim": 8},
    "YaRN": {"factor": 2.0, "original_length": 64},
    "alibi_bias": {"slopes": HEADS, "relative_position": DISTANCES},
    "alibi_slopes": {"num_heads": 4},
    "angle_coverage": {"inv_freq": INV_FREQ, "trained_length": 64, "target_length": 128},
    "apply_angles": {"x": X, "angles": X[0, 0, :, :4]},
    "apply_rope": {"x": X, "positions": POSITIONS, "inv_freq": INV_FREQ},
    "attend": {"q": X, "k": X, "v": X},
    "arc_is_new": {"distance": 3, "inv_freq": INV_FREQ, "trained_length": 64},
    "axial_angles": {"height": 2, "width": 3, "head_dim": 8},
    "axis_angles": {
        "positions": torch.stack((POSITIONS, POSITIONS)),
        "inv_freq": INV_FREQ,
        "axis_of_pair": torch.tensor([0, 0, 1, 1]),
    },
    "causal_mask": {"q_len": 4, "k_len": 4},
    "convert_projection": {"weight": torch.ones(16, 4), "head_dim": 8},
    "cope_gates": {"logits": X[..., :6]},
    "cope_interpolation": {
        "query": X,
        "positions": torch.ones(1, 2, 6, 6),
        "embedding": torch.ones(8, 5),
    },
    "cope_logits": {
        "query": X,
        "positions": torch.ones(1, 2, 6, 6),
        "embedding": torch.ones(8, 5),
    },
    "cope_positions": {"logits": X[..., :6], "max_positions": 4},
    "document_mask_mod": {"documents": torch.tensor([0, 0, 1])},
    "document_mask": {"documents": torch.tensor([0, 0, 1])},
    "from_rope_parameters": {"parameters": {"rope_type": "linear", "factor": 2.0}},
    "fox_bias": {"log_gates": -torch.ones(1, 2, 6)},
    "fox_log_gates": {
        "x": torch.ones(1, 6, 4),
        "weight": torch.ones(2, 4),
        "bias": torch.ones(2),
    },
    "gated_delta_influence": {
        "k": X,
        "log_gates": -torch.ones(1, 2, 6),
        "beta": torch.ones(1, 2, 6),
    },
    "gated_delta_rule": {
        "q": X,
        "k": X,
        "v": X,
        "log_gates": -torch.ones(1, 2, 6),
        "beta": torch.ones(1, 2, 6),
    },
    "grid_angles": {"sizes": [2, 3], "inv_freq": INV_FREQ},
    "interpolate_grid": {"table": torch.ones(6, 4), "grid": (2, 3), "new_grid": (3, 3)},
    "interpolate_table": {"table": torch.ones(6, 4), "new_length": 8},
    "kerple_bias": {"r1": HEADS, "r2": HEADS, "relative_position": DISTANCES},
    "layout_permutation": {"head_dim": 8},
    "llama4_temperature": {"positions": POSITIONS},
    "log_n_scale": {"positions": POSITIONS, "trained_length": 8},
    "mrope_axis_of_pair": {"sections": (2, 1, 1)},
    "mrope_positions": {"segments": [2, (1, 2, 2)]},
    "padding_mask": {"attention_mask": torch.ones(1, 4, dtype=torch.int64)},
    "pixel_inv_freq": {"head_dim": 8},
    "positions_from_mask": {"attention_mask": torch.ones(1, 4, dtype=torch.int64)},
    "positions_from_documents": {"documents": torch.tensor([0, 0, 1])},
    "relative_position": {"q_positions": POSITIONS, "k_positions": POSITIONS},
    "relative_position_ids": {"q_len": 4, "k_len": 4, "max_distance": 2},
    "rope_angles": {"positions": POSITIONS, "inv_freq": INV_FREQ},
    "rope_cos_sin": {"positions": POSITIONS, "inv_freq": INV_FREQ},
    "rope_freqs_cis": {"positions": POSITIONS, "inv_freq": INV_FREQ},
    "rope_inv_freq": {"head_dim": 8},
    "rope_rotation_matrix": {"positions": 3, "inv_freq": INV_FREQ},
    "rope_wavelengths": {"inv_freq": INV_FREQ},
    "rotate_pairs": {"x": X, "cos": X[0, 0, :, :4], "sin": X[0, 0, :, :4]},
    "sandwich_bias": {"kernel": torch.ones(6), "num_heads": 2},
    "sincos_grid": {"height": 2, "width": 3, "d_model": 8},
    "sinusoidal_at": {"positions": POSITIONS, "d_model": 8},
    "sinusoidal_shift": {"offset": 3, "d_model": 8},
    "sinusoidal_table": {"length": 8, "d_model": 8},
    "split_video": {"frames": 2, "height": 2, "width": 2, "text_tokens": 1},
    "stick_breaking_weights": {"logits": X[..., :6]},
    "t5_bias": {"table": torch.ones(32, 2), "buckets": DISTANCES.abs()},
    "xpos_score_at_distance": {
        "query": torch.ones(8),
        "key": torch.ones(8),
        "inv_freq": INV_FREQ,
        "zeta": torch.ones(4),
        "distances": POSITIONS,
    },
    "t5_bucket": {"relative_position": DISTANCES, "bidirectional": False},
}
NO_CALLS = {
    *("DistanceBias", "PositionalEncoding", "Scaling", "Trace"),
}
"""Names that only hold their arguments, or are a form for others."""
OTHERS = {"NoPE", "Together", "attend_jagged", "load_published"}
"""Without arguments, with any number of them, or with nested tensors or a text that may be any."""
WRONG: dict[Any, list[Any]] = {
    int: [2.5, True, "4", [1], torch.tensor([1, 2])],
    float: ["4", True, [1.0], math.nan, torch.tensor([1.0, 2.0])],
    bool: [2, 0.5, "yes", torch.tensor([1, 2])],
    Tensor: [3, 2.5, True, "x", [1, 2]],
    str: [3, "nonsense", torch.tensor([1, 2])],
    Scaling: ["yarn", 4.0],
    Sequence[float]: [3, "x", torch.tensor([1.0, 2.0])],
    PositionalEncoding: ["rope", 3],
}


ROOMS = (posenc, posenc.scaling, study)


def public(name: str) -> Any:
    """What a public name stands for, in whichever of the three rooms."""
    return next(getattr(room, name) for room in ROOMS if name in room.__all__)


def kinds(hint: Any) -> list[Any]:
    """The kinds of thing that an annotation allows."""
    if get_origin(hint) in (Union, UnionType):
        return [kind for part in get_args(hint) for kind in kinds(part)]
    return [str] if get_origin(hint) is Literal else [hint]


def wrong(name: str) -> Iterator[tuple[str, Any]]:
    """Arguments of a call, and what each must not be."""
    made = public(name)
    hints = get_type_hints(made.__init__ if inspect.isclass(made) else made)
    for argument in inspect.signature(made).parameters:
        if argument == "device":  # torch's own
            continue
        allowed = kinds(hints[argument])
        others = {int} if float in allowed else set()  # 2 is as good as 2.0
        values = [value for kind in allowed for value in WRONG.get(kind, [])]
        if not values:
            continue
        for value in values if type(None) in allowed else [*values, None]:
            always = value == "nonsense" if isinstance(value, str) else value is math.nan
            if always or type(value) not in {*allowed} | others:
                yield argument, value


def test_every_name_that_can_be_called_is_tried() -> None:
    offered = {name for room in ROOMS for name in room.__all__}
    assert offered == CALLS.keys() | NO_CALLS | OTHERS
    for name, arguments in CALLS.items():
        public(name)(**arguments)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_such_thing_is_named(name: str) -> None:
    for argument, value in wrong(name):
        with pytest.raises(ValueError, match=rf"\b{argument}\b.*must be"):
            public(name)(**(CALLS[name] | {argument: value}))


def used(made: Any) -> Any:
    """What comes of the numbers that an object was made with."""
    if hasattr(made, "needs_length"):
        return made.apply(INV_FREQ, 10000.0, 128)
    if hasattr(made, "reach") and hasattr(made, "distance"):
        return made.distance(POSITIONS, POSITIONS)
    if isinstance(made, KVCache | WindowCache):
        return made.sink_tokens
    if not isinstance(made, PositionalEncoding):
        return vars(made) if is_dataclass(made) else made
    randomise(made, 0)
    x = random(1, 6, getattr(made, "d_model", 8))
    q = random(1, getattr(made, "num_heads", 2), 6, getattr(made, "head_dim", 8))
    return made.embed(x, POSITIONS), attend(q, q, q, made, mask="causal")


def numbers(name: str) -> dict[str, int | float]:
    """Arguments of a call that are numbers, those by default too."""
    parameters = inspect.signature(public(name)).parameters
    given = {key: CALLS[name].get(key, one.default) for key, one in parameters.items()}
    return {key: value for key, value in given.items() if type(value) in (int, float)}


@pytest.mark.parametrize("name", [name for name in CALLS if numbers(name)])
def test_numbers_of_numpy_are_numbers(name: str) -> None:
    made = public(name)
    narrow = {
        key: numpy.int64(value) if isinstance(value, int) else numpy.float32(value)
        for key, value in numbers(name).items()
    }
    plain = {key: value.item() for key, value in narrow.items()}
    got, want = (used(made(**(CALLS[name] | given))) for given in (narrow, plain))
    torch.testing.assert_close(got, want, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["apply_rope", *(name for name in CALLS if "rope_" in name)])
def test_a_function_of_rope_says_what_it_takes_gives_and_refuses(name: str) -> None:
    words = inspect.getdoc(public(name)) or ""
    assert [part for part in ("Args:", "Returns:", "Raises:", "Source:") if part not in words] == []
