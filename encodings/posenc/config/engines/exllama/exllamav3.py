"""exllamav3: fields of config.json."""

import shlex
from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, EngineReading, Serving, Written, given_object
from posenc.config.engines.text import as_json
from posenc.config.engines.transformers.write import to_hf_fragment
from posenc.config.facts import tried
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

PAGE = 256
"""Tokens of which a cache is a multiple; another number ends the program."""
CACHE_TYPES = {"fp8": 8, "int8": 8, "q8_0": 8, "q4_0": 4}
"""Bits a number of the caches in `CACHE_BITS`; it has its own kind for each of 2 to 8 bits."""


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields, whose lengths have YaRN's factor as their ratio."""
    check(config)
    told = notes(config)
    length = serving.length_for(config)
    if length is not None:
        size = -(-length * serving.batch // PAGE) * PAGE
        bits = cache_bits(serving)
        quant = [] if bits is None else ["--cache_quant", str(bits)]
        told.append(
            say(
                "For {length} tokens give its programs a cache in whole pages of 256: {words}.",
                length=length,
                words=shlex.join(["--cache_size", str(size), *quant]),
            )
        )
    return Written(as_json(to_hf_fragment(config, "old")), tuple(told))


def check(config: Config) -> None:
    """Refuse what it does not load.

    Raises:
        ValueError: For dynamic scaling.
    """
    if config.is_dynamic:
        raise ValueError("exllamav3 has no dynamic scaling: it refuses to load the file.")


def notes(config: Config) -> list[Sentence]:
    """Notes on behaviour that its fields cannot express."""
    if not any(isinstance(layer.scaling, LongRoPE) for layer in config.rotary.values()):
        return []
    return [
        say(
            "exllamav3 takes LongRoPE's list by max_position_embeddings, not by the text, and its "
            "factor from the two lengths."
        )
    ]


def cache_bits(serving: Serving) -> int | None:
    """Bits of a number in the cache; None for its own choice, 16."""
    return CACHE_TYPES.get(serving.cache_kind)


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but YaRN's factor is the ratio of the lengths, as in transformers 4.51."""
    same = replace(new, engine=tried()["exllamav3"].release)
    layer = config.rotary[layer_type]
    given = given_object(config, layer_type)
    if isinstance(layer.scaling, DynamicNTK):
        return replace(same, factor=None, factor_from=say("exllamav3 has no dynamic scaling"))
    own = given.integer(ORIGINAL, 1)
    if not isinstance(layer.scaling, YaRN) or layer.max_length is None or own is None:
        return same
    return replace(
        same,
        factor=layer.max_length / own,
        factor_from=say(
            "{declared} / {original}, whatever factor says",
            declared=config.text.own_name(DECLARED),
            original=ORIGINAL,
        ),
    )


EXLLAMAV3 = Engine(
    id="exllamav3",
    title="exllamav3",
    place=say("in config.json, in place of rope_theta, rope_scaling and rope_parameters"),
    versions=say(
        "It has no argument for base or factor. YaRN's factor is "
        "max_position_embeddings over the trained length, whatever factor says; linear and Llama-3 "
        "scaling take factor."
    ),
    sources=say(
        "{release}, exllamav3/util/rope.py and the classes in architecture/",
        release=tried()["exllamav3"].dated,
    ),
    write=write,
    language="json",
    reading=reading,
)
