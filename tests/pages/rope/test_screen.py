"""The RoPE screen's pictures are posenc's numbers."""

import pytest

from posenc import RoPE
from tests.pages.drive import metrics, moving, open_screen, sentences

LLAMA = {
    "head_dim": "128",
    "base": "10000",
    "layout": "half",
    "vectors": "random",
    "length": "4096",
}


def test_the_worked_example_shows_freqs_cis() -> None:
    app = open_screen("rope", view="clocks", head_dim="4", base="10000")
    assert app.dataframe[0].value.to_numpy().tolist() == [
        ["1.00000+0.00000i", "1.00000+0.00000i"],
        ["0.54030+0.84147i", "0.99995+0.01000i"],
        ["-0.41615+0.90930i", "0.99980+0.02000i"],
    ]


def test_clocks_turn_by_the_angles() -> None:
    sent = moving(open_screen("rope", view="clocks"), "clocks")
    assert sent["theta"] == RoPE(16, 1000.0).inv_freq.tolist()
    assert (sent["shown"], sent["length"]) == ([*range(8)], 32)
    sent = moving(open_screen("rope", view="clocks", **LLAMA), "clocks")
    assert sent["theta"] == RoPE(128, 10000.0).inv_freq.tolist()
    assert sent["shown"] == [0, 9, 18, 27, 36, 45, 54, 63]


@pytest.mark.parametrize("typed", ["32, 0", "one, two"])
def test_a_hand_that_is_not_there_gets_a_sentence(typed) -> None:
    app = open_screen("rope", view="clocks", clocks_hand=typed)
    assert [s for s in sentences(app) if "position from 0 to 31, pair from 0 to 7; got" in s]
    assert any(c.value.startswith("At position 8, pair 0: ") for c in app.caption)


def test_readouts_of_llama_2() -> None:
    shown = metrics(open_screen("rope", view="clocks", **LLAMA))
    assert shown["pairs"] == "64"
    assert shown["slowest pair turns in"] == "54,410 positions"
    assert shown["pairs that turn fully within the length"] == str(64 - 18)


def test_a_type_that_does_not_reach_says_so() -> None:
    app = open_screen("rope", view="precision", position="70000", dtype="float16")
    assert app.dataframe[0].value["70,000 becomes"]["float16"] == "out of reach"
    assert any("**float16** does not reach" in block.value for block in app.markdown)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"head_dim": "7"}, "head_dim must be an even integer of at least 2, got 7."),
        (
            {"rotary_dim": "18"},
            "rotary_dim must be 0, for the whole head, or an even integer from 2 to 16, got 18.",
        ),
        ({"head_dim": "2"}, "query must hold at most head_dim = 2 numbers, got 4."),
        (
            {"view": "matrix", "typed_angles": "true", "query_angles": "1, 2, 3"},
            "query_angles must hold 8 angles, one for each pair; got 3.",
        ),
    ],
)
def test_one_sentence_for_what_does_not_fit(settings, sentence) -> None:
    app = open_screen("rope", **settings)
    assert not app.exception
    assert sentences(app) == [sentence]
    assert any(button.key == "notice_0" for button in app.button)
