"""The words that slide: what the browser is sent are the outputs of both orders."""

import numpy as np
import pytest

from posenc.catalogue import CATALOGUE
from tests.pages.drive import moving, open_screen, sentences
from tests.pages.why_position.test_screen import SENTENCE, outputs
from ui.text.tokens import word_tokens

ROUNDING = 16 * np.finfo(np.float64).eps
"""Of outputs of about one: where positions are given, a bias is summed in another order."""


@pytest.mark.parametrize("mask", [None, "causal"])
def test_rows_are_those_of_both_orders(mask) -> None:
    app = open_screen("why_position", causal=str(bool(mask)).lower(), shuffle="3")
    sent = moving(app, "slide")
    ids, words = word_tokens(SENTENCE).ids, sent["words"]
    assert words == SENTENCE.split()
    assert sorted(sent["order"]) == list(range(5)) != sent["order"]
    assert [one["id"] for one in sent["encodings"]] == [*CATALOGUE]
    for one in sent["encodings"]:
        typed, shuffled = np.array(one["typed"]), np.array(one["shuffled"])
        expected = outputs(ids, one["id"], mask).output[0, 0]
        np.testing.assert_allclose(typed, expected, atol=ROUNDING, rtol=0, err_msg=one["id"])
        in_order = outputs([ids[word] for word in sent["order"]], one["id"], mask).output[0, 0]
        for place, word in enumerate(sent["order"]):
            np.testing.assert_allclose(shuffled[word], in_order[place], atol=ROUNDING, rtol=0)
        changes = np.abs(shuffled - typed).max()
        assert (changes < 1e-15) == (one["id"] == "nope" and mask is None)


def test_an_address_with_an_order_is_drawn() -> None:
    app = open_screen("why_position", order="shuffled")
    assert moving(app, "slide")["at"] == {"way": 100, "encoding": "nope"}
    app = open_screen("why_position", order="sideways")
    assert "order = sideways" in sentences(app)[0]
    assert moving(app, "slide")["at"]["way"] == 0


def test_the_longest_sentence_is_small_enough_to_send() -> None:
    app = open_screen("why_position", text="one two " * 12, head_dim="8")
    assert sentences(app) == []
    components = [element.proto for element in app.get("bidi_component")]
    sizes = [len(one.json) for one in components if one.component_name == "posenc_moving"]
    assert len(sizes) == 2
    assert sizes[0] < 200_000
