import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import rope_inv_freq
from posenc.scaling import NTK, Linear

head_dims = st.integers(2, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(100.0, 1e7)
factors = st.floats(1.0, 128.0)


@given(head_dims, bases, factors)
def test_ntk_keeps_the_first_pair_and_divides_the_last_by_k(head_dim, base, factor):
    plain, _ = rope_inv_freq(head_dim, base)
    scaled, _ = rope_inv_freq(head_dim, base, NTK(factor))
    assert scaled[0] == 1.0
    assert_close(scaled[-1], plain[-1] / factor, rtol=1e-12, atol=0)
    assert (scaled <= plain * (1 + 1e-15)).all()


@given(head_dims, bases)
def test_factor_one_changes_nothing(head_dim, base):
    plain, _ = rope_inv_freq(head_dim, base)
    for scaling in (Linear(1.0), *(NTK(1.0, v) for v in ("aware", "base", "fixed", "mixed"))):
        scaled, attention_factor = rope_inv_freq(head_dim, base, scaling)
        assert torch.equal(scaled, plain)
        assert attention_factor == 1.0
