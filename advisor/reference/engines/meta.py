"""Models built on the device "meta", without memory, but for their rotary parts."""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch

from reference.engines.reader import class_name, of_transformers, turned

POSITIONS = 1024
ARANGE = torch.arange
OTHER_PARTS = ("vision", "visual", "audio")


def short(*args: Any, **named: Any) -> torch.Tensor:
    """`torch.arange`, but a table of millions of positions gets the first ones alone."""
    if 0 < len(args) < 3:
        start, end = (0, *args)[-2:]
        args = (start, min(end, start + POSITIONS))
    return ARANGE(*args, **named)


def made_here(made: Any) -> Any:
    """An `__init__`, on the CPU."""

    def init(self: Any, *args: Any, **named: Any) -> None:
        with torch.device("cpu"), patch.object(torch, "arange", short):
            made(self, *args, **named)

    return init


def on_the_cpu(*modules: ModuleType) -> None:
    """Classes of these modules, and of the modules in these packages, are built on the CPU."""
    for module in modules:
        for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
            on_the_cpu(import_module(f"{module.__name__}.{found.name}"))
        for kind in vars(module).values():
            is_own = getattr(kind, "__module__", "") == module.__name__
            if is_own and isinstance(kind, type) and "__init__" in vars(kind):
                kind.__init__ = made_here(kind.__init__)


def parts_of(model: Any, length: int) -> dict[str, Any]:
    """The rotary parts of a model's text layers, for texts of a length."""
    parts = []
    for path, module in model.named_modules(remove_duplicate=False):
        if any(word in path for word in OTHER_PARTS):
            continue
        tables = {n: b for n, b in module.named_buffers(recurse=False) if "cos_sin" in n}
        if tables:
            # LongRoPE: the short table, then the long one.
            table = tables.get("long_short_cos_sin_cache", next(iter(tables.values())))
            first = getattr(module, "original_max_position_embeddings", 0)
            is_long = "long_short_cos_sin_cache" in tables and length > first
            is_long = getattr(module, "use_long_rope", is_long)
            parts.append({"path": path, **turned(table[1 + is_long * min(first, POSITIONS)])})
        else:
            parts += of_transformers(path, module, length)
    return {
        "class": class_name(model),
        "length": length,
        "windows": windows_of(model),
        "parts": parts,
    }


def windows_of(model: Any) -> dict[str, int | None]:
    """Tokens that every layer's attention sees, with its own; None for all."""
    out = {}
    for path, module in model.named_modules():
        if any(word in path for word in OTHER_PARTS):
            continue
        if type(module).__name__ == "RadixAttention":  # SGLang's; its own token is not counted
            size = module.sliding_window_size
            out[path] = None if size in (None, -1) else size + 1
        elif hasattr(module, "sliding_window") and hasattr(module, "impl"):  # vLLM's
            out[path] = module.sliding_window
    return out
