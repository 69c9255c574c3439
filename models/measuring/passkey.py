"""Ten named keys in a long text of filler, each asked for: what of a long text can still be found.

The text is read once for all ten questions: every question stands right behind it, at the same
positions, and sees the text and itself but no other question. Filler and question follow Mohtashami
and Jaggi 2023, section 4.2, arXiv:2305.16300, with names added, so that one text asks ten times.
"""

import random
import time
from dataclasses import dataclass

import torch
from torch import Tensor

from models.change import Change
from models.measuring.table import MEASURED, Row, measured, tables
from models.opened import Model
from models.running import Running, running
from posenc.attention.formula import attend
from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows

NAMES = ("Alice", "Ben", "Clara", "David", "Emma", "Frank", "Grace", "Henry", "Jane", "Thomas")
FILLER = (
    " The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again."
)
KEY_TEXT = " Remember this pass key: {name} {number}. Again, the pass key: {name} {number}."
QUESTION = " What was the pass key of {name}? The pass key: {name}"
"""The name stands right before the number: of "of {name} is {number}", a model of 135 million
parameters finds 4 in 10 within 1,024 tokens; of this, 10 in 10. What positions cost shows only
where the question itself is easy."""
DIGITS = 5
CHANCE = 10.0**-DIGITS
"""Chance of a number guessed at random. One of the ten keys at random is right once in ten."""
COLUMNS = {
    "model": str,
    "method": str,
    "factor": float,
    "length": int,
    "text": int,
    "depth": float,
    "name": str,
    "right": int,
    "chance": float,
} | MEASURED
"""A row: one question. Text is the number of the text; depth is where in it the key begins, from
0 to 1; right is 1 where every token of the key was the most likely one, else 0."""
KEY = ("model", "method", "factor", "length", "text")
FILE = "passkeys.csv"
table = tables(FILE, COLUMNS, KEY)
"""Keys that were asked for, in a folder."""


@dataclass(frozen=True)
class Quiz:
    """A text with keys, and what is asked behind it.

    Args:
        names: Whose keys, in the order of the text.
        context: Tokens of the text.
        questions: Tokens of each question, its answer included.
        answers: How many of them, at the end, are the answer.
        depths: Where each key begins, as a part of the text.
    """

    names: list[str]
    context: list[int]
    questions: list[list[int]]
    answers: list[int]
    depths: list[float]


def quiz(model: Model, length: int, number: int) -> Quiz:
    """A text with ten keys, evenly spread, so long that no question ends behind `length`.

    Args:
        model: Whose tokens.
        length: Tokens of the text with its longest question.
        number: Of the text: another has other keys in another order.

    Raises:
        ValueError: If ten keys do not fit into the length.
    """
    rng = random.Random(number)
    names = rng.sample(NAMES, len(NAMES))
    keys = [f"{rng.randrange(10 ** (DIGITS - 1), 10**DIGITS)}" for _ in names]

    def cut(text: str) -> list[int]:
        return model.vocabulary.tokenizer.encode(text, add_special_tokens=False).ids

    sentences = [
        cut(KEY_TEXT.format(name=name, number=key)) for name, key in zip(names, keys, strict=True)
    ]
    asked = [cut(QUESTION.format(name=name)) for name in names]
    both = [
        cut(QUESTION.format(name=name) + f" {key}") for name, key in zip(names, keys, strict=True)
    ]
    start = model.tokens("").ids
    filler = cut(FILLER)
    room = length - max(map(len, both)) - len(start) - sum(map(len, sentences))
    if room < 0:
        raise ValueError(
            f"Ten keys and a question take {length - room:,} tokens; {length:,} are too few."
        )
    context = list(start)
    depths = []
    used = 0
    for place, sentence in enumerate(sentences):
        end = room * place // len(sentences)
        context += [filler[i % len(filler)] for i in range(used, end)]
        depths.append(len(context))
        context += sentence
        used = end
    context += [filler[i % len(filler)] for i in range(used, room)]
    answers = [len(b) - len(a) for a, b in zip(asked, both, strict=True)]
    return Quiz(
        names=names,
        context=context,
        questions=both,
        answers=answers,
        depths=[round(at / len(context), 4) for at in depths],
    )


@torch.inference_mode()
def answered(model: Model, asked: Quiz, change: Change) -> list[bool]:
    """For each question, whether every token of its answer is the most likely one.

    Args:
        model: The model.
        asked: The text and its questions.
        change: How it is read.

    Raises:
        ValueError: If a layer of the model does not see all of the past, or its head caps scores.
    """
    before = len(asked.context)
    lengths = [len(question) for question in asked.questions]
    ids = [*asked.context, *(token for question in asked.questions for token in question)]
    positions = torch.cat([torch.arange(before), *(before + torch.arange(n) for n in lengths)])
    spans = [(before + sum(lengths[:i]), n) for i, n in enumerate(lengths)]

    def attention(index: int, rows: AttentionRows) -> Tensor:
        return _attended(rows, before, spans)

    if model.family.word_positions or model.family.masked or not model.rotates:
        raise ValueError(f"{model.title} does not rotate: no keys can be asked for.")
    encodings = tuple(
        change.encoding(model.layer(index), index, model.heads)
        for index in range(len(model.layers))
    )
    with running(Running(encodings, positions.to(model.device), attention)):
        hidden = model.base(
            torch.tensor([ids], device=model.device), use_cache=False
        ).last_hidden_state
    right = []
    for (start, count), answer in zip(spans, asked.answers, strict=True):
        first = start + count - answer
        likely = model.logits(hidden[:, first - 1 : first + answer - 1])[0].argmax(-1)
        right.append(likely.tolist() == ids[first : first + answer])
    return right


def _attended(rows: AttentionRows, before: int, spans: list[tuple[int, int]]) -> Tensor:
    """The attention's output: of the text by itself, then of each question behind it."""
    if rows.pairs is not causal_pairs or rows.softcap:
        raise ValueError(
            "Keys can be asked for where every layer sees all of the past; this model has layers "
            "with a window or with capped scores."
        )
    q, k = rows.rotated
    own = rows.positions if rows.positions is not None else torch.arange(rows.length)

    def part(queries: slice, keys: Tensor) -> Tensor:
        return attend(
            q[..., queries, :],
            k[..., keys, :],
            rows.v[..., keys, :],
            rows.encoding,
            mask="causal",
            q_positions=own[queries],
            k_positions=own[keys],
            scale=rows.scale,
            rotated=True,
        )

    text = torch.arange(before, device=q.device)
    outputs = [part(slice(0, before), text)]
    for start, count in spans:
        question = torch.arange(start, start + count, device=q.device)
        outputs.append(part(slice(start, start + count), torch.cat((text, question))))
    return torch.cat(outputs, dim=-2)


def passkey_rows(model: Model, length: int, number: int, method: str, factor: float) -> list[Row]:
    """Ask for the ten keys of one text under one method: a row for each.

    Raises:
        ValueError: If the keys do not fit, or the model cannot be read so.
    """
    begin = time.perf_counter()
    asked = quiz(model, length, number)
    right = answered(model, asked, Change(method=method, factor=factor))
    same = measured(
        model, begin, method=method, factor=factor, length=length, text=number, chance=CHANCE
    )
    answers = zip(asked.depths, asked.names, right, strict=True)
    return [same | {"depth": at, "name": name, "right": int(ok)} for at, name, ok in answers]


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    return f"{sum(int(row['right']) for row in rows)} of {len(rows)} keys"
