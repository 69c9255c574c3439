import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import (
    causal_mask,
    document_mask,
    positions_from_documents,
    positions_from_mask,
)
from posenc.attention.masks import (
    causal_pairs,
    document_pairs,
    documents_of,
    prefix_pairs,
    window_pairs,
)


def test_causal_mask_puts_the_queries_last():
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True] * 4]
    assert causal_mask(3, 2).tolist() == [[False, False], [True, False], [True, True]]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 40), st.integers(0, 40), st.data())
def test_masks_are_what_their_sentence_says(length, window, prefix, data):
    index = torch.arange(length)
    breaks = torch.tensor(data.draw(st.lists(st.booleans(), min_size=length, max_size=length)))
    documents = documents_of(breaks)
    found = {
        "causal": causal_pairs(index, index),
        "window": window_pairs(index, index, window),
        "prefix": prefix_pairs(index, index, prefix),
        "document": document_pairs(index, index, documents),
    }
    drawn = {name: mask.tolist() for name, mask in found.items()}
    broken = breaks.tolist()
    for i in range(length):
        for j in range(length):
            assert drawn["causal"][i][j] == (j <= i)
            assert drawn["window"][i][j] == (abs(i - j) < window)
            assert drawn["prefix"][i][j] == (j <= i or j < prefix)
            assert drawn["document"][i][j] == (not any(broken[min(i, j) : max(i, j)]))
    part = torch.arange(length // 2, length)
    assert torch.equal(window_pairs(part, index, window), found["window"][length // 2 :])


def test_positions_of_padded_rows_counted_by_hand():
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 1, 1]])
    expected = [[0, 0, 0, 1, 2], [0, 1, 2, 2, 2], [0, 1, 2, 3, 4], [0, 0, 0, 1, 2]]
    assert positions_from_mask(mask).tolist() == expected
    assert positions_from_mask(mask.bool()).tolist() == expected


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_packed_documents_are_blocks_that_count_from_0(lengths):
    documents = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
    blocks = torch.block_diag(*(torch.ones(n, n) for n in lengths)).bool()
    assert document_mask(documents).equal(blocks)
    positions = positions_from_documents(documents)
    assert positions.tolist() == [i for n in lengths for i in range(n)]
    rows = torch.stack((documents, documents * 0))
    assert document_mask(rows)[:, 0].equal(torch.stack((blocks, torch.ones_like(blocks))))
    assert positions_from_documents(rows)[1].tolist() == list(range(sum(lengths)))
