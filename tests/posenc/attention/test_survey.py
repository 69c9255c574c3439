import pytest
import torch

import posenc.attention.rows as module
from posenc import CATALOGUE, ModelShape, attend
from posenc.attention.masks import (
    causal_pairs,
)
from posenc.attention.measures import attended_distance, attention_entropy
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.attention.survey import survey
from posenc.random_model import randomise

LENGTH, HEADS, DIM = 37, 2, 8


def rows_of(name, pairs=causal_pairs, positions=None):
    q, k, v = torch.randn(3, 1, HEADS, LENGTH, DIM, dtype=torch.float64,
                          generator=torch.Generator().manual_seed(0))  # fmt: skip
    encoding = CATALOGUE[name].build(ModelShape(HEADS * DIM, HEADS, DIM, LENGTH + 20))
    return AttentionRows(q, k, v, randomise(encoding, 0).double(), pairs, positions)


@pytest.fixture
def narrow(monkeypatch):
    """Strips of five rows."""
    monkeypatch.setattr(module, "STRIP_BYTES", 5 * module.COPIES * HEADS * LENGTH * 8)


def test_a_survey_agrees_with_the_whole_attention(narrow):
    rows, told = rows_of("rope"), []
    found = survey(rows, "logits", cells=6, progress=told.append)
    whole = attend(rows.q, rows.k, rows.v, rows.encoding, mask="causal", trace=True)
    index = torch.arange(LENGTH)
    torch.testing.assert_close(found.entropy, attention_entropy(whole.weights[0]))
    torch.testing.assert_close(found.distance, attended_distance(whole.weights, index, index)[0])
    for head in range(HEADS):
        alone = AttentionStage(rows, "logits", head, "logit").mean(found.edges, found.edges)
        torch.testing.assert_close(found.views[head], alone, equal_nan=True)
    assert told == sorted(told)
    assert told[-1] == 1
