"""A change to positions has its effect in the model's own attention."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from models.change import Change
from models.forward import Seen, forward
from models.opened import Model
from posenc.attention.rows import AttentionRows
from tests.models import tiny

IDS = [3, 141, 59, 26, 53, 58, 97, 93, 23, 84, 62, 64]
ALL = torch.arange(len(IDS))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return tiny.opened(tiny.save("llama", tmp_path_factory.mktemp("llama")))


def weights(seen: Seen, layer: int = 2) -> torch.Tensor:
    return seen.attention(layer).trace(ALL).weights


def moved(model: Model, one: Change, other: Change) -> float:
    """Largest difference of attention in the last layer."""
    found = [weights(forward(model, IDS, change)) for change in (one, other)]
    return (found[0] - found[1]).abs().max().item()


SAME = {
    "shifted by 100,000": (Change(offset=100_000), Change(), 1e-4),
    "equal positions rotate nothing": (Change(order="equal"), Change(unrotated=(0, 1, 2)), 1e-6),
    "equal positions elsewhere": (Change(order="equal"), Change(order="equal", offset=77), 1e-4),
    "the model's own base": (Change(base=500.0), Change(), 1e-9),
    "a cache of the same base": (Change(cached=5, cached_base=500.0), Change(), 1e-9),
    "a factor of one": (Change(method="linear", factor=1.0), Change(), 1e-9),
    "small positions are exact in bfloat16": (Change(rounded=True), Change(), 1e-9),
    "a factor is a slower clock": (
        Change(method="linear", factor=1000.0, offset=10**6),
        Change(method="linear", factor=1000.0),
        1e-4,
    ),
}
OTHER = {
    "another base": Change(base=20.0),
    "the other layout": Change(other_layout=True),
    "equal": Change(order="equal"),
    "reversed": Change(order="reversed"),
    "one layer without rotation": Change(unrotated=(1,)),
    "large positions in bfloat16": Change(rounded=True, offset=100_000),
    "a cache of another base": Change(cached=5, cached_base=20.0),
}


@pytest.mark.parametrize("case", SAME)
def test_what_changes_nothing(case: str, model: Model) -> None:
    one, other, bound = SAME[case]
    assert moved(model, one, other) <= bound


@pytest.mark.parametrize("case", OTHER)
def test_what_changes_attention(case: str, model: Model) -> None:
    assert moved(model, OTHER[case], Change()) > 0.02


def test_reversed_order_turns_the_other_way(model: Model) -> None:
    """Only differences of positions count: n - 1 - i is as good as -i."""
    own, turned = (
        forward(model, IDS, Change(order=order)).attention(0) for order in ("own", "reversed")
    )
    assert torch.equal(own.q, turned.q)
    opposite = replace(own, positions=-ALL).trace(ALL).dot
    assert (turned.trace(ALL).dot - opposite).abs().max() < 1e-4 * opposite.abs().max()
    assert (own.trace(ALL).dot - opposite).abs().max() > 0.1 * opposite.abs().max()


def test_rounded_positions_are_those_of_bfloat16() -> None:
    at = Change(rounded=True, offset=1000).positions(8).tolist()
    assert at == [1000, 1000, 1000, 1004, 1004, 1004, 1008, 1008]


def test_stale_keys_are_the_first_ones(model: Model) -> None:
    encoding = Change(cached=5, cached_base=20.0).encoding(model.layer(0), 0, model.heads)
    rows = forward(model, IDS).attention(0)
    _, mixed = encoding.rotate(rows.q, rows.k, ALL, ALL)
    kinds = {base: Change(base=base).encoding(model.layer(0), 0, 4) for base in (20.0, 500.0)}
    for base, part in ((20.0, slice(0, 5)), (500.0, slice(5, None))):
        _, k = kinds[base].rotate(rows.q, rows.k, ALL, ALL)
        assert torch.equal(mixed[..., part, :], k[..., part, :])


WRONG: dict[str, dict[str, Any]] = {
    "method": {"method": "rerope"},
    "factor": {"factor": 0.5},
    "base": {"base": 1.0},
    "cached_base": {"cached_base": float("nan")},
    "order": {"order": "sorted"},
    "offset": {"offset": -1},
    "cached": {"cached": 1.5},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_change_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be"):
        Change(**WRONG[name])


def test_what_is_kept_does_not_change_what_is_seen(model: Model) -> None:
    whole = forward(model, IDS)
    some = forward(model, IDS, kept_bytes=2 * len(IDS) * 64 * 4)
    assert sorted(whole.kept) == [0, 1, 2]
    assert sorted(some.kept) == [0, 2]
    assert some.bytes < whole.bytes
    for layer in range(3):
        assert torch.equal(weights(some, layer), weights(whole, layer))


def test_the_last_attention_is_kept_unless_it_is_large(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = forward(model, IDS)
    before = seen.bytes
    rows = seen.attention(1)
    assert seen.attention(1) is rows
    assert seen.bytes == before + sum(8 * x.numel() for x in (rows.q, rows.k, rows.v))
    monkeypatch.setattr("models.forward.KEPT_ROWS", 0)
    assert seen.attention(2) is not seen.attention(2)
    assert seen.bytes == before


def test_a_watch_sees_every_layer_and_may_end_the_pass(model: Model) -> None:
    found = {}
    seen = forward(model, IDS, watch=lambda layer, rows: found.update({layer: rows}))
    assert list(found) == [0, 1, 2]
    for layer, rows in found.items():
        own = weights(seen, layer)
        torch.testing.assert_close(rows.trace(ALL).weights.double(), own, rtol=0, atol=1e-6)
        assert own.dtype == torch.float64

    def stop(layer: int, rows: AttentionRows) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        forward(model, IDS, watch=stop)
    assert torch.equal(forward(model, IDS).hidden, seen.hidden)


def test_bits_are_those_of_the_next_tokens(model: Model) -> None:
    seen = forward(model, IDS)
    shares = seen.logits(0, len(IDS) - 1).double().softmax(-1)
    expected = -shares[range(len(IDS) - 1), IDS[1:]].log2()
    assert torch.allclose(seen.bits().double(), expected, atol=1e-4)
    token, share = seen.next_tokens(1, place=3)[0]
    assert token == shares[3].argmax()
    assert share == pytest.approx(shares[3].max().item(), abs=1e-6)


def test_a_table_has_an_end(tmp_path: Path) -> None:
    model = tiny.opened(tiny.save("gpt2", tmp_path))
    assert forward(model, IDS, Change(offset=52)).length == 12
    with pytest.raises(ValueError, match="table of 64 positions, and this text needs position 64"):
        forward(model, IDS, Change(offset=53))


def test_an_empty_text_is_refused(model: Model) -> None:
    with pytest.raises(ValueError, match="at least one token"):
        forward(model, [])
