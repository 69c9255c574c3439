"""ExLlama: exllamav3 by fields of config.json, TabbyAPI over it, and exllamav2 by arguments."""

import math
import shlex
from dataclasses import replace

from advisor.data import Config
from advisor.engines.engine import Engine, EngineReading, Serving, Written, given_object
from advisor.engines.flags import changed
from advisor.engines.text import IN_CONFIG, as_json
from advisor.engines.transformers.write import to_hf_fragment
from advisor.facts import TRIED, dated
from advisor.fields import DECLARED, ORIGINAL
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

PAGE = 256
"""Tokens of which a cache is a multiple; another number ends the program."""
CACHE_TYPES = {"fp8": 8, "int8": 8, "q8_0": 8, "q4_0": 4}
"""Bits a number of the caches in `CACHE_BITS`; it has its own kind for each of 2 to 8 bits."""


def _write_v3(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields, whose lengths have YaRN's factor as their ratio."""
    check_scaling(config)
    told = longrope_notes(config)
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


def check_scaling(config: Config) -> None:
    """Refuse what it does not load.

    Raises:
        ValueError: For dynamic scaling.
    """
    if config.is_dynamic:
        raise ValueError("exllamav3 has no dynamic scaling: it refuses to load the file.")


def longrope_notes(config: Config) -> list[Sentence]:
    """Notes on behaviour that its fields cannot express."""
    if not config.is_scaled_by(LongRoPE):
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
    same = replace(new, engine=TRIED["exllamav3"].release)
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


URL = "http://localhost:5000"
LOOK = say("Under TabbyAPI, `/v1/model` names `max_seq_len`.")

EXLLAMAV3 = Engine(
    id="exllamav3",
    title="exllamav3",
    place=IN_CONFIG,
    versions=say(
        "It has no argument for base or factor. YaRN's factor is "
        "max_position_embeddings over the trained length, whatever factor says; linear and Llama-3 "
        "scaling take factor."
    ),
    sources=say(
        "{release}, exllamav3/util/rope.py and the classes in architecture/",
        release=TRIED["exllamav3"].dated,
    ),
    write=_write_v3,
    language="json",
    reading=reading,
    url=URL,
    look=LOOK,
)


def _write_tabby(config: Config, before: Config, serving: Serving) -> Written:
    """The lengths; everything else is in config.json."""
    check_scaling(config)
    notes = longrope_notes(config)
    first = ""
    if changed(config, before):
        first = say("Base and scaling have no setting: change config.json as for exllamav3.")
        notes.insert(0, first)
    length = serving.length_for(config)
    if length is None:
        return Written("", tuple(notes))
    size = -(-length * serving.batch // PAGE) * PAGE
    lines = ["model:", f"  max_seq_len: {length}", f"  cache_size: {size}"]
    bits = cache_bits(serving)
    lines += [] if bits is None else [f"  cache_mode: {bits},{bits}"]
    lines += [f"  max_batch_size: {serving.batch}"] if serving.batch > 1 else []
    return Written("\n".join(lines), tuple(notes), first=first)


TABBYAPI = Engine(
    id="tabbyapi",
    title="TabbyAPI",
    place=say("in config.yml"),
    versions=say(
        "Its rope_scale and rope_alpha do nothing: exllamav3, its only backend, is not given "
        "them ({dead}). Without cache_size a max_seq_len alone is enough; a cache_size below it "
        "cuts it down.",
        dead=dated("rope_alpha", "tabbyapi"),
    ),
    sources=say(
        "{release}, config_sample.yml and backends/exllamav3/model.py",
        release=TRIED["tabbyapi"].dated,
    ),
    write=_write_tabby,
    language="text",
    url=URL,
    look=LOOK,
)


def _write_v2(config: Config, before: Config, serving: Serving) -> Written:
    """--length, --rope_scale and --rope_alpha."""
    length = serving.length_for(config)
    words = [] if length is None else ["--length", str(length)]
    if not config.rotary:
        raise ValueError("exllamav2 has nothing to set: no layer of this model rotates.")
    if config.is_scaled_by(YaRN):
        raise ValueError(
            "exllamav2 has --rope_yarn, but places the ramp of YaRN at the length that it is run "
            "with, not at the trained one, so that it keeps other pairs."
        )
    if config.is_dynamic:
        raise ValueError("exllamav2 has no dynamic scaling.")
    if not changed(config, before):
        return Written(shlex.join(words))
    if len(config.rotary) != 1 or len(before.rotary) != 1:
        raise ValueError("exllamav2 has flags for all layers at once, and these differ.")
    (layer,), (old,) = config.rotary.values(), before.rotary.values()
    if layer.scaling is not None and not isinstance(layer.scaling, Linear):
        raise ValueError(
            f"exllamav2 has no flag for {layer.rope_type} scaling: it takes it from config.json, "
            "or not at all."
        )
    if old.scaling is not None and not isinstance(old.scaling, Linear):
        raise ValueError(
            f"exllamav2 applies the {old.rope_type} scaling of config.json beside its flags: "
            "change that file."
        )
    factor = getattr(layer.scaling, "factor", 1.0)
    if factor != getattr(old.scaling, "factor", 1.0):
        words += ["--rope_scale", f"{factor:.10g}"]
    if not math.isclose(layer.base, old.base, rel_tol=1e-12):
        # b' = b·α^(d/(d-2))
        power = (layer.rotary_dim - 2) / layer.rotary_dim
        words += ["--rope_alpha", f"{(layer.base / old.base) ** power:.10g}"]
    return Written(shlex.join(words))


EXLLAMAV2 = Engine(
    id="exllamav2",
    title="exllamav2",
    place=say("after python test_inference.py -m MODEL"),
    versions=say(
        "Archived; what was read is its last release. --rope_alpha multiplies the base "
        "of config.json. Llama-3 scaling and LongRoPE are read from config.json alone."
    ),
    sources=say("{release}, exllamav2/model_init.py and rope.py", release=TRIED["exllamav2"].dated),
    write=_write_v2,
    url=URL,
    look=LOOK,
)
