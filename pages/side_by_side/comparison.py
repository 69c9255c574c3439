"""Several encodings on the same text: what the side-by-side screen compares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from lab.model.encodings import encoding_for
from lab.spec import text_spec
from plots.looks import Look, look
from posenc import PositionalEncoding, RoPE, attend
from posenc.attention.masks import causal_pairs
from posenc.attention.measures import attention_entropy, mean_by_distance, share_from_distance
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.quantity.step import Step
from posenc.scaling import Scaling
from posenc.scaling.methods import Case, Method, Need, fitting
from posenc.words import say
from ui.screen.budget import leave_if_gone, seat
from ui.text import live
from ui.text import models as live_models
from ui.words import _, plural, translate

GIVEN: tuple[Need, ...] = ("trained",)
"""Arguments that a method is given here, besides its factor."""
LETTERS = "ABCD"
LAWS = {
    "rope": say("RoPE's score is a sum of waves."),
    "alibi": say("ALiBi's score falls in a straight line."),
    "t5": say("T5's score takes a number from a table for each bucket of distances."),
    "nope": say("NoPE's score is the same at every distance."),
}
"""How the score of one repeated word goes with the distance, by the name in the catalogue."""
TRAINED = text_spec("rope")
"""The sizes of the trained models, the same for all encodings."""
LONGEST_TRAINED = 8 * TRAINED.train_length


@dataclass(frozen=True)
class ComparisonSettings(live.AttentionSettings):
    """The text and projections that all contenders share."""

    layer: int | None = None
    """Layer of the trained models; None is random projections."""


@dataclass(frozen=True)
class Contender:
    title: str
    """Title that readers see."""
    entry: str
    """Name in the catalogue."""
    build: Callable[[ModelShape], PositionalEncoding]
    code: str
    """Code that builds it in a snippet, where `shape` is the model's."""
    scaling: Scaling | None
    look: Look


@dataclass(frozen=True)
class Compared:
    """One contender's attention in one head, on the CPU."""

    name: str
    """Letter and title."""
    contender: Contender
    stage: Tensor
    """The chosen stage (length, length), NaN where the mask forbids attention."""
    logits: Tensor
    """Scores before the softmax (length, length)."""
    weights: Tensor
    """Attention (length, length), 0 where the mask forbids it."""
    scores: Tensor
    """Mean logit at each distance to a past key (length,)."""
    attention: Tensor
    """Mean attention at each distance (length,)."""
    entropy: Tensor
    """Entropy of each query's attention, nats (length,)."""
    far: float
    """Share of attention on keys farther back than any in the models' training; NaN: none are."""


def titles() -> dict[str, str]:
    """Everything that can be compared, by id: the encodings, and RoPE under each method."""
    plain = {name: translate(entry.title) for name, entry in CATALOGUE.items()}
    scaled = {
        name: _("{encoding}, {method}", encoding=plain["rope"], method=method.title)
        for name, method in _methods().items()
    }
    return plain | scaled


def _methods() -> dict[str, Method]:
    """The methods that need no more than what is given here, by the id of RoPE under them."""
    return {f"rope_{m.id}": m for m in fitting(*GIVEN).values() if m.kind}


def contender(name: str, factor: float, trained: int) -> Contender:
    """One of `titles`; factor and trained length are those of the methods."""
    title = titles()[name]
    methods = _methods()
    if name not in methods:
        code = f'CATALOGUE["{name}"].build(shape)'
        return Contender(title, name, CATALOGUE[name].build, code, None, look(name))
    method = methods[name]
    scaling = method.scaling(Case(factor, trained))
    return Contender(
        title,
        "rope",
        lambda shape: RoPE(shape.head_dim, scaling=scaling),
        f"RoPE(shape.head_dim, scaling={scaling!r})",
        scaling,
        look(method.id),
    )


def compare(
    settings: ComparisonSettings, contenders: Sequence[Contender], stage: str, head: int
) -> list[Compared]:
    """Run one after the other, keeping of each what the pictures need.

    Raises:
        ValueError: If a size does not suit an encoding, memory forbids the length, or no trained
            model of an encoding ships.
    """
    compared = []
    for letter, one in zip(LETTERS, contenders, strict=False):
        matrix, logits, weights = run(settings, one, stage, head)
        compared.append(
            Compared(
                f"{letter} {one.title}",
                one,
                matrix,
                logits,
                weights,
                mean_by_distance(logits),
                mean_by_distance(weights),
                attention_entropy(weights),
                share_from_distance(weights, TRAINED.train_length),
            )
        )
    return compared


