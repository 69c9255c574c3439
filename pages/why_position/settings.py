"""The controls of the screen Without positions, and the attention on both orders of the words."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import streamlit as st
import torch
from torch import Tensor

from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui import controls
from ui.controls import device
from ui.text import controls as text_controls
from ui.text import live
from ui.text.tokens import Tokens, word_tokens
from ui.words import _

START: dict[str, Any] = {
    "text": "the dog bites the man",
    "encoding": "nope",
    "causal": False,
    "head_dim": 4,
    "shuffle": 1,
}
PRESETS: controls.Presets = {
    "none": (say("No positions"), START),
    "mask": (say("A mask alone"), START | {"causal": True}),
    "rope": ("RoPE", START | {"encoding": "rope"}),
    "sentence": (say("Another sentence"), START | {"text": "only she said that he had come"}),
}
ORDERS = {"typed": say("as typed"), "shuffled": say("shuffled")}
MAX_WORDS = 24
MAX_SHUFFLE = 9999
NO_TOKENS: Any = ()


def shuffle_number(key: str, label: str, *limits: int, help: str) -> int:
    """The number of an order, and a button that takes the next."""
    number: int = controls.number(key, label, *limits, help=help)
    st.button(_("Shuffle again"), on_click=shuffle_again, key="shuffle_again")
    return number


def shuffle_again() -> None:
    """Take the next order."""
    st.session_state["shuffle"] = (st.session_state["shuffle"] + 1) % (MAX_SHUFFLE + 1)


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("text",)

    text: str = controls.entry(
        controls.text,
        say("Sentence"),
        START["text"],
        max_chars=600,
        help=say(
            "At most {most} words and marks. Equal words have equal embeddings.", most=MAX_WORDS
        ),
    )
    shuffle: int = controls.entry(
        shuffle_number,
        say("Shuffle"),
        1,
        0,
        MAX_SHUFFLE,
        help=say("Each number is another order of the words."),
    )
    encoding: str = text_controls.encoding(START["encoding"])
    causal: bool = controls.entry(
        controls.toggle,
        say("Causal mask"),
        help=say("A word sees only itself and the words before it."),
    )
    head_dim: int = controls.entry(
        controls.powers,
        say("Head width"),
        4,
        2,
        8,
        help=say("d_k in √d_k; 64 in GPT-2, 128 in Llama-2-7B."),
    )
    seed: int = text_controls.seed()
    device: torch.device = device.device()
    order: str = controls.entry(controls.held, say("Order"), ORDERS)

    @cached_property
    def attention(self) -> live.AttentionSettings:
        """The attention on the words as typed.

        Raises:
            ValueError: If there are so many that their matrices would not be read any more.
        """
        tokens = word_tokens(self.text)
        if len(tokens.ids) > MAX_WORDS:
            raise ValueError(
                say(
                    "The sentence has {count} words and marks; this screen shows at most {most}. "
                    "Leave some out.",
                    count=len(tokens.ids),
                    most=MAX_WORDS,
                )
            )
        return live.AttentionSettings(
            tokens=tokens,
            encoding=self.encoding,
            causal=self.causal,
            num_heads=1,
            head_dim=self.head_dim,
            seed=self.seed,
            device=self.device,
        )

    @property
    def words(self) -> list[str]:
        return self.attention.tokens.texts

    @property
    def shuffled_words(self) -> list[str]:
        return [self.words[word] for word in self.places]

    @cached_property
    def places(self) -> list[int]:
        """Which word stands at each place of the shuffled sentence."""
        generator = torch.Generator().manual_seed(self.shuffle)
        return torch.randperm(len(self.words), generator=generator).tolist()

    @cached_property
    def typed(self) -> live.Result:
        return live.run(self.attention)

    @cached_property
    def shuffled(self) -> live.Result:
        return self._shuffled(self.attention)

    @cached_property
    def outputs(self) -> dict[str, tuple[Tensor, Tensor]]:
        """Under every encoding: the output of the shuffled words, put back, and of those typed."""
        outputs = {}
        for name in CATALOGUE:
            other = replace(self.attention, encoding=name)
            typed = typed_output(tuple(other.tokens.ids), replace(other, tokens=NO_TOKENS))
            shuffled = self._shuffled(other).trace.output[0, 0]
            put_back = torch.empty_like(shuffled)
            put_back[self.places] = shuffled
            outputs[name] = put_back, typed
        return outputs

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the attention for a program."""
        return {
            "ids": self.attention.tokens.ids,
            "num_heads": 1,
            "head_dim": self.head_dim,
            "seed": self.seed,
            "causal": self.causal,
        }

    def order_program(self, *shown: str) -> dict[str, Any] | None:
        """Settings of some of its matrices, where a program computes them."""
        if self.encoding != "nope":
            return None
        return {**self.program, "order": self.places, "shown": [*shown]}

    def _shuffled(self, attention: live.AttentionSettings) -> live.Result:
        ids = attention.tokens.ids
        tokens = Tokens(self.shuffled_words, [ids[word] for word in self.places])
        return live.run(replace(attention, tokens=tokens))


@lru_cache(maxsize=32)
def typed_output(ids: tuple[int, ...], settings: live.AttentionSettings) -> Tensor:
    """The output of the words as typed, kept: another shuffle does not change it."""
    return live.run(replace(settings, tokens=Tokens([], list(ids)))).trace.output[0, 0]
