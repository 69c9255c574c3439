"""The chapters, a folder each: the words, the picture, and the numbers that Python computes."""

from pathlib import Path

FOLDER = Path(__file__).parent
COURSE = (
    "why_position",
    "absolute",
    "relative",
    "alibi",
    "rope",
    "scaling",
    "measured",
    "live_attention",
    "kv_cache",
    "cope",
    "which",
)
"""Ids of the chapters, in the order in which a newcomer reads them."""
