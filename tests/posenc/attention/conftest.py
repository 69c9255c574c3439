"""Fixtures that tests of strips share."""

import pytest

from posenc.attention import rows
from tests.posenc.attention.strips import HEADS, LENGTH


@pytest.fixture
def narrow(monkeypatch):
    """Strips of five rows."""
    monkeypatch.setattr(rows, "STRIP_BYTES", 5 * rows.COPIES * HEADS * LENGTH * 8)
