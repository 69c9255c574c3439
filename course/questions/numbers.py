"""Numbers in the answers, by name; nobody types them, so they cannot go stale."""

from collections.abc import Callable, Mapping
from functools import cache

from course.questions.facts import (
    adding,
    axes,
    batches,
    biases,
    cached,
    engines,
    pairs,
    rotary,
    stretched,
    without,
)

Number = int | float

FACTS = (adding, rotary, pairs, axes, biases, batches, cached, without, stretched, engines)
NUMBERS: Mapping[str, Callable[[], Number]] = {
    name: compute for facts in FACTS for name, compute in facts.NUMBERS.items()
}


@cache
def number(name: str) -> Number:
    """One of `NUMBERS`, computed once.

    Raises:
        ValueError: If there is no such name.
    """
    if name not in NUMBERS:
        raise ValueError(f"name must be one of {', '.join(NUMBERS)}, got {name!r}.")
    return NUMBERS[name]()
