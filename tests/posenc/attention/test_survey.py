import torch

from posenc import attend
from posenc.attention.measures import attended_distance, attention_entropy
from posenc.attention.picture import AttentionStage
from posenc.attention.survey import survey
from tests.posenc.attention.strips import HEADS, LENGTH, rows_of


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
