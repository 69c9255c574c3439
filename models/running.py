"""posenc's attention inside a model of transformers.

transformers rotates by (cos, sin) of a module of its own; that module is made to answer (1, 0), so
that queries and keys arrive as they are before position enters. They arrive through transformers'
attention interface, or, in families that do without, from the fused projection before it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from models.families import Family
from posenc import PositionalEncoding
from posenc.attention.masks import causal_pairs, window_pairs
from posenc.attention.rows import AttentionRows, Pairs

NAME = "posenc"
"""Name of the attention, among those of transformers."""


class Enough(Exception):
    """Ends a layer early: its queries and keys are known."""


@dataclass
class Running:
    """One pass through a model, or through some of its layers.

    Args:
        encodings: Where position enters, by layer.
        positions: Of the tokens, int64 (length,).
        attend: Called with the layer and its attention; returns what attention hands on.
        enter: Called with the layer and the arguments that it is called with.
        without_table: Whether the table of positions that is added to embeddings is left out.
    """

    encodings: tuple[PositionalEncoding, ...]
    positions: Tensor
    attend: Callable[[int, AttentionRows], Tensor]
    enter: Callable[[int, tuple[Any, ...], dict[str, Any]], None] = lambda index, given, named: None
    without_table: bool = False
    fused: dict[int, tuple[Tensor, Tensor, Tensor]] = field(default_factory=dict)
    """q, k and v of a fused projection, until the attention behind it is done."""

    def attended(
        self,
        index: int,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        *,
        scale: float | None = None,
        softcap: float | None = None,
        window: int | None = None,
        causal: bool = True,
    ) -> Tensor:
        """The output of a layer's attention, (1, heads, length, head_dim)."""
        groups = q.shape[1] // k.shape[1]
        k, v = (x.repeat_interleave(groups, dim=1) if groups > 1 else x for x in (k, v))
        rows = AttentionRows(
            q,
            k,
            v,
            encoding=self.encodings[index],
            pairs=pairs_of(causal, window, q.shape[-2]),
            positions=self.positions,
            scale=scale,
            softcap=softcap,
        )
        return self.attend(index, rows)


_running: ContextVar[Running] = ContextVar("running")


@contextmanager
def running(run: Running) -> Iterator[None]:
    """Models that are called inside attend as this run says."""
    token = _running.set(run)
    try:
        yield
    finally:
        _running.reset(token)


def pairs_of(causal: bool, window: int | None, length: int) -> Pairs | None:
    """Which queries may attend to which keys; a window that is no shorter than the text is none."""
    if window is None or window >= length:
        return causal_pairs if causal else None
    if causal:
        return partial(causal_window, window=window)
    return partial(window_pairs, window=window)


def causal_window(queries: Tensor, keys: Tensor, window: int) -> Tensor:
    """True where the key is one of the last `window` up to the query; shapes of `causal_pairs`."""
    return causal_pairs(queries, keys) & window_pairs(queries, keys, window)


def connect(
    net: nn.Module, family: Family, layers: Sequence[nn.Module], attentions: Mapping[nn.Module, int]
) -> None:
    """Put posenc's attention into a model, once: from then on it runs inside `running` alone.

    Args:
        net: The model.
        family: Where its parts are.
        layers: Its layers.
        attentions: The attention of each layer, and which layer that is.
    """
    for index, layer in enumerate(layers):
        layer.register_forward_pre_hook(partial(_entered, index), with_kwargs=True)
    for name, module in net.named_modules():
        if type(module).__name__.endswith("RotaryEmbedding"):
            module.register_forward_hook(_unrotated)
        if family.word_positions and name.endswith(family.word_positions):
            module.register_forward_hook(_without_table)
    if family.qkv:
        for attention, index in attentions.items():
            parts = dict(attention.named_children())
            parts[family.qkv].register_forward_hook(partial(_split, family, attention, index))
            parts[family.output].register_forward_pre_hook(partial(_replaced, index))
        return
    from transformers.modeling_utils import AttentionInterface

    AttentionInterface.register(NAME, partial(_interface))
    for attention, index in attentions.items():
        attention.posenc_layer = index  # type: ignore[assignment]
    net.config._attn_implementation = NAME  # type: ignore[union-attr]


def _interface(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float | None = None,
    softcap: float | None = None,
    sliding_window: int | None = None,
    **_: object,
) -> tuple[Tensor, None]:
    """Attention as transformers calls it; masks are made here, by the layer's window."""
    output = _running.get().attended(
        module.posenc_layer,
        query,
        key,
        value,
        scale=scaling,
        softcap=softcap,
        window=sliding_window,
        causal=module.is_causal,
    )
    return output.transpose(1, 2), None


def _entered(index: int, module: nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    _running.get().enter(index, given, named)


def _unrotated(module: nn.Module, arguments: object, output: Any) -> Any:
    cos, sin = output
    return torch.ones_like(cos), torch.zeros_like(sin)


def _without_table(module: nn.Module, arguments: object, output: Tensor) -> Tensor:
    return torch.zeros_like(output) if _running.get().without_table else output


def _split(
    family: Family, attention: Any, index: int, module: nn.Module, arguments: object, output: Tensor
) -> None:
    """Keep q, k and v of a fused projection, each (1, heads, length, head_dim)."""
    clip = getattr(attention, "clip_qkv", None)
    if clip:
        output = output.clamp(-clip, clip)
    width = attention.head_dim
    if family.fused == "interleaved":
        parts = output.unflatten(-1, (-1, 3, width)).unbind(-2)
    else:
        parts = output.unflatten(-1, (3, -1, width)).unbind(-3)
    q, k, v = (part.transpose(1, 2) for part in parts)
    _running.get().fused[index] = q, k, v


def _replaced(index: int, module: nn.Module, arguments: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Hand on what posenc attends to, in place of what the layer has worked out."""
    run = _running.get()
    output = run.attended(index, *run.fused.pop(index))
    return (output.transpose(1, 2).flatten(-2), *arguments[1:])
