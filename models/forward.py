"""One text through a model: attention with every stage, next tokens, loss."""

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from models.change import Change
from models.opened import Model
from models.running import Enough, Running, running
from posenc.attention.rows import AttentionRows

KEPT_BYTES = 80 * 10**6
"""Most bytes of what layers read that are kept of one text."""
KEPT_ROWS = 20 * 10**6
"""Most bytes of one layer's attention that are kept for who asks for it again."""
LOGITS_AT_ONCE = 512
"""Tokens whose logits are held at once: a vocabulary is large."""

Answer = TypeVar("Answer")
Watch = Callable[[int, AttentionRows], None]
"""Called with each layer and its attention as the pass comes by. It may raise, which ends it."""


@dataclass(frozen=True)
class LayerCall:
    """Arguments that one layer was called with."""

    arguments: tuple[Any, ...]
    named: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Seen:
    """One text as a model read it.

    Attributes:
        model: The model.
        ids: The text, int64 (length,).
        change: What was changed about positions.
        hidden: What the head reads, (length, width).
        kept: What some layers were called with, the first among them.
    """

    model: Model
    ids: Tensor
    change: Change
    hidden: Tensor
    kept: Mapping[int, LayerCall]
    lately: dict[str, tuple[Any, Any]] = field(default_factory=dict, init=False)
    """By what was asked: of what last, and the answer, which is not to be written to."""

    def _again(self, what: str, of: Hashable, answer: Callable[[], Answer]) -> Answer:
        """The answer to a question: who moves another control asks the last one again."""
        last = self.lately.get(what)
        if last is None or last[0] != of:
            last = self.lately[what] = of, answer()
        found: Answer = last[1]
        return found

    @property
    def length(self) -> int:
        """Tokens."""
        return len(self.ids)

    @property
    def bytes(self) -> int:
        """Memory that is kept."""
        inputs = (call.arguments[0] for call in self.kept.values())
        last = self.lately.get("attention")
        return _size(self.hidden, *inputs) + (_size_of_rows(last[1]) if last else 0)

    def attention(self, layer: int) -> AttentionRows:
        """The attention of a layer, with every stage of any rows on demand.

        Nothing but this layer is computed again, and those before it back to one that is kept.
        Its queries and keys are the model's; what is made of them is float64 where the device has
        it, so that one row has the same numbers by itself as among others.

        Args:
            layer: Which, from 0.
        """
        rows = self._again("attention", layer, lambda: self._attention(layer))
        if _size_of_rows(rows) > KEPT_ROWS:
            self.lately.pop("attention", None)
        return rows

    @torch.inference_mode()
    def _attention(self, layer: int) -> AttentionRows:
        start = max(index for index in self.kept if index <= layer)
        call = self.kept[start]
        found: list[AttentionRows] = []

        def attend(index: int, rows: AttentionRows) -> Tensor:
            if index < layer:
                return rows.output()
            found.append(rows)
            raise Enough

        run = _run(self.model, self.length, self.change, attend)
        arguments = call.arguments
        with running(run):
            try:
                for index in range(start, layer + 1):
                    output = self.model.layers[index](*arguments, **call.named)
                    first = output[0] if isinstance(output, tuple) else output
                    arguments = (first, *call.arguments[1:])
            except Enough:
                pass
        rows = found[0]
        if rows.q.device.type == "mps":
            return rows
        q, k, v = rows.q.double(), rows.k.double(), rows.v.double()
        return replace(rows, q=q, k=k, v=v)

    @torch.inference_mode()
    def logits(self, first: int, end: int) -> Tensor:
        """Logits of the tokens that follow `first` … `end - 1`, (end - first, vocabulary)."""
        return self.model.logits(self.hidden[None, first:end])[0]

    def next_tokens(self, count: int = 5, place: int = -1) -> list[tuple[int, float]]:
        """The most likely tokens behind a token, each with its probability.

        Args:
            count: How many.
            place: Which token, the last one by default.
        """
        found = self.probabilities(place).topk(count)
        return list(zip(found.indices.tolist(), found.values.tolist(), strict=True))

    def probabilities(self, place: int = -1) -> Tensor:
        """Probability of every token of the vocabulary behind a token, float64 (vocabulary,)."""
        place %= self.length
        return self._again(
            "probabilities",
            place,
            lambda: self.logits(place, place + 1)[0].double().softmax(-1),
        )

    def bits(self, first: int = 0) -> Tensor:
        """Bits of every token behind token `first`, −log₂ p, float32 (length - 1 - first,)."""
        pieces = []
        for start in range(first, self.length - 1, LOGITS_AT_ONCE):
            end = min(start + LOGITS_AT_ONCE, self.length - 1)
            logits = self.logits(start, end)
            targets = self.ids[start + 1 : end + 1]
            pieces.append(cross_entropy(logits, targets, reduction="none") / math.log(2))
        return torch.cat(pieces).cpu() if pieces else torch.zeros(0)


@torch.inference_mode()
def forward(
    model: Model,
    ids: list[int],
    change: Change | None = None,
    *,
    watch: Watch = lambda layer, rows: None,
    kept_bytes: int = KEPT_BYTES,
) -> Seen:
    """Read a text once.

    Args:
        model: The model.
        ids: The text, at least one token.
        change: What is changed about positions; nothing when None.
        watch: Called with each layer and its attention.
        kept_bytes: Most bytes of what layers read that are kept, so that their attention can be
            looked at without another pass: that of the first layer at least, 0 keeps nothing.

    Raises:
        ValueError: If the text is empty, or the model cannot be read so.
    """
    change = change or Change()
    if not ids:
        raise ValueError("The text must have at least one token; it is empty.")
    tokens = torch.tensor([ids], device=model.device)
    kept: dict[int, LayerCall] = {}
    fitting = kept_bytes // (len(ids) * model.width * 4)
    step = math.ceil(len(model.layers) / max(fitting, 1)) if kept_bytes else 0

    def attend(index: int, rows: AttentionRows) -> Tensor:
        watch(index, rows)
        return rows.output()

    def enter(index: int, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        if step and index % step == 0:
            kept[index] = LayerCall(given, named)

    run = _run(model, len(ids), change, attend, enter)
    options: dict[str, Any] = {} if model.family.masked else {"use_cache": False}
    if model.family.word_positions:
        options["position_ids"] = run.positions[None]
    with running(run):
        hidden = model.base(tokens, **options).last_hidden_state[0]
    return Seen(model, tokens[0], change, hidden, kept)


def _size(*tensors: Tensor) -> int:
    return sum(x.numel() * x.element_size() for x in tensors)


def _size_of_rows(rows: AttentionRows) -> int:
    return _size(rows.q, rows.k, rows.v)


def _run(
    model: Model,
    length: int,
    change: Change,
    attend: Callable[[int, AttentionRows], Tensor],
    enter: Callable[[int, tuple[Any, ...], dict[str, Any]], None] = lambda *_: None,
) -> Running:
    """How a text of this length is read.

    Raises:
        ValueError: If the model's table has no such positions, or cannot be read so.
    """
    positions = change.positions(length)
    if (rows := model.table_rows) is not None and int(positions.max()) >= rows:
        raise ValueError(
            f"The model has a table of {rows:,} positions, and this text needs position "
            f"{int(positions.max()):,}: shorten it, or make the offset smaller."
        )
    encodings = tuple(
        change.encoding(model.layer(index), index, model.heads)
        for index in range(len(model.layers))
    )
    return Running(encodings, positions.to(model.device), attend, enter)
