"""Every task by its id, "screen.task", and the check that decides it."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from exhibits.homework import adding, extending, reading, turning
from exhibits.homework.check import TaskResult
from exhibits.homework.settings import Settings

TASKS: Mapping[str, Callable[[Settings], TaskResult]] = {
    "why_position.order": adding.order_without_encoding,
    "absolute.one_turn": adding.one_turn,
    "relative.far_buckets": adding.far_buckets,
    "alibi.window": adding.head_with_window,
    "rope.same_angles": turning.same_angles,
    "rope.half": turning.half_came_round,
    "scaling.nothing_new": turning.nothing_new_neighbours_kept,
    "measured.rival": reading.nearest_rival,
    "live_attention.together": reading.places_run_together,
    "cope.shared": reading.shared_from,
    "forget_gates.half": adding.half_arrives,
    "kv_cache.no_stale": reading.no_stale_key,
    "side_by_side.four_places": extending.four_places,
    "config.two_texts": extending.cache_that_fits,
    "units.least_base": extending.least_base,
}
"""The words of a task are in its screen's homework, under the same id."""


@lru_cache(4096)
def check(task: str, query: str) -> TaskResult:
    """Work out whether settings meet a task.

    Raises:
        ValueError: If the settings are not those of the screen, with what is allowed.
    """
    if task not in TASKS:
        raise ValueError("There is no such task here.")
    return TASKS[task](Settings(query))
