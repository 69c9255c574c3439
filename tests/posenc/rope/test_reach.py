"""Reach of a base, beside what two papers and a page print of it."""

import pytest

from posenc import rope_inv_freq
from posenc.rope.reach import likeness_reach

# The smallest bases by Su Jianlin, kexue.fm/archives/10122, printed with two digits.
SMALLEST = {1024: 4.3e3, 2048: 1.2e4, 4096: 2.7e4, 8192: 8.4e4, 32768: 6.3e5}


@pytest.mark.parametrize(("length", "base"), SMALLEST.items())
def test_a_base_within_the_printed_digits_reaches_the_length(length: int, base: float) -> None:
    digit = 10 ** (len(str(int(base))) - 2)
    tried = [base + digit * (i / 300 - 0.5) for i in range(301)]
    assert any((likeness_reach(rope_inv_freq(128, one)[0], length) is None) for one in tried)


def test_far_smaller_bases_do_not() -> None:
    for length, base in SMALLEST.items():
        assert likeness_reach(rope_inv_freq(128, base / 2)[0], length) is not None


def test_reaches_of_usual_bases() -> None:
    usual = {1e4: 1707, 1e5: 7757, 5e5: 18_438, 1e6: 27_115}
    for base, reach in usual.items():
        assert likeness_reach(rope_inv_freq(128, base)[0]) == reach
        assert likeness_reach(rope_inv_freq(128, base)[0], reach) is None
    with pytest.raises(ValueError, match="within"):
        likeness_reach(rope_inv_freq(128)[0], 0)
