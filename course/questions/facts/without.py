"""Facts about layers without a rotation, and about taking one away."""

from collections.abc import Callable, Mapping
from functools import cache

import torch
from torch import Tensor

from course.questions.draw.cells import Cell, Row, cells
from course.questions.draw.dials import Dial, dials
from course.questions.draw.lines import Axis, Series, lines
from course.questions.facts.draws import DRAWS, bound, drawn, spread
from course.questions.facts.models import fields
from course.questions.facts.rotary import KEY, MOVED, QUERY
from posenc.fox import fox_bias
from posenc.rope.formula import apply_rope, rope_inv_freq

Labels = Mapping[str, str]

TOKENS, WIDTH = 8, 4


@cache
def recurrent(gate: float) -> Tensor:
    """Change of the last output of linear attention when the tokens before it are shuffled.

    Over its size, (draws,). The state is the sum of k vᵀ, faded by the gate at every token; the
    output is state ᵀ q.

    Args:
        gate: Part of the state that each token leaves, 1 for all of it.
    """
    q, k, v = drawn(3, DRAWS, TOKENS, WIDTH)
    order = drawn(DRAWS, TOKENS - 1, seed=1).argsort(-1)
    order = torch.cat((order, torch.full((DRAWS, 1), TOKENS - 1)), -1)[..., None]
    faded = fox_bias(torch.full((TOKENS,), gate, dtype=torch.float64).log())[-1].exp()

    def output(k: Tensor, v: Tensor) -> Tensor:
        return (faded * (k @ q[:, -1, :, None])[..., 0])[:, None] @ v

    here = output(k, v)
    there = output(k.take_along_dim(order, 1), v.take_along_dim(order, 1))
    return ((here - there).norm(dim=-1) / here.norm(dim=-1))[:, 0]


def recurrent_layers(labels: Labels) -> str:
    """Part that is left of a token after so many others, by gate."""
    back = list(range(0, 101, 2))
    gates = {1.0: "soft", 0.99: "q", 0.9: "k"}
    return lines(
        [
            Series(f"{labels['gate']} {gate:g}", [(n, gate**n) for n in back], kind)
            for gate, kind in gates.items()
        ],
        Axis(labels["x"], [(0, "0"), (50, "50"), (100, "100")]),
        Axis(labels["y"], [(0, "0"), (0.5, "0.5"), (1, "1")]),
        labels["alt"],
    )


def rotate_back(labels: Labels) -> str:
    """A value at two places, and the same turned back by its query."""
    theta = float(rope_inv_freq(8, 100.0)[0][1])
    row = []
    for start in (0, MOVED):
        value, query = (KEY + start) * theta, (QUERY + start) * theta
        row.append(Dial((labels[f"value_{start}"], ""), [(value, "k")]))
        row.append(Dial((labels[f"back_{start}"], ""), [(value - query, "good")]))
    return dials(row, labels["alt"])


@cache
def zeroed() -> Tensor:
    """Weights of ten random keys where cosines and sines are all zero."""
    q, k = drawn(1, 64), drawn(10, 64, seed=1)
    return (0 * q @ (0 * k).T).softmax(-1)[0]


@cache
def unturned() -> float:
    """Change of vectors under cosines of one and sines of zero: a rotation by nothing."""
    x = drawn(10, 64)
    still = apply_rope(x, torch.arange(10), torch.zeros(32, dtype=torch.float64))
    return float((still - x).abs().max())


DROPPED = {"yarn": (48.25, 25.62, 12.18), "dropped": (74.92, 55.00, 52.20)}
"""SmolLM, needles found at 2, 4 and 8 times the trained length, per cent, as published."""


def drop_positions(labels: Labels) -> str:
    """Published needles."""
    kinds = {"yarn": "other", "dropped": "q"}
    return lines(
        [
            Series(labels[name], list(zip((2, 4, 8), found, strict=True)), kinds[name])
            for name, found in DROPPED.items()
        ],
        Axis(labels["x"], [(2, "2"), (4, "4"), (8, "8")], log=True),
        Axis(labels["y"], [(0, "0"), (50, "50"), (100, "100")]),
        labels["alt"],
    )


def smollm3(labels: Labels) -> str:
    """The first layers: what the field says, and what it means."""
    listed = fields("SmolLM3-3B")["no_rope_layers"][:8]
    return cells(
        [
            Row(labels["layer"], [Cell(str(n)) for n in range(8)]),
            Row(labels["field"], [Cell(str(n), "q" if n else "k") for n in listed]),
            Row(
                labels["means"],
                [
                    Cell(labels["rotates"] if n else labels["not"], "q" if n else "k")
                    for n in listed
                ],
            ),
        ],
        labels["alt"],
    )


NUMBERS: Mapping[str, Callable[[], float]] = {
    "recurrent_still": lambda: bound(recurrent(1.0)),
    **spread("recurrent_gated", lambda: recurrent(0.9)),
    "weak_gate": lambda: 0.9,
    "strong_gate": lambda: 0.99,
    "weak_left": lambda: 0.9**50,
    "strong_left": lambda: 0.99**50,
    "left_after": lambda: 50,
    "linear_layers": lambda: fields("Qwen3.5-27B")["text_config"]["layer_types"].count(
        "linear_attention"
    ),
    "zeroed_share": lambda: float(zeroed().max()),
    "unturned": unturned,
    "yarn_at_2": lambda: DROPPED["yarn"][0],
    "dropped_at_2": lambda: DROPPED["dropped"][0],
    "yarn_at_8": lambda: DROPPED["yarn"][2],
    "dropped_at_8": lambda: DROPPED["dropped"][2],
    "smollm3_layers": lambda: fields("SmolLM3-3B")["num_hidden_layers"],
    "smollm3_without": lambda: fields("SmolLM3-3B")["no_rope_layers"].count(0),
}
PICTURES: Mapping[str, Callable[[Labels], str]] = {
    "recurrent-layers": recurrent_layers,
    "rotate-back": rotate_back,
    "drop-positions": drop_positions,
    "smollm3-no-rope-layers": smollm3,
}
