"""The chapters, a folder each: the words, the picture, and the numbers that Python computes."""

from pathlib import Path

FOLDER = Path(__file__).parent
COURSE = (
    "why_position",
    "absolute",
    "relative",
    "alibi",
    "rope",
    "why_rope",
    "live_attention",
    "scaling",
    "measured",
    "kv_cache",
    "cope",
    "which",
    "running",
    "picture_in_text",
    "turn_value",
    "forget_gates",
    "learned_or_none",
)
"""Ids of the chapters, in the order in which a newcomer reads them."""
AFTER_ROPE = COURSE.index("picture_in_text")
"""Where the second part begins: what models do with positions since RoPE."""
MOVED = {
    ("rope", "won"): ("why_rope", "before"),
    ("scaling", "together"): ("scaling", "knees"),
    ("cope", "between"): ("cope", "opens"),
    ("cope", "head"): ("cope", "measured"),
    ("cope", "lifts"): ("cope", "measured"),
    ("cope", "longer"): ("cope", "measured"),
    ("cope", "last"): ("cope", "measured"),
    **{
        ("kv_cache", step): ("running", step) for step in ("gap", "stale", "ways", "price", "lists")
    },
}
"""Steps of earlier times by their chapter and id, and the step that has their place now."""
