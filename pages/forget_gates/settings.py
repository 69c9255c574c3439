"""The controls of the screen of forget gates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from exhibits.forgetting import gates_from_logs
from lab.model.forgetting import ForgettingAttention, read_by_gates
from lab.training.gates import gates_model
from posenc import fox_log_gates
from posenc.words import say
from ui import controls
from ui.controls import MORE, choice, entry, number
from ui.text import controls as text_controls
from ui.text import live
from ui.text.tokens import Tokens, byte_tokens, places_of
from ui.words import _, translate

WEIGHT = 3  # which stream of random numbers, beside the seed; 1 and 2 are the model's
START: dict[str, Any] = {
    "text": "Ann sang. Bob ran, fell. Who",
    "gates": "learned",
    "head": "2.4",
    "gate": 0.95,
    "separators": ". ! ? ;",
    "shut": 0.2,
}
PRESETS: controls.Presets = {
    "learned": (say("Learned, in a sentence"), START),
    "program": (
        say("Learned, in a program"),
        START | {"text": "def add(a, b):\n    return a + b\n\nprint(add(2, 3))\n", "head": "2.1"},
    ),
    "sentences": (say("Shut at full stops"), START | {"gates": "separators"}),
    "alibi": (say("All alike: ALiBi"), START | {"gates": "constant", "gate": 0.8}),
    "random": (say("Random gates"), START | {"gates": "random", "gate": 0.9}),
    "last": (
        say("Shut at the last word"),
        START | {"gates": "separators", "separators": "Who", "shut": 0.01},
    ),
}
GATES = {
    "learned": say("learned"),
    "separators": say("separators"),
    "constant": say("all alike"),
    "random": say("random projections"),
}
"""Ways to set the gates, by id."""
HEADS = {
    f"{layer}.{head}": say("layer {layer}, head {head}", layer=layer, head=head)
    for layer in (1, 2)
    for head in (1, 2, 3, 4)
}
"""Heads of the trained model, by id."""
LONGEST = 1_024
"""Bytes that it reads: it was trained on 128."""
SIGNS = {" ": "␣", "\n": "¶"}
"""Signs for what is no letter."""
FURTHER = "·"
"""Each further byte of a letter."""
LEAST = 0.001
"""The least gate: the logarithm of 0 has no place in a sum."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text whose tokens have gates or scores."""

    first: ClassVar[Sequence[str]] = ("text",)

    text: str = entry(
        controls.text,
        say("Text"),
        START["text"],
        max_chars=20_000,
        help=say("The text whose tokens the gates read."),
    )
    tokens: str = text_controls.tokens()

    @cached_property
    def cut(self) -> Tokens:
        """The tokens."""
        return live.TOKENIZERS[self.tokens](self.text)


@dataclass(frozen=True, kw_only=True)
class Heads(Text):
    """The same with a head of random projections."""

    head_dim: int = text_controls.head_dim()
    seed: int = text_controls.seed()

    @property
    def attention(self) -> live.AttentionSettings:
        """The head, which has no positions."""
        return live.AttentionSettings(
            tokens=self.cut,
            encoding="nope",
            causal=True,
            num_heads=1,
            head_dim=self.head_dim,
            seed=self.seed,
            device=torch.device("cpu"),
        )


