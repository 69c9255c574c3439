"""Fixtures that several screens' tests share."""

import pytest

from lab.queue import starting
from lab.queue.jobs import Lab


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab of its own, whose jobs nobody does but the test."""
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))
    monkeypatch.setattr(starting, "ensure_worker", lambda lab: False)
    with Lab() as lab:
        yield lab
