"""CoPE on typed text: which gates open, and the positions that they count."""

from dataclasses import dataclass

import pandas as pd
import torch
from torch import Tensor

from posenc import CoPE, cope_gates, cope_positions, relative_position
from posenc.cope.interpolation import CoPEInterpolation
from posenc.cope.steps import cope_gate_steps, cope_position_steps, cope_score_steps
from posenc.quantity.step import Step
from posenc.random_model import randomise
from posenc.study import cope_interpolation
from ui.text import live
from ui.text.tokens import Tokens, places_of


@dataclass(frozen=True)
class Counted:
    """CoPE on one text: everything (length, length) but the query and the table."""

    scores: Tensor
    """q·k / √d, -inf where the key is in the future."""
    gate_logits: Tensor
    positions: Tensor
    uncapped: Tensor
    query: Tensor
    """(length, head_dim)."""
    cope: CoPE
    milliseconds: float

    @property
    def future(self) -> Tensor:
        """True where the mask forbids attention."""
        return self.scores == -torch.inf

    def gate_steps(self, query: int, key: int) -> tuple[Step, ...]:
        """From the score of a pair to its gate."""
        return cope_gate_steps(self.gate_logits[query], query, key)

    def position_steps(self, query: int, key: int) -> tuple[Step, ...]:
        """From the gates of one query to the position of one key."""
        return cope_position_steps(self.gate_logits[query], self.cope.max_positions, query, key)

    def score_steps(self, query: int, key: int) -> tuple[Step, ...]:
        pair = query, key
        score = self.scores[pair].item()
        position = self.positions[pair]
        return cope_score_steps(self.cope, self.query[query], score, position, *pair)

    def row(self, query: int) -> CoPEInterpolation:
        """The steps from position to logit for every key that one query sees."""
        return cope_interpolation(
            self.query[query : query + 1],
            self.positions[query : query + 1, : query + 1],
            self.cope.embedding,
        )


def open_keys(texts: list[str], gates: str, separators: str) -> list[int] | None:
    """Keys on which every gate is open; None where the gates read the scores."""
    if gates == "random":
        return None
    if gates == "separators":
        return places_of(separators, texts)
    return list(range(len(texts))) if gates == "open" else []


def count(
    settings: live.AttentionSettings, opens: list[int] | None, shut: float, max_positions: int
) -> Counted:
    """Gates and positions of every pair of tokens; gates are `shut`, and 1 less that on `opens`."""
    result = live.run(settings)
    scores = result.trace.masked[0, 0]
    gate_logits = scores
    if opens is not None:
        by_key = torch.full_like(scores[0], shut)
        by_key[opens] = 1 - shut
        gate_logits = by_key.logit().masked_fill(scores == -torch.inf, -torch.inf)
    cope = CoPE(settings.head_dim, max_positions)
    randomise(cope, settings.seed).to(scores)
    return Counted(
        scores=scores,
        gate_logits=gate_logits,
        positions=cope_positions(gate_logits, max_positions),
        uncapped=cope_positions(gate_logits, settings.length + 1),
        query=result.trace.q[0, 0],
        cope=cope.requires_grad_(False),
        milliseconds=result.milliseconds,
    )


def plain_positions(counted: Counted) -> Tensor:
    """Positions i − j + 1: what CoPE counts when every gate is open."""
    places = torch.arange(len(counted.scores), device=counted.scores.device)
    return (1 - relative_position(places, places)).to(counted.scores.dtype)


def row_table(tokens: Tokens, counted: Counted, query: int) -> pd.DataFrame:
    """Every step of one row by its name there, a line for each key that the query sees."""
    steps = counted.row(query)
    seen = slice(0, query + 1)
    columns = {
        "content": counted.scores[query, seen],
        "gate": cope_gates(counted.gate_logits)[query, seen],
        "plain": plain_positions(counted)[query, seen],
        "sum": counted.uncapped[query, seen],
        "position": counted.positions[query, seen],
        "low": steps.low[0],
        "high": steps.high[0],
        "weight": steps.weight[0],
        "z_low": steps.z_low[0],
        "z_high": steps.z_high[0],
        "logit": steps.logits[0],
        "score": counted.scores[query, seen] + steps.logits[0] * counted.cope.scale,
    }
    table = pd.DataFrame({name: values.cpu().numpy() for name, values in columns.items()})
    table.insert(0, "token", tokens.texts[seen])
    return table