@dataclass(frozen=True, kw_only=True)
class Gates(Heads):
    """The same with a forget gate for each token."""

    first: ClassVar = ("text", "head", "shut", "gate")

    tokens: str = text_controls.tokens(when=lambda s: s.gates != "learned", waits=True)
    gates: str = entry(
        choice,
        say("Gates"),
        GATES,
        help=say(
            "What sets each gate. Learned are those of a small model with forget gates, which "
            "was trained here on Python programs and reads your text byte by byte. At separators "
            "a gate is shut as far as you say. All alike is ALiBi. Random projections are "
            "σ(w·x + b), untrained."
        ),
        above=True,
    )
    head: str = entry(
        choice,
        say("Head"),
        HEADS,
        START["head"],
        help=say("Which of the model’s eight heads: each has gates of its own."),
        when=lambda s: s.gates == "learned",
    )
    separators: str = entry(
        controls.line,
        say("Separators"),
        START["separators"],
        max_chars=40,
        help=say("Tokens that shut their gates, with spaces between them."),
        when=lambda s: s.gates == "separators",
    )
    shut: float = entry(
        number,
        say("Gate at separators"),
        START["shut"],
        LEAST,
        1.0,
        step=0.05,
        help=say("How much of what came before a separator lets through: 1 is all of it."),
        when=lambda s: s.gates == "separators",
    )
    gate: float = entry(
        number,
        say("Gate"),
        START["gate"],
        LEAST,
        0.999,
        step=0.01,
        help=say(
            "What it lets through, of every token that is no separator. Random gates scatter "
            "around it: b is its logit."
        ),
        when=lambda s: s.gates != "learned",
    )

    @cached_property
    def cut(self) -> Tokens:
        """The tokens: bytes where a trained model reads them.

        Raises:
            ValueError: If the text is too long for it.
        """
        if self.gates != "learned":
            return live.TOKENIZERS[self.tokens](self.text)
        ids = byte_tokens(self.text).ids
        if len(ids) > LONGEST:
            raise ValueError(
                say(
                    "The text has {count:,} bytes; the trained model reads {most:,} at most.",
                    count=len(ids),
                    most=LONGEST,
                )
            )
        texts: list[str] = []
        for letter in self.text:
            further = len(byte_tokens(letter).ids) - 1
            texts += [SIGNS.get(letter, letter), *[FURTHER] * further]
        return Tokens(texts, ids)

    @cached_property
    def learned(self) -> list[tuple[ForgettingAttention, Tensor]]:
        """The trained model's layers, and what their gates read, float64 (1, bytes, d_model)."""
        return read_by_gates(gates_model(), torch.tensor([self.cut.ids]))

    @cached_property
    def read(self) -> tuple[Tensor, Tensor, Tensor]:
        """w, x of each token and b, of the head whose gates read the text."""
        if self.gates == "learned":
            return self.read_by(list(HEADS).index(self.head))
        drawn = np.random.default_rng((self.seed, WEIGHT)).standard_normal(self.head_dim)
        bias = torch.tensor(self.gate, dtype=torch.float64).logit()
        return torch.from_numpy(drawn) * self.head_dim**-0.5, self.embedded, bias

    def read_by(self, head: int) -> tuple[Tensor, Tensor, Tensor]:
        """The same of one of the trained model's heads, in the order of `HEADS`."""
        layer, row = divmod(head, len(HEADS) // len(self.learned))
        attention, x = self.learned[layer]
        return attention.forget.weight[row], x[0], attention.forget.bias[row]

    @cached_property
    def embedded(self) -> Tensor:
        """Embeddings of the tokens, float64 (tokens, head_dim)."""
        return live.projections(self.attention).embed(self.cut.ids)[0].double()

    @cached_property
    def log_gates(self) -> Tensor:
        """ln f of each token, float64 (tokens,)."""
        if self.reads_text:
            weight, x, bias = self.read
            return fox_log_gates(x[None], weight[None], bias[None])[0, 0]
        gates = torch.full((len(self.cut.ids),), self.gate, dtype=torch.float64)
        if self.gates == "separators":
            gates[places_of(self.separators, self.cut.texts)] = self.shut
        return gates.log()

    @property
    def reads_text(self) -> bool:
        """Whether gates are computed from what is read."""
        return self.gates in ("learned", "random")

    @property
    def set_by(self) -> str:
        """Words of a title: where the gates come from."""
        if self.gates == "learned":
            return _("{head}, learned from Python programs", head=translate(HEADS[self.head]))
        if self.gates == "separators":
            return _("set by hand, shut at {separators}", separators=escape(self.separators))
        return _("random, untrained") if self.gates == "random" else _("set by hand")

    @property
    def gate_values(self) -> Tensor:
        """f of each token, float64 (tokens,)."""
        return gates_from_logs(self.log_gates)

    def reads(self, token: int) -> tuple[Tensor, Tensor, float] | None:
        """w, x and b of a token's gate; None where gates are given."""
        if not self.reads_text:
            return None
        weight, x, bias = self.read
        return weight, x[token], bias.item()


@dataclass(frozen=True, kw_only=True)
class Sticks(Heads):
    """A text whose scores break a stick."""

    first: ClassVar = ("text", "share")

    shares: str = entry(
        choice,
        say("Shares"),
        {"equal": say("all alike"), "random": say("random projections")},
        help=say("σ(q·k / √d) of each pair: one number for all, or from random queries and keys."),
        above=True,
    )
    share: float = entry(
        number,
        say("Share"),
        0.25,
        0.01,
        0.99,
        step=0.05,
        help=say("What each key takes of what is left of the stick."),
        when=lambda s: s.shares == "equal",
    )


@dataclass(frozen=True, kw_only=True)
class Memory(Gates):
    """A memory that gates fade and later keys overwrite."""

    beta: float = entry(
        number,
        say("β"),
        1.0,
        0.0,
        1.0,
        step=0.1,
        help=say(
            "How much of what is read at a key is replaced; models compute it for each token."
        ),
        under=MORE,
    )
