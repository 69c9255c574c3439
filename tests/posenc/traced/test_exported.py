"""Every encoding is exported with a length that stays free, for a text and for one new token."""

import pytest
import torch
from torch.export import Dim

from posenc import PositionalEncoding, attend
from tests.posenc.traced.cases import MOST_ARE_SLOW, NAMES, Attention, Embedded, made, text
from tests.tensors import random

LENGTH = Dim("length", min=2, max=512)
SHORT, LONG = 8, 21


def close(program: torch.export.ExportedProgram, module: torch.nn.Module, given: tuple) -> None:
    torch.testing.assert_close(program.module()(*given), module(*given), atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_a_text_of_free_length(name):
    module = Attention(made(name))
    free = {2: LENGTH}
    program = torch.export.export(module, text(SHORT, SHORT), dynamic_shapes=(free, free, free))
    close(program, module, text(LONG, LONG))


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
