"""Ids of texts with pictures and videos: those of the models' own classes, and their rules."""

from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLModel

from posenc import mrope_positions, split_video

MERGE = 2
GRIDS = st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5))


def ids_of(model, segments, seconds=None):
    """`get_rope_index` of a class, which reads its configuration and the kinds of tokens alone."""
    vision = SimpleNamespace(spatial_merge_size=MERGE, tokens_per_second=2)
    this = SimpleNamespace(config=SimpleNamespace(vision_config=vision))
    this.get_vision_position_ids = lambda *given, **named: model.get_vision_position_ids(
        this, *given, **named
    )
    kinds: list[int] = []
    grids: dict[int, list[list[int]]] = {1: [], 2: []}
    for segment in segments:
        if isinstance(segment, int):
            kinds += [0] * segment
            continue
        frames, height, width = segment
        kind = 1 if frames == 1 else 2
        kinds += [kind] * (frames * height * width)
        grids[kind].append([frames, height * MERGE, width * MERGE])
    images, videos = (torch.tensor(each) if each else None for each in grids.values())
    more = {} if seconds is None else {"second_per_grid_ts": torch.tensor([seconds] * 9)}
    positions, delta = model.get_rope_index(
        this,
        input_ids=torch.ones(1, len(kinds), dtype=torch.int64),
        mm_token_type_ids=torch.tensor([kinds]),
        image_grid_thw=images,
        video_grid_thw=videos,
        **more,
    )
    return positions[:, 0], int(delta)


@pytest.mark.parametrize("model", [Qwen2VLModel, Qwen2_5_VLModel, Qwen3VLModel])
@given(st.lists(st.integers(1, 5) | GRIDS.map(lambda grid: (1, *grid[1:])), min_size=1, max_size=5))
def test_pictures_of_every_class(model, segments):
    alternating = [part for one in segments for part in (2, one)]  # pictures in a row are one kind
    theirs, delta = ids_of(model, alternating)
    ours = mrope_positions(alternating)
    assert ours.equal(theirs)
    assert int(ours.max()) + 1 - ours.shape[1] == delta


@given(GRIDS)
def test_frames_of_qwen2_vl(grid):
    segments = [3, grid]
    theirs, delta = ids_of(Qwen2VLModel, segments)
    ours = mrope_positions(segments)
    assert ours.equal(theirs)
    assert int(ours.max()) + 1 - ours.shape[1] == delta


@given(GRIDS, st.floats(0.0625, 4.0, width=32))
def test_seconds_of_qwen2_5_vl(grid, seconds):
    segments = [3, (grid[0] + 1, *grid[1:])]
    theirs, _ = ids_of(Qwen2_5_VLModel, segments, seconds)
    assert mrope_positions(segments, second_per_grid_t=seconds).equal(theirs)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_frames_apart_of_qwen3_vl(frames, height, width, words):
    segments = [3, *split_video(frames, height, width, words), 2]
    theirs, delta = ids_of(Qwen3VLModel, segments)
    ours = mrope_positions(segments)
    assert ours.equal(theirs)
    assert int(ours.max()) + 1 - ours.shape[1] == delta


# What the classes of transformers 5.23 gave for tiny models with random weights.
PICTURES = [
    ([3, (1, 4, 6), 3], {3}, {3, 4, 5, 6}, {*range(3, 9)}, [9, 10, 11], -18),
    ([3, (1, 40, 40), 2], {3}, {*range(3, 43)}, {*range(3, 43)}, [43, 44], -1560),
    ([2, (1, 6, 2), 2], {2}, {*range(2, 8)}, {2, 3}, [8, 9], -6),
]


@pytest.mark.parametrize(("segments", "time", "rows", "columns", "after", "delta"), PICTURES)
def test_pictures_that_the_models_were_given(segments, time, rows, columns, after, delta):
    ids = mrope_positions(segments)
    first, last = segments[0], segments[-1]
    picture = ids[:, first:-last]
    assert [{*axis.tolist()} for axis in picture] == [time, rows, columns]
    assert ids[:, -last:].tolist() == [after] * 3
    assert int(ids.max()) + 1 - ids.shape[1] == delta


def test_two_pictures_that_the_models_were_given():
    ids = mrope_positions([2, (1, 2, 3), 2, (1, 2, 2), 2])
    assert ids[0].tolist() == [0, 1, *[2] * 6, 5, 6, *[7] * 4, 9, 10]
    assert int(ids.max()) + 1 - ids.shape[1] == -5


@pytest.mark.parametrize(
    ("seconds", "times"),
    [
        (None, [3, 4, 5]),
        (0.5, [3, 4, 5]),
        (0.75, [3, 4, 6]),
        (1.0, [3, 5, 7]),
        (1.5, [3, 6, 9]),
        (2.0, [3, 7, 11]),
    ],
)
def test_videos_that_the_models_were_given(seconds, times):
    ids = mrope_positions([3, (3, 4, 6)], second_per_grid_t=seconds)
    assert ids[0, 3::24].tolist() == times
    assert {*ids[1, 3:].tolist()} == {3, 4, 5, 6}
    assert {*ids[2, 3:].tolist()} == {*range(3, 9)}


def test_a_video_of_frames_apart_that_the_models_were_given():
    ids = mrope_positions([3, *split_video(3, 4, 6, 2), 3])
    starts = [5 + 26 * frame for frame in range(3)]
    assert ids[:, starts].tolist() == [[5, 13, 21]] * 3
    assert ids[:, -3:].tolist() == [[27, 28, 29]] * 3
    assert int(ids.max()) + 1 - ids.shape[1] == -54


def test_text_after_a_video_begins_after_all_of_it():
    """Where transformers 5.23 begins inside the video's time, as its decoding does not."""
    segments = [3, (3, 4, 6), 3]
    ours = mrope_positions(segments, second_per_grid_t=2.0)
    theirs, _ = ids_of(Qwen2_5_VLModel, segments, 2.0)
    assert ours[:, :-3].equal(theirs[:, :-3])
    assert theirs[0, -3:].tolist() == [9, 10, 11]
    assert int(theirs[0, :-3].max()) == 11
    assert ours[:, -3:].tolist() == [[12, 13, 14]] * 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mrope_positions([0]), r"segments\[0\] must be"),
        (lambda: mrope_positions([2, (1, 0, 2)]), r"segments\[1\] must be"),
        (lambda: mrope_positions([2], second_per_grid_t=0.0), "second_per_grid_t must be"),
        (
            lambda: mrope_positions([2], second_per_grid_t=1.0, tokens_per_second=-1),
            "tokens_per_second must be",
        ),
        (
            lambda: split_video(3, 2, 2, [1, 2]),
            "text_tokens must be one number, or one for each of 3 frames",
        ),
        (lambda: split_video(0, 2, 2, 1), "frames must be"),
    ],
)
def test_numbers_out_of_range_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
