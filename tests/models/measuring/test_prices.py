"""Mistakes in a tiny model: each against the same mistake made by hand."""

import json
from pathlib import Path

import pytest
import torch

from models.change import Change
from models.files.find import installed
from models.forward import forward
from models.measuring.prices import KEY, MISTAKES, Wrong, price_rows
from models.measuring.texts import Text
from models.opened import Model, open_model
from posenc import RoPE
from tests.models import tiny

TOPICS = Path(__file__).with_name("topics_ids.json")
IDS = [(7 * i + i * i) % 250 for i in range(48)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return tiny.opened(tiny.save("llama", tmp_path_factory.mktemp("m"), max_position_embeddings=64))


def test_every_mistake_costs_something_and_a_shift_nothing(model: Model) -> None:
    text, known = Text("a", "python", "0", IDS), {}
    rows = {name: price_rows(model, text, name, known)[0] for name in MISTAKES}
    assert all(set(KEY) <= row.keys() for row in rows.values())
    price = {name: row["wrong_bits"] - row["right_bits"] for name, row in rows.items()}
    assert abs(price.pop("shifted")) < 1e-4
    later = ("bfloat16", "trained_length", "rounded_angles", "rounded_cos_sin")
    for name in later:  # they show in longer texts, or not at all
        price.pop(name)
    assert min(map(abs, price.values())) > 1e-3
    plain = forward(model, IDS).bits().double()
    assert rows["layout"]["right_bits"] == pytest.approx(plain.mean().item(), abs=1e-5)
    wrong = forward(model, IDS, Change(other_layout=True)).bits().double()
    assert rows["layout"]["wrong_bits"] == pytest.approx(wrong.mean().item(), abs=1e-5)
    stale = rows["cached_keys"]
    assert (stale["first"], stale["tokens"]) == (24, 23)
    base = 500.0 * 3 ** (16 / 14)  # α·L/L₀ - α + 1 = 3, heads of 16 channels
    right = forward(model, IDS, Change(base=base)).bits(24).double()
    assert stale["right_bits"] == pytest.approx(right.mean().item(), abs=1e-5)


def rotated(model: Model, name: str, q: torch.Tensor, k: torch.Tensor) -> tuple[torch.Tensor, ...]:
    how = MISTAKES[name].wrong(model, 5)
    assert isinstance(how, Wrong)
    at = torch.arange(5)
    return how.encoding(model.layer(0), 0, 4).rotate(q, k, at, at)


def test_wrong_rotations_are_those_that_they_are_named_after(model: Model) -> None:
    q, k = torch.randn(2, 1, 4, 5, 16, generator=torch.Generator().manual_seed(0)).double()
    rope, at = RoPE(16, 500.0, layout="half"), torch.arange(5)
    right_q, right_k = rope.rotate(q, k, at, at)
    ahead = rotated(model, "query_ahead", q, k)
    torch.testing.assert_close(ahead[0], rope.rotate(q, k, at + 1, at)[0])
    torch.testing.assert_close(ahead[1], right_k)
    scores = [a @ b.mT / 4 for a, b in (rotated(model, "scale", q, k), (right_q, right_k))]
    torch.testing.assert_close(scores[0], 4 * scores[1])
    by_head = rotated(model, "heads_as_positions", q, k)
    for head in range(4):  # two query heads share a key head
        torch.testing.assert_close(by_head[0][:, head], rope_at(rope, q[:, head], head))
        torch.testing.assert_close(by_head[1][:, head], rope_at(rope, k[:, head], head // 2))
    turned = rotated(model, "power_first", q, k)[0]
    first = q[0, 0, 1, 0] * torch.tensor(16.0).cos() - q[0, 0, 1, 8] * torch.tensor(16.0).sin()
    assert turned[0, 0, 1, 0].item() == pytest.approx(first.item(), rel=1e-5)


def test_what_is_rounded_to_bfloat16_is_what_the_name_says(model: Model) -> None:
    q, k = torch.randn(2, 1, 4, 5, 16, generator=torch.Generator().manual_seed(0)).double()
    rope, at = RoPE(16, 500.0, layout="half"), torch.arange(5) + 300
    theta = [500.0 ** (-2 * i / 16) for i in range(8)]
    for name in ("rounded_angles", "rounded_cos_sin"):
        how = MISTAKES[name].wrong(model, 5)
        turned_q, turned_k = how.encoding(model.layer(0), 0, 4).rotate(q, k, at, at)
        angle = torch.tensor(304 * theta[3], dtype=torch.float64)
        if name == "rounded_angles":
            angle = angle.bfloat16().double()
            cos, sin = angle.cos(), angle.sin()
        else:
            cos, sin = angle.cos().bfloat16().double(), angle.sin().bfloat16().double()
        for turned, x in ((turned_q, q), (turned_k, k)):
            first, second = x[0, 1, 4, 3], x[0, 1, 4, 11]
            torch.testing.assert_close(turned[0, 1, 4, 3], first * cos - second * sin)
            torch.testing.assert_close(turned[0, 1, 4, 11], second * cos + first * sin)
        off = (turned_q - rope.rotate(q, k, at, at)[0]).abs().max()
        assert off > 0.5 if name == "rounded_angles" else 1e-4 < off < 0.05


@pytest.mark.slow
def test_rounding_angles_hurts_and_rounding_cosines_does_not() -> None:
    found = installed()
    assert found is not None, "make install-dev installs it"
    smol, ids = open_model(found), json.loads(TOPICS.read_text())[:640]
    right = forward(smol, ids).bits().mean()
    angles, cos_sin = (
        float(forward(smol, ids, MISTAKES[name].wrong(smol, len(ids))).bits().mean() - right)
        for name in ("rounded_angles", "rounded_cos_sin")
    )
    assert angles > 0.1
    assert abs(cos_sin) < 0.01


def rope_at(rope: RoPE, x: torch.Tensor, position: int) -> torch.Tensor:
    at = torch.full((5,), position)
    return rope.rotate(x[None], x[None], at, at)[0][0]
