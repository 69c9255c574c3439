"""The tasks: what is asked can be known, what counts is right, and nothing leaks."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.tasks import corpus, counting, recall
from lab.tasks.batch import generator

SEEDS = st.integers(0, 2**31 - 1)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(0, 5000), st.sampled_from([32, 64, 128]), st.booleans())
def test_recall_counts_exactly_the_values_whose_key_has_occurred(seed, step, length, skewed):
    batch = recall.training_batch(seed, step, length, 4 * length, skewed=skewed)
    assert batch.inputs.shape == (4, length)
    for tokens, targets, weights in zip(
        batch.inputs.tolist(), batch.targets.tolist(), batch.weights.tolist(), strict=True
    ):
        known = {}
        for place, token in enumerate(tokens):
            if place % 2:
                assert recall.KEYS <= token < recall.VOCAB
                assert weights[place] == 0
                known[tokens[place - 1]] = token
            else:
                assert 0 <= token < recall.KEYS
                assert weights[place] == (token in known)
                if token in known:
                    assert targets[place] == known[token] == tokens[place + 1]


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from([128, 256, 512, 2048]))
def test_a_probe_asks_for_keys_that_stand_once_at_their_distance(seed, length):
    probe = recall.probe(seed, length, 3)
    assert probe.tokens.shape == (3, length)
    for tokens, distances in zip(probe.tokens.tolist(), probe.distances.tolist(), strict=True):
        keys, values = tokens[::2], tokens[1::2]
        assert len(set(zip(keys, values, strict=True))) == len(set(keys))  # one value for a key
        for query, distance in zip(probe.queries.tolist(), distances, strict=True):
            assert keys.count(tokens[query]) == 2
            assert tokens[query - distance] == tokens[query]
            assert tokens[query - distance + 1] == tokens[query + 1]
            assert distance in recall.probe_distances(length)


def test_the_distances_of_a_probe_are_asked_equally_often():
    probe = recall.probe(0, 512, 96)
    asked = [int((probe.distances == d).sum()) for d in recall.probe_distances(512)]
    assert sum(asked) == 96 * recall.TARGETS
    assert max(asked) - min(asked) < 0.15 * max(asked)


def test_the_stages_end_at_the_training_length():
    lengths = [recall.stage_length(step, 1000, 128) for step in range(1000)]
    assert lengths == sorted(lengths)
    assert [lengths.count(n) for n in (32, 64, 128)] == [360, 190, 450]


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 200), st.sampled_from(list(counting.MIXES)))
def test_counts_are_what_counting_one_by_one_gives(seed, length, mix):
    batch = counting.batch(seed, 0, length, 3, mix)
    for tokens, answers in zip(batch.inputs.tolist(), batch.targets.tolist(), strict=True):
        count = 0
        for token, answer in zip(tokens, answers, strict=True):
            count = 0 if token == counting.RESET else count + (token == counting.COUNT)
            assert answer == min(count, counting.CAP)


def test_the_standard_library_is_split_by_file_and_named():
    text = corpus.corpus()
    assert text.source.startswith("the standard library of Python 3.")
    assert len(text.train) > 1_000_000
    assert len(text.validation) > 20
    held_out = text.validation[3]
    assert held_out not in text.train.numpy().tobytes()
    assert len(text.sha256) == 16


def test_a_window_of_text_is_followed_by_the_next_byte():
    data = torch.arange(256, dtype=torch.uint8).repeat(10)
    batch = corpus.training_batch(data, 0, 0, 20, 5)
    assert torch.equal(batch.targets, (batch.inputs + 1) % 256)
    assert batch.weights.min() == 1


def test_held_out_chunks_lie_in_one_file_each():
    files = tuple(bytes([i]) * (1000 + 10 * i) for i in range(1, 9))
    chunks = corpus.held_out_chunks(files, 100, 40)
    assert chunks.shape == (40, 100)
    assert all(len(set(chunk.tolist())) == 1 for chunk in chunks)
    assert max(chunks[:, 0].tolist().count(i) for i in range(1, 9)) <= 6
    with pytest.raises(ValueError, match="has 48 chunks of 100 bytes, 49 are needed"):
        corpus.held_out_chunks(files, 100, 49)


def test_a_file_of_the_readers_is_split_in_blocks(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_bytes(bytes(range(256)) * 400)
    text = corpus.corpus(str(file))
    assert text.source == "the file mine.txt"
    assert len(text.train) + sum(map(len, text.validation)) == 256 * 400
    assert math.isclose(sum(map(len, text.validation)) / (256 * 400), 1 / 13, rel_tol=0.1)


@pytest.mark.parametrize("name", ["none.txt", "small.txt"])
def test_a_file_that_cannot_serve_is_refused_with_a_sentence(tmp_path, name):
    (tmp_path / "small.txt").write_text("too small")
    with pytest.raises(ValueError, match=f"corpus.*{name}"):
        corpus.corpus(str(tmp_path / name))


def test_near_numbers_give_unrelated_streams():
    draws = [torch.rand(4, generator=generator(a, b)).tolist() for a in (0, 1) for b in (0, 1)]
    assert len({tuple(d) for d in draws}) == 4
    assert (
        torch.rand(3, generator=generator(5, 6)).tolist()
        == torch.rand(3, generator=generator(5, 6)).tolist()
    )
