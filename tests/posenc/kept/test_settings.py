"""What an encoding was made with stays."""

import inspect
import pickle
from copy import deepcopy

import pytest
import torch

from posenc import RoPE
from posenc.scaling import LongRoPE, YaRN
from tests.posenc.traced.cases import NAMES, Attention, made, text


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_refused_afterwards(name):
    encoding = made(name)
    for setting in inspect.signature(type(encoding)).parameters:
        if setting in vars(encoding):
            with pytest.raises(AttributeError, match=f"{setting} of a .* stays as it was made"):
                setattr(encoding, setting, 7)


def test_what_is_no_setting_can_be_set():
    rope = RoPE(8)
    rope.eval()
    rope.inv_freq = torch.nn.Parameter(rope.inv_freq)  # learned frequencies
    assert [name for name, _ in rope.named_parameters()] == ["inv_freq"]


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_copies_are_as_good(name):
    encoding = made(name)
    given = text(5, 5)
    want = Attention(encoding)(*given)
    for copy in (deepcopy(encoding), pickle.loads(pickle.dumps(encoding))):
        assert torch.equal(Attention(copy)(*given), want)


def test_a_scaling_is_printed_by_what_it_was_given():
    assert "scaling=YaRN(factor=4.0, original_length=64)" in str(RoPE(8, scaling=YaRN(4.0, 64)))
    lists = LongRoPE([1.0] * 4, [2.0] * 4, 64, 4.0)
    assert "None" not in str(RoPE(8, scaling=lists))
