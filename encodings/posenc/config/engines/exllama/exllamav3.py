"""exllamav3: fields of config.json."""

from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.reading import EngineReading, given_object
from posenc.config.engines.text import as_json
from posenc.config.engines.transformers.write import to_hf_fragment
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields, whose lengths have YaRN's factor as their ratio."""
    notes: list[str] = []
    for layer in config.rotary.values():
        if isinstance(layer.scaling, DynamicNTK):
            raise ValueError(say("exllamav3 has no dynamic scaling: it refuses to load the file."))
        if isinstance(layer.scaling, LongRoPE):
            notes.append(
                say(
                    "exllamav3 takes LongRoPE's list by max_position_embeddings, not by the text, "
                    "and its factor from the two lengths."
                )
            )
    if config.reach is not None:
        notes.append(
            say("Give the cache that many tokens: --cache_size {length}.", length=config.reach)
        )
    return Written(as_json(to_hf_fragment(config, "old")), tuple(notes))


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but YaRN's factor is the ratio of the lengths, as in transformers 4.51."""
    same = replace(new, engine="exllamav3 1.4")
    layer, given = config.rotary[layer_type], given_object(config, layer_type)
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
        "Run in 1.4.1 (August 2026). It has no argument for base or factor. YaRN's factor is "
        "max_position_embeddings over the trained length, whatever factor says; linear and Llama-3 "
        "scaling take factor."
    ),
    sources=say("exllamav3 1.4.1 of 2026-08-08, exllamav3/util/rope.py"),
    write=write,
    language="json",
    reading=reading,
)
