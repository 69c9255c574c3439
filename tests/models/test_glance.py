"""All heads at a glance are the heads themselves."""

import pytest
import torch

import models.glance as module
from models.change import Change
from models.forward import forward
from models.glance import glance
from models.opened import Model
from posenc.attention.habits import HABITS
from tests.models import tiny

IDS = [3, 141, 59, 3, 141, 58, 97, 93, 23, 84, 62, 64, 3, 141, 59, 26, 53, 58, 97, 93]


@pytest.fixture(scope="module", params=["llama", "bert", "mistral", "bloom"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return tiny.opened(tiny.save(request.param, tmp_path_factory.mktemp("tiny")))


def weights(model: Model, layer: int, change: Change | None = None) -> torch.Tensor:
    """Of all queries, NaN where the mask forbids, (heads, length, length)."""
    rows = forward(model, IDS, change).attention(layer)
    return rows.stage("weights", torch.arange(len(IDS)))


@pytest.mark.parametrize("change", [None, Change(order="reversed")])
def test_small_pictures_of_a_short_text_are_the_attention(model: Model, change) -> None:
    found = glance(model, IDS, change)
    assert found.views.shape == (3, 4, 20, 20)
    assert found.queries == len(IDS)
    for layer in range(3):
        own = weights(model, layer, change).float()
        torch.testing.assert_close(found.views[layer], own, rtol=0, atol=1e-6, equal_nan=True)
        previous = own.nan_to_num().diagonal(-1, 1, 2)[:, 1:].mean(-1).double()
        share = found.shares[layer, :, list(HABITS).index("previous")]
        torch.testing.assert_close(share, previous, rtol=0, atol=1e-6)


def test_blocks_are_means_and_progress_rises(model: Model, monkeypatch) -> None:
    monkeypatch.setattr(module, "CELLS", 5)
    told: list[float] = []
    found = glance(model, IDS, progress=told.append)
    own = weights(model, 1)
    expected = own.unfold(1, 4, 4).unfold(2, 4, 4).nanmean((-1, -2)).float()
    torch.testing.assert_close(found.views[1], expected, rtol=0, atol=1e-6, equal_nan=True)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)


def test_of_a_long_text_some_queries_are_looked_at(model: Model, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_QUERIES", 6)
    found = glance(model, IDS)
    assert found.queries == 6
    rows = torch.tensor([0, 4, 8, 11, 15, 19])
    own = weights(model, 2).float()
    torch.testing.assert_close(
        found.views[2][:, rows], own[:, rows], rtol=0, atol=1e-6, equal_nan=True
    )
    others = [row for row in range(20) if row not in rows]
    assert found.views[2][:, others].isnan().all()


@pytest.mark.parametrize("count", [1, 2])
def test_the_shortest_texts(model: Model, count: int) -> None:
    found = glance(model, IDS[:count])
    assert found.views.shape == (3, 4, count, count)
    rows = found.views.nansum(-1)
    torch.testing.assert_close(rows, torch.ones_like(rows))
    assert not found.shares.any()
