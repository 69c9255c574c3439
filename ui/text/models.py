"""Models of the live attention: trained ones, random projections, or no content at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import isqrt
from pathlib import Path

import streamlit as st
import torch

from lab.model.transformer import LanguageModel
from lab.training.checkpoints import DATA, load_checkpoint
from posenc import Learned, PositionalEncoding
from posenc.attention.masks import (
    causal_pairs,
    document_pairs,
    documents_of,
    prefix_pairs,
    window_pairs,
)
from posenc.attention.measures import attended_distance, attention_entropy
from posenc.attention.rows import COPIES, AttentionRows, Pairs
from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui.controls.device import synchronize
from ui.screen.layout import timed
from ui.text import live
from ui.text.survey import Survey, survey
from ui.text.tokens import Tokens

TRAINED, RANDOM, EMPTY = "trained", "random", "content_free"
MODELS = {
    TRAINED: say("trained on code"),
    RANDOM: say("random projections"),
    EMPTY: say("content-free"),
}
ABOUT_MODELS = {
    TRAINED: say(
        "This model has {layers} layers and {parameters:,} parameters (more where the encoding "
        "learns). It was trained on {millions} million bytes of Python's standard library with "
        "seed {seed}: see *Extrapolation, measured*.",
        layers=2,
        parameters=467_584,
        millions=1.4,
        seed=0,
    ),
    RANDOM: say(
        "No model is trained here. Embeddings and projections are random numbers from the seed: "
        "the content part has no meaning, the position part is the encoding's own."
    ),
    EMPTY: say(
        "There is no model and no content: all tokens have one random embedding, so that content "
        "scores are equal and whatever differs is the encoding."
    ),
}
MASKS = {
    "causal": say("causal"),
    "window": say("sliding window"),
    "prefix": say("prefix"),
    "documents": say("documents"),
    "none": say("none"),
}
LONGEST = 4096
MOST_PAIRS = 2**27
"""Pairs of tokens, in all layers and heads, that are read for one picture: some five seconds."""
DEARER = {"transformer_xl": 4, "t5": 2, "cope": 2}
"""How many times as long as others an encoding takes for a pair."""
FIRE = 16
"""Heads' worth of time that FIRE's network takes for every pair, whatever the heads."""
DOCUMENT_END = ("\n", ".", "0x0A")
"""Tokens that end a document under the mask of documents: a full stop or a line break."""


@dataclass(frozen=True)
class ToySettings(live.TextSettings):
    """Everything that the attention of these models depends on."""

    model: str
    """Id of one of `MODELS`."""
    mask: str
    """Id of one of `MASKS`."""
    reach: int
    """Tokens of the sliding window or of the prefix."""
    offset: int
    """Added to every position id."""

    @property
    def key(self) -> str:
        """The same for equal questions."""
        return repr(replace(self, tokens=Tokens([], self.tokens.ids)))


def trained_encodings() -> list[str]:
    """Encodings of which a trained model of code ships."""
    return [name for name in CATALOGUE if checkpoint_path(name).is_file()]


def checkpoint_path(encoding: str) -> Path:
    """Where the trained model of an encoding lies."""
    return DATA / f"text-{encoding}-s0.safetensors"


@st.cache_resource(max_entries=16, show_spinner=False)
def trained(encoding: str, device: str) -> LanguageModel:
    """The shipped model of an encoding, on a device.

    Raises:
        ValueError: If none ships, naming those that do.
    """
    if not checkpoint_path(encoding).is_file():
        titles: list[str] = [CATALOGUE[name].title for name in trained_encodings()]
        listed = reduce(lambda some, one: say("{some}, {one}", some=some, one=one), titles)
        raise ValueError(
            say(
                "No trained model with {encoding} ships. Choose one of {encodings}, or the model "
                "“{model}”.",
                encoding=CATALOGUE[encoding].title,
                encodings=listed,
                model=MODELS[RANDOM],
            )
        )
    return load_checkpoint(checkpoint_path(encoding)).model.to(device)


def check_table(encoding: PositionalEncoding, last: int) -> None:
    """Refuse a text that needs a row that a trained table of positions has not.

    Raises:
        ValueError: With the rows that it has.
    """
    if isinstance(encoding, Learned) and last >= len(encoding.table):
        raise ValueError(
            say(
                "The learned table has {rows} rows, one for each position of its training, and "
                "this text needs position {last}. Shorten the text or make the offset smaller.",
                rows=len(encoding.table),
                last=last,
            )
        )


def pairs_of(settings: ToySettings) -> Pairs | None:
    """Which queries may attend to which keys: the mask alone, or together with the causal one."""
    if settings.mask == "none":
        return None
    if settings.mask == "prefix":
        return partial(prefix_pairs, prefix=settings.reach)
    if settings.mask == "window":
        window = partial(window_pairs, window=settings.reach)
        return lambda q, k: causal_pairs(q, k) & window(q, k)
    if settings.mask == "documents":
        documents = torch.tensor(document_numbers(settings), device=settings.device)
        return lambda q, k: causal_pairs(q, k) & document_pairs(q, k, documents)
    return causal_pairs


def document_numbers(settings: ToySettings) -> list[int]:
    """The document that each token belongs to, from 0."""
    ends = torch.tensor([text in DOCUMENT_END for text in settings.tokens.texts])
    return documents_of(ends).tolist()


def even_spread(settings: ToySettings) -> dict[str, float]:
    """Mean entropy and distance of attention that is spread evenly over the allowed keys."""
    index = torch.arange(settings.length, device=settings.device)
    pairs = pairs_of(settings)
    entropy = distance = 0.0
    for rows in index.split(max(1, 2**22 // settings.length)):
        allowed = (
            pairs(rows, index)
            if pairs
            else torch.ones(len(rows), settings.length, dtype=torch.bool)
        )
        even = allowed.double() / allowed.sum(-1, keepdim=True)
        entropy += float(attention_entropy(even).sum())
        distance += float(attended_distance(even, rows, index).sum())
    return {"entropy": entropy / settings.length, "distance": distance / settings.length}


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs={ToySettings: lambda a: a.key})
def layers_of(settings: ToySettings) -> list[AttentionRows]:
    """The attention of every layer on the text.

    Raises:
        ValueError: If the text is too long, or the model does not exist or cannot take it.
    """
    longest = longest_text(settings)
    if settings.length > longest:
        raise ValueError(
            say(
                "The text has {tokens:,} tokens; with {encoding} and these heads, at most "
                "{longest:,} are read here. Shorten the text.",
                tokens=settings.length,
                encoding=CATALOGUE[settings.encoding].title,
                longest=longest,
            )
        )
    positions = torch.arange(settings.length, device=settings.device) + settings.offset
    pairs = pairs_of(settings)
    if settings.model == TRAINED:
        model = trained(settings.encoding, settings.device.type)
        ids = torch.tensor([settings.tokens.ids], device=settings.device)
        check_table(model.encoding, settings.length - 1 + settings.offset)
        return model.attentions(ids, positions, pairs)
    encoding = CATALOGUE[settings.encoding].build(live.shape(settings, settings.offset))
    tokens = settings.tokens.ids if settings.model == RANDOM else [0] * settings.length
    place = settings.seed, settings.device
    projections = live.projections(settings)
    return [live.random_attention(projections, encoding, tokens, *place, pairs, positions)]


def longest_text(settings: ToySettings) -> int:
    """Tokens whose pairs can be read within the budget of one picture."""
    layers, heads = (2, 4) if settings.model == TRAINED else (1, settings.num_heads)
    heads = heads * DEARER.get(settings.encoding, 1) + (FIRE if settings.encoding == "fire" else 0)
    return min(LONGEST, isqrt(MOST_PAIRS // (layers * heads)))


def bytes_of(settings: ToySettings) -> int:
    """Peak memory of reading a text, about: queries, keys, values, and a strip of rows; bytes."""
    heads, width = (4, 32) if settings.model == TRAINED else (settings.num_heads, settings.head_dim)
    return 4 * settings.length * (8 * heads * width + COPIES * heads * min(settings.length, 256))


@dataclass(frozen=True)
class Surveyed:
    """Every head of every layer at a glance, and what that took."""

    layers: list[Survey]
    milliseconds: float
    strip_bytes: int
    """Most bytes that one strip of rows needs."""


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs={ToySettings: lambda a: a.key})
def surveyed(settings: ToySettings, stage: str, _told: Callable[[float], None]) -> Surveyed:
    """Go once over all layers, heads and rows, telling the part that is done.

    A visitor who moves on meanwhile cancels it: after every strip the page may be left.
    """
    layers = layers_of(settings)
    found = []
    with timed() as watch:
        for number, layer in enumerate(layers):

            def show_progress(part: float, before: int = number) -> None:
                _told((before + part) / len(layers))

            found.append(survey(layer, stage, progress=show_progress))
        synchronize(settings.device)
    return Surveyed(found, watch.milliseconds, layers[0].strip_bytes)
