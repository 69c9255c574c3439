"""Where a number comes from: every stage that the browser is sent is posenc's."""

import math

import numpy as np
import pytest

from tests.pages.drive import moving, open_screen, sentences
from tests.pages.why_position.test_screen import SENTENCE, outputs
from ui.text.tokens import word_tokens


@pytest.mark.parametrize(
    ("encoding", "mask"), [("nope", None), ("rope", "causal"), ("alibi", "causal"), ("shaw", None)]
)
def test_every_stage_is_posencs(encoding, mask) -> None:
    app = open_screen("why_position", encoding=encoding, causal=str(bool(mask)).lower())
    assert sentences(app) == []
    data = moving(app, "origin")
    trace = outputs(word_tokens(SENTENCE).ids, encoding, mask)
    stages = {name: getattr(trace, name)[0, 0] for name in ("q", "k", "dot", "bias", "weights")}
    stages |= {"mixed": trace.mixed[0, 0], "output": trace.output[0, 0]}
    for name, values in stages.items():
        np.testing.assert_allclose(data[name], values, rtol=1e-14, err_msg=name)
    hidden = (trace.logits[0, 0] == -math.inf).tolist()
    assert np.any(hidden) == bool(mask)
    # What the formulas print makes up the whole of the number, and nothing is left out.
    weights, q, k, v = (np.array(data[name]) for name in ("weights", "q", "k", "v"))
    np.testing.assert_allclose(weights @ v + data["mixed"], data["output"], rtol=1e-12)
    scores = q @ k.T / math.sqrt(q.shape[1]) + data["bias"]
    for row, col in np.ndindex(scores.shape):
        if hidden[row][col]:
            assert data["logits"][row][col] is None
        else:
            assert data["logits"][row][col] == pytest.approx(scores[row, col], rel=1e-12)
            powers = [math.exp(one) for one in data["logits"][row] if one is not None]
            share = math.exp(data["logits"][row][col]) / sum(powers)
            assert weights[row, col] == pytest.approx(share, rel=1e-12)
