"""The controls of the CoPE screen."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import torch
from torch import Tensor

from pages.cope.counting import Counted, count, open_keys
from posenc.quantity.matrix import Computed
from posenc.words import say
from ui import controls, screen
from ui.charts.follow import Explain
from ui.controls import device
from ui.text import controls as text_controls
from ui.text import live
from ui.words import _, translate

START: dict[str, Any] = {
    "text": "Sam sat down. Ann left. Then it rained. Who left?",
    "gates": "separators",
    "separators": ". ? !",
    "others": 0.05,
    "max_positions": 64,
}
LIST = "red, green, blue; one, two, three; cat, dog, cow"
PRESETS: controls.Presets = {
    "sentences": (say("Count sentences"), START),
    "commas": (say("Count commas"), START | {"text": LIST, "separators": ","}),
    "random": (say("Random gates"), START | {"gates": "random"}),
    "open": (say("All gates open"), START | {"gates": "open"}),
    "low_cap": (say("A low cap"), START | {"gates": "open", "max_positions": 6}),
}
GATES = {
    "separators": say("separators"),
    "random": say("random projections"),
    "open": say("all open"),
    "closed": say("all closed"),
}
"""Tokens or rules on which the gates open, by id."""
UNTRAINED = say("random projections, untrained")


@dataclass(frozen=True, kw_only=True)
class Settings:
    first: ClassVar = ("text", "gates")

    text: str = controls.entry(
        controls.text,
        say("Text"),
        START["text"],
        max_chars=20_000,
        help=say("The text whose tokens the gates read."),
    )
    gates: str = controls.entry(
        controls.choice,
        say("What opens the gates"),
        GATES,
        START["gates"],
        help=say(
            "What sets each gate g of the formula. With separators, it is wide open on them and "
            "nearly shut on every other token, as a trained head could learn. With random "
            "projections, a gate is σ(q·k / √d), untrained."
        ),
    )
    separators: str = controls.entry(
        controls.line,
        say("Separators"),
        START["separators"],
        max_chars=40,
        help=say(
            "Tokens that open the gates, with spaces between them. A mark stands for its kin in "
            "other scripts, too: . for 。 and ? for ？."
        ),
        when=lambda s: s.gates == "separators",
    )
    others: float = controls.entry(
        controls.number,
        say("Gate on other tokens"),
        START["others"],
        0.0,
        0.5,
        step=0.05,
        help=say(
            "A separator’s gate is 1 less this. A sigmoid comes close to 0 and 1 and does not "
            "reach them, so positions of a trained head are fractions; 0 gives whole numbers."
        ),
        when=lambda s: s.gates == "separators",
    )
    max_positions: int = controls.entry(
        controls.number,
        say("Position embeddings"),
        64,
        2,
        4096,
        help=say(
            "Number of position embeddings; 64 in several of the paper's runs. The cap is "
            "max_positions − 1."
        ),
    )
    tokens: str = text_controls.tokens()
    head_dim: int = text_controls.head_dim()
    seed: int = text_controls.seed()
    device: torch.device = device.device()

    @cached_property
    def attention(self) -> live.AttentionSettings:
        """The head whose gates are counted."""
        return live.AttentionSettings(
            tokens=live.TOKENIZERS[self.tokens](self.text),
            encoding="nope",
            causal=True,
            num_heads=1,
            head_dim=self.head_dim,
            seed=self.seed,
            device=self.device,
        )

    @property
    def opened_by(self) -> str:
        """Words of a title for what opens the gates."""
        if self.gates == "separators":
            return _("set by hand: open on {separators}", separators=self.separators)
        return translate(UNTRAINED if self.gates == "random" else GATES[self.gates])

    @cached_property
    def opens(self) -> list[int] | None:
        """Keys on which every gate is open; None where the gates read the scores."""
        return open_keys(self.attention.tokens.texts, self.gates, self.separators)

    @property
    def shut(self) -> float:
        """Gate on keys that do not open it."""
        return self.others if self.gates == "separators" else 0.0

    @cached_property
    def counted(self) -> Counted:
        """Gates and positions of every pair of tokens."""
        return count(self.attention, self.opens, self.shut, self.max_positions)

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the gates for a program."""
        of_text = {"ids": self.attention.tokens.ids, "opens": self.opens, "shut": self.shut}
        return of_text | screen.only(self, "head_dim", "seed")

    def quantity(self, values: Tensor, name: str, explain: Explain) -> Computed:
        """A matrix of queries and the keys that they see."""
        seen = values.masked_fill(self.counted.future, torch.nan)
        return live.quantity(seen, self.attention.tokens, name, signed=False, explain=explain)
