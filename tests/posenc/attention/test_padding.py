"""Positions of a padded batch. That they change no number: test_cache.py, for every encoding."""

import torch

from posenc import positions_from_mask


def test_counted_by_hand():
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 1, 1]])
    expected = [[0, 0, 0, 1, 2], [0, 1, 2, 2, 2], [0, 1, 2, 3, 4], [0, 0, 0, 1, 2]]
    assert positions_from_mask(mask).tolist() == expected
    assert positions_from_mask(mask.bool()).tolist() == expected