def run(
    settings: ComparisonSettings, one: Contender, stage: str, head: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The stage, the logits and the attention of a head, each float64 (length, length)."""
    strips = []
    with seat(live.memory_needed(replace(settings, encoding=one.entry))):
        attention = attention_rows(settings, one)
        for rows in attention.strips():
            leave_if_gone()
            trace = attention.trace(rows)
            stages = (stage, "logits", "weights")
            strips.append([attention.stage_of(trace, name, rows)[head] for name in stages])
    matrix, logits, weights = (
        torch.cat(parts).to("cpu", torch.float64) for parts in zip(*strips, strict=True)
    )
    return matrix, logits, weights.nan_to_num()  # what the mask forbids has no weight


def steps(
    settings: ComparisonSettings, one: Compared, stage: str, head: int
) -> Callable[[int, int], tuple[Step, ...]]:
    """From row and column to the steps of a stage of a head; its row is computed for it."""

    def explain(row: int, col: int) -> tuple[Step, ...]:
        rows = attention_rows(settings, one.contender)
        return AttentionStage(rows, stage, head, stage).steps(row, col)

    return explain


def attention_rows(settings: ComparisonSettings, one: Contender) -> AttentionRows:
    """The attention of an encoding, through the random projections or in its trained model.

    Raises:
        ValueError: If a size does not suit the encoding, the text is too long, or no trained model
            of the encoding ships.
    """
    if settings.layer is not None:
        return trained_attention(settings, one)
    live.check_length(replace(settings, encoding=one.entry))
    return live.attention(settings, one.build(live.shape(settings)))


def trained_attention(settings: ComparisonSettings, one: Contender) -> AttentionRows:
    """One layer of the trained model of an encoding, its RoPE scaled as the contender is."""
    if settings.length > LONGEST_TRAINED:
        raise ValueError(
            say(
                "The text has {length:,} bytes; trained models are compared on at most "
                "{longest:,}. Shorten the text.",
                length=settings.length,
                longest=LONGEST_TRAINED,
            )
        )
    model = live_models.trained(one.entry, settings.device.type)
    live_models.check_table(model.encoding, settings.length - 1)
    encoding = encoding_for(model.encoding, settings.length, 0, one.scaling).to(settings.device)
    ids = torch.tensor([settings.tokens.ids], device=settings.device)
    pairs = causal_pairs if settings.causal else None
    layers = model.with_encoding(encoding).attentions(ids, pairs=pairs)
    return layers[settings.layer or 0]


def attention_of(
    settings: ComparisonSettings, one: Contender
) -> tuple[Callable[[], Tensor], PositionalEncoding]:
    """Function that runs from embeddings with positions to the output, and the encoding."""
    rows = live.attention(settings, one.build(live.shape(settings)))
    x = live.projections(settings).embed(settings.tokens.ids).to(rows.q)
    positions = torch.arange(settings.length, device=settings.device)

    @torch.no_grad()
    def work() -> Tensor:
        rows.encoding.embed(x, positions)
        mask: Literal["causal"] | None = "causal" if settings.causal else None
        return attend(rows.q, rows.k, rows.v, rows.encoding, mask=mask)

    return work, rows.encoding


def what_to_see(settings: ComparisonSettings, contenders: Sequence[Contender]) -> str:
    """Sentences on what makes the scores of untrained projections what they are; "" of trained."""
    if settings.layer is not None:
        return ""
    said = [
        _(
            "The words' queries and keys are random here. The example *One word* leaves what "
            "position does."
        )
    ]
    if len(set(settings.tokens.ids)) == 1:
        entries = dict.fromkeys(one.entry for one in contenders)
        laws = [translate(LAWS[name]) for name in entries if name in LAWS]
        said = [_("One word, repeated: only position makes a difference."), *laws]
    shape = live.shape(settings)
    learned = [one.title for one in contenders if [*one.build(shape).parameters()]]
    if learned:
        said.append(_("What training would set is random here: {names}.", names=", ".join(learned)))
    return " ".join(said)


def caption(settings: ComparisonSettings) -> str:
    """Sentence on which parts are random and which are trained."""
    if settings.layer is not None:
        return _(
            "{length:,} bytes, layer {layer}. Every encoding has a model of its own here, "
            "trained on Python code at {trained} bytes, with its own queries and keys: a "
            "difference also shows what training made of the encoding. RoPE with and without a "
            "scaling has the same weights.",
            length=settings.length,
            layer=settings.layer,
            trained=TRAINED.train_length,
        )
    return plural(
        "{count:,} token. No model is trained here: embeddings, projections and learned tables "
        "are random numbers from one seed, the same for all.",
        "{count:,} tokens. No model is trained here: embeddings, projections and learned "
        "tables are random numbers from one seed, the same for all.",
        settings.length,
    )
