"""Every encoding is exported with a length that stays free, for a text and for one new token."""

import pytest
import torch
from torch.export import Dim

from posenc import KVCache, PositionalEncoding, RoPE, attend
from posenc.study import WindowCache
from tests.posenc.traced.cases import (
    MOST_ARE_SLOW,
    NAMES,
    WIDTH,
    Attention,
    Embedded,
    made,
    text,
)
from tests.tensors import random

LENGTH = Dim("length", min=2, max=512)
SHORT, LONG = 8, 21


def close(program: torch.export.ExportedProgram, module: torch.nn.Module, given: tuple) -> None:
    torch.testing.assert_close(program.module()(*given), module(*given), atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", MOST_ARE_SLOW)
@torch.no_grad()
def test_a_text_of_free_length(name):
    module = Attention(made(name))
    free = {2: LENGTH}
    program = torch.export.export(module, text(SHORT, SHORT), dynamic_shapes=(free, free, free))
    close(program, module, text(LONG, LONG))


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("kv_heads", [8, 2])
@pytest.mark.parametrize("example", [SHORT, 100])
@torch.no_grad()
def test_a_text_of_free_length_in_a_models_own_sizes(layout, kv_heads, example):
    """Small and large tensors are rotated in different ways; a program has one for all lengths."""
    module = Attention(RoPE(64, layout=layout))

    def given(length: int) -> tuple:
        q = random(1, 8, length, 64)
        return q, random(1, kv_heads, length, 64, seed=1), random(1, kv_heads, length, 64, seed=2)

    free = {2: Dim("length", min=2, max=4096)}
    program = torch.export.export(module, given(example), dynamic_shapes=(free, free, free))
    for length in (SHORT, 700):
        close(program, module, given(length))


class Step(torch.nn.Module):
    """A step of a cache, which is no tensor."""

    def __init__(self, cache: KVCache | WindowCache) -> None:
        super().__init__()
        self.cache = cache

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> object:
        return self.cache.step(q, k, v)


def test_a_cache_is_refused_and_stays_as_it_was():
    cache = KVCache(RoPE(WIDTH))
    cache.step(*text(3, 3))
    with pytest.raises(RuntimeError, match="no part of an exported program"):
        torch.export.export(Step(cache), text(1, 1))
    assert cache.length == 3
    with pytest.raises(RuntimeError, match="no part of an exported program"):
        torch.export.export(Step(WindowCache(RoPE(WIDTH), 4)), text(1, 1))


@pytest.mark.parametrize("name", MOST_ARE_SLOW)
@pytest.mark.parametrize("rows", [False, True], ids=["positions", "rows of positions"])
@torch.no_grad()
def test_one_query_against_a_cache_of_free_length(name, rows):
    module = Attention(made(name))

    def given(length: int) -> tuple:
        positions = torch.arange(length) + 3
        positions = torch.stack((positions, positions + 40)) if rows else positions
        return *text(1, length), positions

    free = {2: LENGTH}
    shapes = ({}, free, free, {int(rows): LENGTH})
    program = torch.export.export(module, given(SHORT), dynamic_shapes=shapes)
    close(program, module, given(LONG))


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_embeddings_of_free_length(name):
    encoding = made(name)
    if type(encoding).embed is PositionalEncoding.embed:
        return
    module = Embedded(encoding)

    def given(length: int) -> tuple:
        return random(2, length, encoding.d_model), torch.arange(length)

    shapes = ({1: LENGTH}, {0: LENGTH})
    program = torch.export.export(module, given(SHORT), dynamic_shapes=shapes)
    close(program, module, given(LONG))


class Functions(torch.nn.Module):
    """What takes lengths as numbers."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        import posenc

        length = x.shape[0]
        return (
            posenc.sinusoidal_table(length, 6),
            posenc.relative_position_ids(length, length, 3),
            posenc.causal_mask(length, length),
            posenc.rope_cos_sin(torch.arange(length), posenc.rope_inv_freq(6)[0], 1.5)[0],
        )


def test_functions_that_take_lengths():
    program = torch.export.export(Functions(), (torch.zeros(SHORT),), dynamic_shapes=({0: LENGTH},))
    torch.testing.assert_close(
        program.module()(torch.zeros(LONG)), Functions()(torch.zeros(LONG)), atol=1e-12, rtol=0
    )


def test_a_mask_of_free_length():
    class Masked(torch.nn.Module):
        def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            return attend(x, x, x, mask=mask)

    def given(length: int) -> tuple:
        x = text(length, length)[0]
        return x, torch.ones(length, length, dtype=torch.bool).tril()

    shapes = ({2: LENGTH}, {0: LENGTH, 1: LENGTH})
    program = torch.export.export(Masked(), given(SHORT), dynamic_shapes=shapes)
    close(program, Masked(), given(LONG))
