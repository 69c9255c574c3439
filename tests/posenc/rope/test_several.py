"""Modules whose positions have several axes, beside the functions and in attention and cache."""

import pytest
import torch

from posenc import (
    AxialRoPE,
    KVCache,
    MRoPE,
    RoPE,
    apply_angles,
    attend,
    axial_angles,
    axis_angles,
    mrope_axis_of_pair,
    mrope_positions,
)
from posenc.scaling import DynamicNTK
from tests.tensors import random

EXACT = {"atol": 1e-12, "rtol": 0}
SECTIONS = (2, 1, 1)
AT = mrope_positions([3, (2, 2, 3), 2])[:, None]  # (3, 1, 17)
SEQ = AT.shape[-1]


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_mrope_is_what_its_functions_say(interleaved, layout):
    rope = MRoPE(8, SECTIONS, 1e6, interleaved=interleaved, layout=layout)
    x = random(2, 3, SEQ, 8)
    axes = mrope_axis_of_pair(SECTIONS, interleaved=interleaved)
    want = apply_angles(x, axis_angles(AT, rope.inv_freq, axes), layout)
    torch.testing.assert_close(rope(x, AT), want, **EXACT)
    q, k = rope.rotate(x, x, AT, AT.clone())
    torch.testing.assert_close(q, want, **EXACT)
    torch.testing.assert_close(k, want, **EXACT)
    # Text, whose axes agree, is turned as by plain RoPE.
    plain = RoPE(8, 1e6, layout=layout)
    torch.testing.assert_close(rope(x), plain(x), **EXACT)
    text = torch.arange(SEQ).expand(3, 1, -1)
    torch.testing.assert_close(rope(x, text), plain(x), **EXACT)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("scaling", [None, DynamicNTK(2.0, 4)])
@torch.no_grad()
def test_a_cache_counts_on_from_the_largest_axis(rows, scaling):
    rope = MRoPE(8, SECTIONS, scaling=scaling)
    q, k, v = random(3, 2, 4, SEQ, 8).unbind()
    k, v = k[:, :2], v[:, :2]
    at = AT.expand(-1, rows, -1)
    full = attend(q, k, v, rope, mask="causal", q_positions=at, k_positions=at)
    cache = KVCache(rope)
    image = SEQ - 2
    parts = (x[..., :image, :] for x in (q, k, v))
    first = cache.step(*parts, at[..., :image])
    for token in range(image, SEQ):
        last = cache.step(*(x[..., token : token + 1, :] for x in (q, k, v)))
    if scaling is None:
        torch.testing.assert_close(first, full[..., :image, :], **EXACT)
    torch.testing.assert_close(last, full[..., -1:, :], **EXACT)
    assert torch.equal(cache.positions, at)
    cache.reorder(torch.tensor([1, 0]))
    cache.crop(torch.tensor([SEQ, SEQ - 1]))
    assert cache.positions.shape == (3, 2, SEQ)


@pytest.mark.parametrize("order", ["xy", "hw"])
@torch.no_grad()
def test_patches_are_turned_by_row_and_column(order):
    rope = AxialRoPE(8, width=3, class_tokens=1, order=order)
    x = random(2, 3, 1 + 4 * 3, 8)
    want = apply_angles(x[..., 1:, :], axial_angles(4, 3, 8, order=order))
    torch.testing.assert_close(rope(x)[..., 1:, :], want, **EXACT)
    assert torch.equal(rope(x)[..., :1, :], x[..., :1, :])
    cells = torch.cartesian_prod(torch.arange(4), torch.arange(3)).mT[:, None]
    by_cell = AxialRoPE(8, order=order)
    torch.testing.assert_close(by_cell(x[..., 1:, :], cells), want, **EXACT)
    turned = rope(x)
    torch.testing.assert_close(attend(x, x, x, rope), attend(turned, turned, x), **EXACT)
    y = x[..., 1:, :]
    got = attend(y, y, y, by_cell, q_positions=cells, k_positions=cells)
    torch.testing.assert_close(got, attend(want, want, y), **EXACT)


@pytest.mark.parametrize("make", [lambda: MRoPE(8, SECTIONS), lambda: AxialRoPE(8, width=4)])
@torch.no_grad()
def test_they_export_and_compile_with_free_lengths(make):
    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.rope = make()

        def forward(self, x, at):
            return attend(x, x, x, self.rope, mask="causal", q_positions=at, k_positions=at)

    model, x = Attention(), random(2, 3, 20, 8)
    at = torch.arange(20).expand(model.rope.axes, 1, -1).contiguous()
    free = torch.export.Dim("s", min=2, max=512)
    program = torch.export.export(
        model,
        (x[..., :7, :].contiguous(), at[..., :7].contiguous()),
        dynamic_shapes=({2: free}, {2: free}),
    )
    torch.testing.assert_close(program.module()(x, at), model(x, at), **EXACT)
    compiled = torch.compile(model, dynamic=True, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x, at), model(x, at), **EXACT)


def test_module_casts_leave_them_as_they_are():
    rope = MRoPE(8, SECTIONS).to(torch.bfloat16)
    assert rope.inv_freq.dtype == torch.float64
    assert not rope.state_dict()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: MRoPE(8, (1, 1, 1)), "sections must add up to 4"),
        (lambda: AxialRoPE(6), "head_dim must be a multiple of 4"),
        (lambda: AxialRoPE(8, class_tokens=1), "class_tokens must be 0 without width"),
        (lambda: AxialRoPE(8)(random(1, 1, 4, 8)), "positions must be given as rows and columns"),
        (
            lambda: MRoPE(8, SECTIONS)(random(1, 1, 4, 8), torch.zeros(2, 1, 4).long()),
            r"positions must have shape \(seq,\), \(batch, seq\) or \(3, batch, seq\)",
        ),
        (
            lambda: attend(*[random(1, 1, 4, 8)] * 3, RoPE(8), k_positions=AT[..., :4]),
            r"k_positions must have shape \(seq,\) or \(batch, seq\)",
        ),
    ],
)
def test_what_does_not_fit_gets_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
