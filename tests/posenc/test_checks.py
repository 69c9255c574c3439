import math

import pytest
import torch

from posenc.checks import check_choice, check_finite, check_int, check_number, check_positions


def test_good_values_come_back():
    assert check_int("n", 3, 1) == 3
    assert check_int("n", 4, 4, maximum=4, even=True) == 4
    assert check_number("base", 2, above=1) == 2.0
    assert isinstance(check_number("base", 2), float)
    assert check_choice("layout", "half", ("interleaved", "half")) == "half"
    tensor = torch.arange(3)
    assert check_positions("positions", tensor) is tensor
    assert check_finite("x", tensor) is tensor


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: check_int("head_dim", 7, 2, even=True),
            "head_dim must be an even integer of at least 2, got 7.",
        ),
        (
            lambda: check_int("num_heads", 10**6, 1, maximum=128),
            "num_heads must be an integer from 1 to 128, got 1000000.",
        ),
        (lambda: check_int("n", 3, even=True), "n must be an even integer, got 3."),
        (lambda: check_int("n", 9, maximum=8), "n must be an integer of at most 8, got 9."),
        (lambda: check_int("n", 0, 1), "n must be an integer of at least 1, got 0."),
        (lambda: check_int("n", 2.0, 1), "n must be an integer of at least 1, got 2.0."),
        (lambda: check_int("n", True, 0), "n must be an integer of at least 0, got True."),
        (lambda: check_int("n", "8", 0), "n must be an integer of at least 0, got '8'."),
        (lambda: check_int("n", None, 0), "n must be an integer of at least 0, got None."),
        (lambda: check_number("x", math.nan), "x must be a finite number, got nan."),
        (
            lambda: check_number("x", math.inf, 0),
            "x must be a finite number of at least 0, got inf.",
        ),
        (
            lambda: check_number("base", 1, above=1),
            "base must be a finite number above 1, got 1.",
        ),
        (
            lambda: check_number("p", 1.5, 0, maximum=1),
            "p must be a finite number from 0 to 1, got 1.5.",
        ),
        (lambda: check_number("x", True), "x must be a finite number, got True."),
        (lambda: check_number("x", "1"), "x must be a finite number, got '1'."),
        (
            lambda: check_choice("layout", "both", ("interleaved", "half")),
            "layout must be one of 'interleaved', 'half', got 'both'.",
        ),
        (
            lambda: check_choice("layout", ["half"], ("interleaved", "half")),
            "layout must be one of 'interleaved', 'half', got ['half'].",
        ),
        (
            lambda: check_positions("positions", torch.zeros(3)),
            "positions must be an integer tensor, got dtype torch.float32.",
        ),
        (
            lambda: check_positions("positions", torch.zeros(1, 2, 3, dtype=torch.int64)),
            "positions must have shape (seq,) or (batch, seq), got (1, 2, 3).",
        ),
        (
            lambda: check_positions("positions", torch.tensor(3)),
            "positions must have shape (seq,) or (batch, seq), got ().",
        ),
        (
            lambda: check_finite("x", torch.tensor([[0.0, 1.0], [math.nan, 2.0]])),
            "x must hold finite numbers, got nan at [1, 0].",
        ),
    ],
)
def test_bad_values_get_the_sentence(call, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole sentence is compared)
        call()
    assert str(error.value) == sentence
