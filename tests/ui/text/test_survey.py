import torch

from posenc import attend
from posenc.attention import rows
from posenc.attention.measures import attended_distance, attention_entropy
from posenc.attention.picture import AttentionStage
from tests.posenc.attention.strips import HEADS, LENGTH, rows_of
from ui.text.survey import survey


def test_a_survey_agrees_with_the_whole_attention(monkeypatch):
    monkeypatch.setattr(rows, "STRIP_BYTES", 5 * rows.COPIES * HEADS * LENGTH * 8)
    attention, told = rows_of("rope"), []
    found = survey(attention, "logits", cells=6, progress=told.append)
    whole = attend(
        attention.q, attention.k, attention.v, attention.encoding, mask="causal", trace=True
    )
    index = torch.arange(LENGTH)
    torch.testing.assert_close(found.entropy, attention_entropy(whole.weights[0]))
    torch.testing.assert_close(found.distance, attended_distance(whole.weights, index, index)[0])
    for head in range(HEADS):
        alone = AttentionStage(attention, "logits", head, "logit").mean(found.edges, found.edges)
        torch.testing.assert_close(found.views[head], alone, equal_nan=True)
    assert told == sorted(told)
    assert told[-1] == 1
