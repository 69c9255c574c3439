"""Heads on several devices give together what one layer gives."""

import pytest
import torch

from posenc import ALiBi, CoPE, HeadSlice, RoPE, Shaw, TransformerXL, attend
from posenc.catalogue import CATALOGUE
from tests.posenc.laws import SHAPE, build
from tests.tensors import random

SLICED = ["alibi", "t5", "kerple", "sandwich", "fire"]


@pytest.mark.parametrize("name", SLICED)
@pytest.mark.parametrize("rows", [False, True])
def test_slices_side_by_side_are_the_whole(name, rows):
    encoding = build(name)
    q, k, v = random(3, 2, SHAPE.num_heads, 5, 6).unbind()
    positions = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 2, 3]]) if rows else torch.arange(5)
    place = {"q_positions": positions, "k_positions": positions, "mask": "causal"}
    whole = attend(q, k, v, encoding, **place)
    parts = []
    for start, stop in ((0, 1), (1, 4)):
        some = HeadSlice(encoding, start, stop)
        heads = slice(start, stop)
        parts.append(attend(q[:, heads], k[:, heads], v[:, heads], some, **place))
        for trace in (True, False):
            again = attend(q[:, heads], k[:, heads], v[:, heads], some, mask="causal", trace=trace)
            assert (again.output if trace else again).isfinite().all()
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-12, rtol=0)


def test_every_bias_with_heads_of_its_own_is_sliced():
    own = [name for name in CATALOGUE if hasattr(build(name), "num_heads")]
    assert {*own} - {*SLICED} == {"transformer_xl"}


@pytest.mark.parametrize(
    "encoding", [RoPE(8), CoPE(8, 4), Shaw(8, 2), TransformerXL(2, 8, 16)], ids=lambda x: str(x)
)
def test_others_need_no_slice(encoding):
    with pytest.raises(ValueError, match=f"{type(encoding).__name__} has none"):
        HeadSlice(encoding, 0, 1)


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (2, 2), (0, 5), (4, 5)])
def test_heads_that_are_not_there_are_refused(start, stop):
    with pytest.raises(ValueError, match=r"(start|stop) must be an integer"):
        HeadSlice(ALiBi(4), start, stop)
