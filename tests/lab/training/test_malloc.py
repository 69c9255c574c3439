"""In a process of its own: what malloc is told holds for the whole process."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

FAULTS = """
import resource
import torch
from lab.training.malloc import keep_freed_memory

def step():
    return [torch.ones(n, dtype=torch.uint8) for n in (2**25, 3 * 2**24, 2**26)]

if {keep}:
    assert keep_freed_memory()
for _ in range(6):
    step()
counts = [resource.getrusage(resource.RUSAGE_SELF).ru_minflt]
for _ in range(9):
    step()
    counts.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
# The median: the system may take pages back by itself in between, when others want memory.
print(sorted(after - before for before, after in zip(counts, counts[1:]))[4])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mallopt is glibc's")
def test_a_second_step_gets_no_new_pages():
    def faults(keep: bool) -> int:
        program = [sys.executable, "-c", FAULTS.format(keep=keep)]
        return int(subprocess.run(program, capture_output=True, check=True, cwd=ROOT).stdout)

    pages = (2**25 + 3 * 2**24 + 2**26) // 4096
    assert faults(keep=True) < pages / 50
    assert faults(keep=False) > pages / 50
