"""Data of the picture of Measured: losses of a real model, one sentence by token, and keys."""

import math

from course.chapters.data import language_model, rounded
from models.forward import forward
from models.measuring.passkey import FILLER, KEY_TEXT, QUESTION, Quiz, quiz
from models.opened import Model
from models.results import losses, tables
from models.results.tables import Way

SENTENCE = "It is a truth universally acknowledged, that a single man in possession of"
"""Jane Austen, Pride and Prejudice: how one of the six texts begins."""
WAYS = {
    "none": tables.PLAIN,
    "window": tables.SLIDE,
    "linear": Way("linear", 4.0),
    "ntk": Way("ntk", 4.0),
    "yarn": Way("yarn", 4.0),
    "yarn2": Way("yarn", 2.0),
}
ASKED = ("none", "linear", "ntk", "yarn")
"""Ways in which keys were asked for."""
LENGTHS = (8192, 16384, 32768)
"""Tokens of the texts with keys."""
TEXTS = 3


def data() -> dict[str, object]:
    """Bits per token by thousand and by half, a sentence token by token, and which keys were found.

    Returns:
        `bits`: by way, in each thousand, mean over the texts; `levels` up to the trained length and
        beyond. `each`: by way, of every text what `bits` are of all. `sentence`: tokens,
        their bits, the likeliest in their place, its bits.
    """
    data = tables.load()
    trained = data.about.trained
    length = tables.usual_length(data.losses)
    bits = losses.bits(data, length, list(WAYS.values()))
    model = language_model()
    return {
        "trained": trained,
        "length": length,
        "texts": list(bits.texts),
        "places": bits.middle.tolist(),
        "bits": {name: rounded(bits.of[way].mean(0), 3) for name, way in WAYS.items()},
        "levels": {
            name: [
                round(float(bits.between(way, *ends).mean()), 3)
                for ends in ((0, trained), (trained, length))
            ]
            for name, way in WAYS.items()
        },
        "each": {
            name: [[round(float(one), 2) for one in text] for text in bits.of[WAYS[name]]]
            for name in ASKED
        },
        "sentence": _sentence(model),
        "filler": [_word(model, token) for token in model.tokens(FILLER).ids],
        "key": KEY_TEXT.strip(),
        "question": QUESTION.strip(),
        "asked": [_told(model, quiz(model, LENGTHS[0], number)) for number in range(TEXTS)],
        "keys": {str(length): _keys(model, data, length) for length in LENGTHS},
    }


def _word(model: Model, token: int) -> str:
    return str(model.vocabulary.tokenizer.decode([token]))


def _sentence(model: Model) -> list[list[str | float]]:
    ids = list(model.tokens(SENTENCE).ids)
    seen = forward(model, ids)
    read: list[list[str | float]] = [[_word(model, ids[0])]]
    for place, token in enumerate(ids[1:]):
        shares = seen.probabilities(place)
        ((likeliest, most),) = seen.next_tokens(1, place)
        own, its = (round(-math.log2(float(share)), 2) for share in (shares[token], most))
        read.append([_word(model, token), own, _word(model, likeliest), its])
    return read


def _told(model: Model, asked: Quiz) -> list[list[str]]:
    """Names and numbers, in the order of the text."""
    answers = zip(asked.names, asked.questions, asked.answers, strict=True)
    decode = model.vocabulary.tokenizer.decode
    return [[name, decode(ids[-count:]).strip()] for name, ids, count in answers]


def _keys(model: Model, data: tables.Measured, length: int) -> dict[str, object]:
    """Where each key begins, which token of the filler comes after it, and what was found."""
    places, filler = _places(model, quiz(model, length, 0))
    found: dict[str, dict[str, str]] = {}
    for row in data.passkeys:
        name = next((name for name in ASKED if WAYS[name] == tables.way(row)), "")
        if name and int(row["length"]) == length:
            texts = found.setdefault(name, {})
            texts[str(row["text"])] = texts.get(str(row["text"]), "") + str(row["right"])
    return {
        "places": places,
        "filler": filler,
        "found": {name: list(texts.values()) for name, texts in found.items()},
    }


def _places(model: Model, asked: Quiz) -> tuple[list[int], list[int]]:
    """Where each key begins, and which token of the filler comes after it."""
    encode = model.vocabulary.tokenizer.encode
    size = len(model.tokens(FILLER).ids)
    before = 0
    places = []
    filler = []
    for name, number in _told(model, asked):
        ids = encode(KEY_TEXT.format(name=name, number=number), add_special_tokens=False).ids
        starts = range(before, len(asked.context))
        place = next(at for at in starts if asked.context[at : at + len(ids)] == ids)
        places.append(place)
        filler.append((place - before) % size)
        before += len(ids)
    return places, filler
