"""The work of decoding, counted."""

from hypothesis import given
from hypothesis import strategies as st

from posenc.cache.policy import CACHE_POLICIES, decode_work


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 120))
def test_work_is_counted(prompt, steps, original):
    length = prompt + steps
    work = {cache: decode_work(cache, prompt, length, original) for cache in CACHE_POLICIES}
    lengths = range(prompt + 1, length + 1)
    again = sum(n if n > original else 1 for n in lengths)
    counts = {c: (w.keys_rotated, w.tokens_run) for c, w in work.items()}
    assert counts == {
        "on_write": (steps, steps),
        "on_read": (sum(lengths), steps),
        "recomputed": (again, again),
    }
