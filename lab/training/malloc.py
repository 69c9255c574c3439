"""Memory that one update has freed is there for the next."""

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Constants of malloc.h."""
KEPT, MAPPED = 2**28, 2**27
"""Bytes: kept at most, and of an array that is given back as soon as it is free."""


def keep_freed_memory() -> bool:
    """Tell malloc to keep some of what is freed, instead of giving it back to the system.

    Every update allocates anew what the one before has freed. Where that went back, the system
    fills page after page with zeros: 4% of an update, a quarter of reading 4096 tokens.

    Returns:
        False where there is no mallopt, which is glibc's.

    Source: mallopt(3).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(MMAP_THRESHOLD, MAPPED) and mallopt(TRIM_THRESHOLD, KEPT))
