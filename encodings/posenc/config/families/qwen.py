"""Qwen, text and vision; on request, the later layers see a window."""

from collections.abc import Callable, Mapping
from typing import Any

from posenc.config.families.classes import known
from posenc.config.families.family import Kinds


def _is_on(values: Mapping[str, Any]) -> bool:
    """Whether the file switches its window on; the classes have one of 4096 and leave it off."""
    is_null = "sliding_window" in values and values["sliding_window"] is None
    return values.get("use_sliding_window") is True and not is_null


def windows_from(
    first: int,
    has_window: Callable[[Mapping[str, Any]], bool] = _is_on,
    is_rare: Callable[[int, int, int], bool] = lambda i, first, n: i >= first,
) -> Kinds:
    """A window in the layers from max_window_layers on; `first` is the class's."""
    return Kinds(
        first,
        "max_window_layers",
        is_rare,
        rare="sliding_attention",
        usual="full_attention",
        has_window=has_window,
    )


FAMILIES = {
    **known("qwen2 qwen3 qwen2_5_omni_text", kinds=windows_from(28)),
    **known("qwen2_vl_text qwen2_5_vl_text", kinds=windows_from(80), sections=(16, 24, 24)),
    # Every other layer, up to max_window_layers.
    **known(
        "qwen2_moe",
        kinds=windows_from(28, is_rare=lambda i, first, n: i % 2 == 0 and i < first),
    ),
    # Every layer, whatever max_window_layers says.
    **known("qwen3_moe", kinds=Kinds(rare="sliding_attention", has_window=_is_on)),
    **known("qwen3_vl_text qwen3_vl_moe_text", sections=(24, 20, 20), take_turns=True),
}
