"""Rates of scores: of encodings that can be told by hand, and of random vectors by a formula."""

import numpy as np
import pytest
import torch
from torch import Generator, Tensor
from typer.testing import CliRunner

from models.cli import app
from models.measuring.orders import drawn
from models.measuring.orders.drawn import drawn_rows, table
from models.measuring.orders.rates import LENGTHS, Rates, rates
from models.results.tables import DATA
from posenc import PositionalEncoding


class Shrinks(PositionalEncoding):
    """A score that is divided by the distance."""

    def rotate(self, q: Tensor, k: Tensor, m: Tensor, n: Tensor) -> tuple[Tensor, Tensor]:
        return q / (m - n)[:, None], k


class Alternates(PositionalEncoding):
    """A score that changes its sign from one place to the next."""

    def rotate(self, q: Tensor, k: Tensor, m: Tensor, n: Tensor) -> tuple[Tensor, Tensor]:
        return q * (-1.0) ** (m - n)[:, None], k


def found(encoding: PositionalEncoding, score: float, length: int = 100) -> Rates:
    q, k = torch.ones(2, 4000, 1), torch.tensor([score, -score])[:, None, None].expand(2, 4000, 1)
    return rates(encoding, q, k, torch.zeros_like(k), length, Generator().manual_seed(1))


def test_what_shrinks_with_distance_prefers_the_nearer() -> None:
    nearer, flipped = found(Shrinks(), 1.0)
    assert nearer.tolist() == [1, 0]
    assert flipped.tolist() == [0, 0]


def test_what_alternates_is_in_order_half_of_the_time() -> None:
    nearer, flipped = found(Alternates(), 1.0)
    assert flipped.tolist() == pytest.approx([0.5, 0.5], abs=0.03)
    assert nearer.tolist() == pytest.approx([0.25, 0.25], abs=0.03)  # two of four, half are ties


def test_the_shortest_text_has_one_pair_of_places() -> None:
    class Notes(PositionalEncoding):
        def rotate(self, q: Tensor, k: Tensor, m: Tensor, n: Tensor) -> tuple[Tensor, Tensor]:
            seen.append((set(m.tolist()), set(n.tolist())))
            return q, k

    seen: list[tuple[set[int], set[int]]] = []
    found(Notes(), 1.0, length=3)
    assert [places for places, _ in seen] == [{1, 2}, {1, 2}, {1}, {2}]
    assert all(own == {0} for _, own in seen)


@pytest.mark.parametrize(("channels", "base"), [(64, 1e4), (128, 5e6)])
def test_random_keys_change_their_order_as_their_angle_says(
    channels: int, base: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores at two places are jointly normal, near enough: P(other sign) = arccos(r) / π."""
    lengths = LENGTHS[::3]  # all of them: test_shipped_rows_are_all_there_and_found_again
    monkeypatch.setattr(drawn, "LENGTHS", lengths)
    rows = {row["length"]: row for row in drawn_rows(channels, base, 0)}
    assert tuple(rows) == lengths
    draw = np.random.default_rng(0)
    theta = base ** (-np.arange(channels // 2) / (channels // 2))
    for length, row in rows.items():
        here, there = draw.integers(1, length, (2, 20_000))
        alike = np.cos(np.outer(here - there, theta)).mean(1)
        expected = np.arccos(np.clip(alike, -1, 1)).mean() / np.pi
        assert row["flipped"] == pytest.approx(expected, abs=0.02), length
        assert row["nearer"] == pytest.approx(0.5, abs=0.02), length


def test_a_lead_is_told_in_deviations_of_a_random_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "LENGTHS", LENGTHS[:1])
    draw = torch.Generator().manual_seed(0)
    q, noise, other = torch.randn(3, drawn.DRAWS, 64, generator=draw, dtype=torch.float64)
    key = 2 / 8 * q + (1 - (2 / 8) ** 2) ** 0.5 * noise
    scores = (q * key).sum(-1), (q * other).sum(-1)
    assert float(scores[0].mean() / scores[1].std()) == pytest.approx(2, abs=0.05)
    (placed,) = drawn_rows(64, 1e4, 2)
    again = rates(drawn.RoPE(64, 1e4), q, key, other, LENGTHS[0], draw)
    assert placed["nearer"] == round(float(again.nearer), 4)
    assert placed["flipped"] == round(float(again.flipped), 4)


def test_shipped_rows_are_all_there_and_found_again(tmp_path, monkeypatch) -> None:
    rows = table(DATA).rows()
    keys = [(row["channels"], row["base"], row["lead"]) for row in rows]
    assert list(dict.fromkeys(keys)) == [one.key for one in drawn.drawn_passes()]
    assert len(rows) == len(set(keys)) * len(LENGTHS)
    monkeypatch.setattr(drawn, "CHANNELS", (64,))
    monkeypatch.setattr(drawn, "BASES", (1e5,))
    monkeypatch.setattr(drawn, "LEADS", (4,))
    told = CliRunner().invoke(app, ["orders-drawn", "--out", str(tmp_path)])
    assert told.exit_code == 0, told.stderr
    shipped = [row for row in rows if (row["channels"], row["base"], row["lead"]) == (64, 1e5, 4)]
    for old, new in zip(shipped, table(tmp_path).rows(), strict=True):
        for name in ("nearer", "flipped"):
            assert new[name] == pytest.approx(old[name], abs=2e-3), new["length"]
