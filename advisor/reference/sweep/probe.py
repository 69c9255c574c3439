"""A model run once on one token repeated, and what each layer did to its queries and keys.

All tokens are alike and every attention is given the same vector at each place, so that whatever
differs from place to place was put there by the positions.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

# Small steps for fast pairs, large ones for slow pairs; a prime number of them.
POSITIONS = torch.tensor([0, *(2**power for power in range(30))])
SEEN = len(POSITIONS)


@dataclass
class Applied:
    """One call of the model's own function that turns queries and keys."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@dataclass
class LayerRun:
    """Record of one layer's run."""

    attends: bool = False
    applied: list[Applied] = field(default_factory=list)
    scale: float | None = None
    query: Tensor | None = None
    key: Tensor | None = None
    window: int | None = None


def layer_index(name: str, module: nn.Module) -> int | None:
    """Which layer a module belongs to, from its name."""
    own = getattr(module, "layer_idx", None)
    if isinstance(own, int):
        return own
    found = re.search(r"(?:^|\.)(?:layers|h|layer|blocks|block)\.(\d+)(?:\.|$)", name)
    return int(found.group(1)) if found else None


def is_attention(module: nn.Module) -> bool:
    """Attention of any kind, by the name of its class."""
    return re.search(r"Attention|MLA$|Attn", type(module).__name__) is not None


def is_rotary(module: nn.Module) -> bool:
    """A module that makes angles."""
    return "Rotary" in type(module).__name__ or "RoPE" in type(module).__name__


def run(model: nn.Module, inputs: dict[str, Tensor]) -> dict[int, LayerRun]:
    """Records of a run's layers, by index."""
    layers: dict[int, LayerRun] = {}
    stack: list[tuple[int | None, bool]] = []
    generator = torch.Generator().manual_seed(0)

    def enter(index: int | None, attention: bool) -> Callable[..., Any]:
        def hook(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            stack.append((index, attention))
            if not attention:
                return None

            def alike(value: Any) -> Any:
                is_hidden = isinstance(value, Tensor) and value.dim() == 3
                if not is_hidden or value.shape[1] != SEEN or not value.is_floating_point():
                    return value
                vector = torch.randn(value.shape[-1], generator=generator, dtype=value.dtype)
                return vector.expand_as(value)

            if "hidden_states" in kwargs:
                return args, {**kwargs, "hidden_states": alike(kwargs["hidden_states"])}
            return (alike(args[0]), *args[1:]) if args else args, kwargs

        return hook

    def leave(*_: Any) -> None:
        stack.pop()

    def place(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        def moved(value: Any) -> Any:
            is_ids = isinstance(value, Tensor) and not value.is_floating_point()
            if not is_ids or value.shape[-1] != SEEN:
                return value
            return POSITIONS.to(value.dtype).expand_as(value)

        return tuple(map(moved, args)), {key: moved(value) for key, value in kwargs.items()}

    def current() -> LayerRun | None:
        # The attention that is running, which may be one of several in a layer.
        running = [one for one in reversed(stack) if one[0] is not None]
        running.sort(key=lambda one: not one[1])
        return layers.setdefault(running[0][0] or 0, LayerRun()) if running else None

    def seen_apply(original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if (layer := current()) is not None:
                layer.applied.append(Applied(original, args, kwargs))
            return original(*args, **kwargs)

        return wrapped

    def seen_attend(original: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(
            module: nn.Module, query: Tensor, key: Tensor, *args: Any, **kwargs: Any
        ) -> Any:
            if (layer := current()) is not None:
                layer.attends = True
                layer.query, layer.key = query.detach(), key.detach()
                scale = kwargs.get("scaling", getattr(module, "scaling", None))
                layer.scale = float(scale) if isinstance(scale, int | float) else None
                layer.window = kwargs.get("sliding_window")
            return original(module, query, key, *args, **kwargs)

        return wrapped

    handles = []
    for name, module in model.named_modules():
        index = layer_index(name, module)
        hook = enter(index, is_attention(module))
        handles.append(module.register_forward_pre_hook(hook, with_kwargs=True))
        handles.append(module.register_forward_hook(leave, always_call=True))
        if is_rotary(module):
            handles.append(module.register_forward_pre_hook(place, with_kwargs=True))
    try:
        with torch.no_grad(), patched(seen_apply, seen_attend):
            model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
    return layers


@contextmanager
def patched(apply: Callable[..., Any], attend: Callable[..., Any]) -> Iterator[None]:
    """Both kinds of functions wrapped, in every modeling module that is loaded."""
    kept: list[tuple[Any, str, Any]] = []
    for module in [m for n, m in sys.modules.items() if ".modeling_" in n and "models." in n]:
        for name, value in list(vars(module).items()):
            wrap = None
            if re.match(r"apply_.*(rotary|rope)", name) and callable(value):
                wrap = apply
            if name == "eager_attention_forward":
                wrap = attend
            if wrap is not None:
                kept.append((module, name, value))
                setattr(module, name, wrap(value))
    try:
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)
