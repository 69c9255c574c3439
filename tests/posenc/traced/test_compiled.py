"""Encodings where numbers cannot be looked at: compiled in one graph, on "meta", under vmap."""

import pytest
import torch

from posenc import CoPE, PositionalEncoding, RoPE, attend
from posenc.rope.fast import cos_sin_once
from tests.posenc.laws import BATCH, LENGTH, build, qkv, texts
from tests.posenc.traced.cases import MOST_ARE_SLOW, NAMES, Attention, Embedded, made, text

AT = torch.arange(LENGTH)
ROWS = torch.stack((AT, AT + 40))


@pytest.mark.parametrize("name", MOST_ARE_SLOW)
@torch.no_grad()
def test_one_compiled_graph_gives_the_same_numbers(name):
    encoding = made(name)
    q, k, v = qkv(encoding, AT, texts())
    torch.compiler.reset()
    compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
    for positions in (AT, ROWS):
        want = attend(q, k, v, encoding, mask="causal", k_positions=positions)
        got = compiled(q, k, v, encoding, mask="causal", k_positions=positions)
        torch.testing.assert_close(got, want, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", MOST_ARE_SLOW)
@torch.no_grad()
def test_one_compiled_graph_of_free_sizes_gives_the_same_numbers(name):
    module = Attention(made(name))
    torch.compiler.reset()
    compiled = torch.compile(module, fullgraph=True, dynamic=True, backend="eager")
    for length in (8, 13):
        for given in (text(length, length), (*text(1, length), torch.arange(length) + 3)):
            torch.testing.assert_close(compiled(*given), module(*given), atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_embeddings_in_one_compiled_graph_of_free_sizes(name):
    module = Embedded(made(name))
    if type(module.encoding).embed is PositionalEncoding.embed:
        return
    torch.compiler.reset()
    compiled = torch.compile(module, fullgraph=True, dynamic=True, backend="eager")
    for length in (8, 11):
        given = texts()[:, :length], torch.arange(length)
        torch.testing.assert_close(compiled(*given), module(*given), atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("positions", [AT, ROWS], ids=["positions", "rows of positions"])
def test_shapes_are_known_without_numbers(name, positions):
    encoding = made(name).to("meta")
    q, k, v = qkv(made(name), positions, texts())
    got = attend(q.to("meta"), k.to("meta"), v.to("meta"), encoding, k_positions=positions)
    assert (got.is_meta, got.shape) == (True, v.shape)


@torch.no_grad()
def test_cope_is_mapped_over_a_batch():
    encoding = build("cope")
    q, k, v = qkv(encoding, AT, texts())
    want = attend(q, k, v, encoding, mask="causal")

    def one(q, k, v):
        return attend(q[None], k[None], v[None], encoding, mask="causal")[0]

    torch.testing.assert_close(torch.vmap(one)(q, k, v), want, atol=1e-12, rtol=0)


def test_what_is_no_number_stays_none_in_cope():
    q = torch.randn(BATCH, 2, 5, 4)
    q[0, 0, 3, 1] = torch.nan
    got = attend(q, q, q, CoPE(4, 3), mask="causal")
    assert got[0, 0, 3].isnan().all()
    assert not got[1].isnan().any()


@pytest.mark.parametrize(
    ("learned", "length", "tables"), [(False, 8, 1), (False, 1, 0), (True, 8, 0)]
)
def test_a_compiler_keeps_one_table_of_a_text(learned, length, tables):
    rope = RoPE(8, learned=learned)
    operations = []

    def backend(graph, _):
        operations.extend(str(node.target) for node in graph.graph.nodes)
        return graph

    x, positions = torch.randn(2, 4, length, 8), torch.arange(length)
    torch.compiler.reset()
    compiled = torch.compile(rope.rotate, fullgraph=True, backend=backend)
    got = compiled(x, x, positions, positions)
    torch.testing.assert_close(got, rope.rotate(x, x, positions, positions), atol=0, rtol=0)
    assert sum("cos_sin" in name for name in operations) == tables


def test_the_kept_table_is_an_operation_as_torch_wants_it():
    angles = torch.arange(15, dtype=torch.float64).unflatten(0, (5, 3))
    torch.library.opcheck(cos_sin_once, (angles, 1.2, torch.float32))
    got = torch.vmap(lambda some: cos_sin_once(some, 1.2, torch.float32), in_dims=1)(angles)
    want = tuple(table.mT for table in cos_sin_once(angles, 1.2, torch.float32))
    torch.testing.assert_close(got, want, atol=0, rtol=0)
