"""Examples in docstrings run, and where one looks first there is one."""

import doctest
import inspect

import pytest
import torch

import posenc
from posenc.places import PositionalEncoding

NAMED = {
    "RoPE": posenc.RoPE,
    "ALiBi": posenc.ALiBi,
    "KVCache": posenc.KVCache,
    "KVCache.append": posenc.KVCache.append,
    "KVCache.crop": posenc.KVCache.crop,
    "from_rope_parameters": posenc.scaling.from_rope_parameters,
    "attend": posenc.attend,
    "DistanceBias": posenc.DistanceBias,
    "score_mod": PositionalEncoding.score_mod,
    "MRoPE": posenc.MRoPE,
    "AxialRoPE": posenc.AxialRoPE,
}


@pytest.mark.parametrize("name", NAMED)
def test_an_example_runs(name):
    given = {one: getattr(posenc, one) for one in posenc.__all__}
    given |= {one: getattr(posenc.scaling, one) for one in posenc.scaling.__all__}
    given["torch"] = torch
    (example,) = doctest.DocTestFinder(recurse=False).find(NAMED[name], name, globs=given)
    assert 3 <= len(example.examples) <= 10
    wrong = []
    doctest.DocTestRunner().run(example, out=wrong.append)
    assert not wrong, "".join(wrong)


def test_every_example_of_a_public_name_is_tried():
    with_examples = {
        name for name in posenc.__all__ if ">>>" in (inspect.getdoc(getattr(posenc, name)) or "")
    }
    assert with_examples <= NAMED.keys()
