"""The shared attention: what it refuses, what its measures mean."""

import subprocess
import sys

import pytest
import torch

from posenc.catalogue import CATALOGUE
from tests.conftest import ROOT
from ui.screen.budget import MEMORY_BUDGET
from ui.text import live
from ui.text.tokens import Tokens, byte_tokens

CPU = torch.device("cpu")


def settings(length, encoding="nope", num_heads=4):
    tokens = byte_tokens("x" * length)
    return live.AttentionSettings(tokens, encoding, num_heads, 8, 0, CPU, causal=True)


def test_the_longest_text_fits_and_one_token_more_does_not():
    for heads in (1, 3, 16):
        most = live.longest(settings(1, num_heads=heads))
        assert live.memory_needed(settings(most, num_heads=heads)) <= MEMORY_BUDGET
        assert live.memory_needed(settings(most + 1, num_heads=heads)) > MEMORY_BUDGET


MEASURE = """
import os, resource, torch
from posenc.catalogue import CATALOGUE
from ui.text import live
from ui.text.tokens import byte_tokens

torch.set_num_threads(1)
for encoding in CATALOGUE:
    if os.fork() == 0:  # a fresh peak for each
        for length in (8, 400):
            tokens = byte_tokens("x" * length)
            settings = live.AttentionSettings(tokens, encoding, 2, 8, 0, torch.device("cpu"), True)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            live.run(settings)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(encoding, after - before, live.memory_needed(settings), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.slow
def test_the_memory_estimate_is_an_upper_bound():
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [name for name, _, _ in rows] == list(CATALOGUE)
    for name, measured, estimate in rows:
        assert int(measured) * unit <= int(estimate), name
        assert int(measured) * unit >= int(estimate) / 6, f"{name}: a bound that says nothing"


def test_labels_are_short():
    tokens = Tokens(["a" * 12, "b" * 13], [1, 2])
    assert live.token_labels(tokens) == ("a" * 12, "b" * 11 + "…")


def test_ids_as_code_are_the_ids():
    tokens = byte_tokens("a longer text, of several lines")
    assert eval(live.ids_as_code(tokens)) == tokens.ids
