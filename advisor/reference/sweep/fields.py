"""Fields about positions that transformers' classes ask of a configuration, and which part asks.

python -m reference.sweep.fields writes advisor/advisor/families/fields_read.json. A tiny model of
each class, without trained weights, has a configuration that notes who asks it for which field: as
the model is built, in one pass, and while it decodes with its cache. "model" are the fields that
its own code and the masks ask for, "cache" those that the cache alone asks for. A field that the
configuration's class turns into one of these is read as well.
"""

import contextlib
import copy
import dataclasses
import inspect
import json
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig

from advisor.families import rotary
from advisor.families.classes import default, is_class, quiet
from advisor.families.fields_read import is_positional
from advisor.memory.sizes import class_defaults
from reference.sweep.classes import model_classes
from reference.sweep.judge import MORE, check_size
from reference.sweep.tiny import shrunk

FILE = Path(__file__).resolve().parents[2] / "advisor/families/fields_read.json"
LIBRARY = str(Path(transformers.__file__).parent)
CACHE = ("cache_utils.py",)
# Which objects of rope_parameters are meant is worked out with it, whatever the layers are.
BY_LABEL = ("layer_types", "modeling_rope_utils.py")
# They ask on behalf of every class, whatever it does with the answer.
OF_ALL = ("configuration_utils.py", "utils/", "integrations/", "generation/")
# Fields that shared code asks for whether a class declares them or not.
UNDECLARED = {
    *("layer_types", "sliding_window", "attention_chunk_size"),
    "original_max_position_embeddings",
}
TAKEN = re.compile(r"""(?:pop|get|attr)\(\s*(?:\w+,\s*)?["'](\w+)["']""")
SMALLER: dict[str, dict[str, Any]] = {
    "codegen": {"n_layer": 2},
    "gptj": {"n_layer": 2},
    "dbrx": {"attn_config": {"clip_qkv": 8.0, "kv_n_heads": 2, "rope_theta": 500000.0}},
    "dots3_note_text": {
        "num_key_value_heads": 4,
        "per_layer_config": {
            i: {"num_attention_heads": 4, "num_key_value_heads": 4, "kv_lora_rank": 16}
            | {"qk_nope_head_dim": 192}
            for i in (2, 3, 4, 6, 7, 8, 10, 11)
        },
    },
    "diffusion_gemma_text": {"num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 16},
    "gemma3n_text": {"num_hidden_layers": 12, "intermediate_size": [32] * 12},
    "gradium_phonon_tts": {"flow_head_config": {"hidden_size": 64, "condition_dim": 256}},
    "pocket_tts": {"flow_head_config": {"hidden_size": 64, "condition_dim": 256}},
    "hrm_text": {"num_hidden_layers": 2, "num_layers_per_stack": None},
    "hunyuan_vl_text": {
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [16] * 4}
    },
    "qwen4_exp_text": {
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 256,
        "indexer_budget": 8,
        "indexer_compress_ratio": 2,
    },
    "t5gemma2_decoder": {"dropout_rate": 0.0},
    "t5gemma2_text": {"dropout_rate": 0.0},
    "zamba2": {"mamba_headdim": 160, "attention_hidden_size": 1280},
}
"""What a class needs besides to be run here: heads that cannot be made narrow, sizes left open."""
NOT_RUN = {
    "blt": "its class asks its configuration for a number of layers that only its parts have",
    "blt_local_decoder": "it needs patches of the model around it",
    "blt_local_encoder": "it needs patches of the model around it",
    "idefics": "it needs a picture",
    "muse_glimmer_assistant": "it needs states of the model that it drafts for",
    "t5_gemma_module": "no model is made of it alone",
    "t5gemma2_decoder": "it needs states of its encoder",
    "voxtral_realtime_text": "the model that is named for it is not there",
}
"""Classes that are not observed, and why."""
TOKENS = 12
WINDOW = 4
YARN: dict[str, Any] = {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 64}
WINDOWED: dict[str, Any] = {
    "sliding_window": WINDOW,
    "use_sliding_window": True,
    "max_window_layers": 1,
}
SCALED: dict[str, Any] = {"rope_scaling": YARN}
BESIDE: tuple[dict[str, Any], ...] = ({}, WINDOWED, SCALED)
"""What else a file says: a field may act with a switch or a scaling alone."""
TRIED: tuple[Any, ...] = (0.25, 2, 4, 2048, True, False, "nope", "LG", "M*", YARN)
"""Values with which a field may change what a class makes of a file."""
LISTED: tuple[Any, ...] = ([1], [0], *([one] for one in ("full_attention", "sliding_attention")))


def noting(config: PreTrainedConfig, asked: dict[str, set[str]]) -> None:
    """Let a configuration note who asks for a field: the module within transformers."""
    kind = type(config)

    class Noting(kind):  # type: ignore[misc, valid-type]
        def __getattribute__(self, name: str) -> Any:
            who = sys._getframe(1).f_code.co_filename
            if not name.startswith("_") and who.startswith(LIBRARY):
                own = kind.attribute_map.get(name, name)
                asked.setdefault(own, set()).add(who[len(LIBRARY) + 1 :])
            return super().__getattribute__(name)

    for name in ("__name__", "__qualname__", "__module__"):
        setattr(Noting, name, getattr(kind, name))
    config.__class__ = Noting


def asked_of(config: PreTrainedConfig) -> dict[str, set[str]]:
    """Who asked for which field while a model was made, run, and run on with its cache.

    Raises:
        Exception: If no model can be made of the configuration, or none runs.
    """
    kind = type(config)
    asked: dict[str, set[str]] = {}
    refused: Exception | None = None
    for model_class in model_classes(config):
        try:
            check_size(model_class, config)
            asked.clear()
            noting(config, asked)
            decoded(model_class, config)
            return asked
        except Exception as error:
            refused = refused or error
        finally:
            config.__class__ = kind
    raise refused or ValueError("There is no model of this class alone.")


def decoded(model_class: Any, config: PreTrainedConfig) -> None:
    """One pass without a cache, one that fills it, and one token more where there is one.

    Given are tokens, tokens of several codebooks, or vectors in their place: what the model takes.
    """
    config._attn_implementation = "eager"
    config._experts_implementation = "eager"
    model = model_class(config).eval()
    is_pair = getattr(config, "is_encoder_decoder", False)
    names = ["input_ids", *(["decoder_input_ids"] if is_pair else [])]
    books = [config.num_codebooks] if getattr(config, "num_codebooks", None) else []
    ways = [(names, torch.ones(1, TOKENS, dtype=torch.long))]
    ways += [
        (names, torch.ones(1, TOKENS, more, dtype=torch.long)) for n in books for more in (n, n + 1)
    ]
    if isinstance(getattr(config, "hidden_size", None), int):
        ways.append((["inputs_embeds"], torch.ones(1, TOKENS, config.hidden_size)))
    refused: Exception | None = None
    with torch.no_grad():
        for names, tokens in ways:
            try:
                model(**dict.fromkeys(names, tokens))
                break
            except Exception as error:
                refused = refused or error
        else:
            raise refused or ValueError
        if not hasattr(config, "use_cache"):
            return
        filled = model(**dict.fromkeys(names, tokens), use_cache=True)
        if getattr(filled, "past_key_values", None) is None:
            return  # it reads a text at once, or keeps a state of its own
        one = dict.fromkeys(names, tokens[:, :1])
        model(**one, past_key_values=filled.past_key_values, use_cache=True)


def scenes(model_type: str) -> Iterator[PreTrainedConfig]:
    """Tiny configurations of a class: its own, one with a window, and one that is scaled."""
    usual, said = default(model_type), MORE.get(model_type, {}) | SMALLER.get(model_type, {})
    yield shrunk(usual, said)
    declared = {one.name for one in dataclasses.fields(type(usual))}
    windowed = {name: value for name, value in WINDOWED.items() if name in declared}
    if windowed and "layer_types" in declared:
        windowed["layer_types"] = None
    for more in (windowed, SCALED if "rope_parameters" in declared else {}):
        if more:
            with contextlib.suppress(Exception):  # the class does not take such a file
                yield shrunk(usual, {**said, **copy.deepcopy(more)})


def observed(model_type: str) -> dict[str, list[str]] | None:
    """A class's row; None where no tiny model of it runs."""
    asked: dict[str, set[str]] = {}
    for config in scenes(model_type):
        try:
            for name, who in asked_of(config).items():
                asked.setdefault(name, set()).update(who)
        except Exception as error:
            print(model_type, repr(error)[:200], flush=True)
    if not asked:
        return None
    fields = set(default(model_type).to_dict()) | UNDECLARED
    own = {
        name: {one for one in who if not one.startswith(OF_ALL) and (name, one) != BY_LABEL}
        for name, who in asked.items()
        if name in fields
    }
    model = {name for name, who in own.items() if who - {*CACHE}}
    model |= {name for name in mentioned(model_type) - model if is_turned(model_type, name, model)}
    cache = {name for name, who in own.items() if who and name not in model}
    # A file may have a field under the common name as well.
    for name, its_own in CONFIG_MAPPING[model_type].attribute_map.items():
        model |= {name} if its_own in model else set()
        cache |= {name} if its_own in cache else set()
    return {
        "model": sorted(filter(is_positional, model)),
        "cache": sorted(filter(is_positional, cache)),
    }


def mentioned(model_type: str) -> set[str]:
    """Fields about positions that the class of a configuration names in its code."""
    kinds = [
        one
        for one in CONFIG_MAPPING[model_type].__mro__
        if one.__module__.startswith("transformers.")
    ]
    found = {name for one in kinds for name in getattr(one, "attribute_map", {})}
    found |= {name for one in kinds for name in vars(one).get("__annotations__", {})}
    for one in kinds:
        found |= set(TAKEN.findall(inspect.getsource(one)))
    return {name for name in found if is_positional(name) and not name.startswith("_")}


def is_turned(model_type: str, name: str, asked: set[str]) -> bool:
    """Whether the class makes something that is asked for of this field."""
    listed = LISTED if re.search("types|layers|pattern|theta", name) else ()
    values = listed if name == "layer_types" else (*TRIED, *listed)
    for beside in BESIDE:
        fields = {**MORE.get(model_type, {}), "num_hidden_layers": 2, **beside}
        without = made(model_type, fields, name)
        for value in values if without is not None else ():
            given = value * 2 if isinstance(value, list) else value
            found = made(model_type, {**fields, name: given}, name)
            if found is not None and any(
                found[one] != without.get(one) for one in asked & {*found}
            ):
                return True
    return False


def made(model_type: str, fields: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """The class's fields of a file but the named one; None where it refuses the file."""
    try:
        with quiet():
            config = CONFIG_MAPPING[model_type].from_dict(json.loads(json.dumps(fields)))
        return {own: one for own, one in config.to_dict().items() if own != name}
    except Exception:
        return None


def types() -> list[str]:
    """Model types of text whose class is observed."""
    return sorted(name for name in {*rotary.FAMILIES, *class_defaults()} if is_class(name))


def main(names: list[str]) -> None:
    """Observe the classes, all without names, and write the rows."""
    rows = json.loads(FILE.read_text("utf-8")) if names else {}
    for name in names or types():
        rows.pop(name, None)
        try:
            row = observed(name)
        except Exception as error:  # what cannot be made so small is not recorded
            print(name, repr(error)[:200], flush=True)
            continue
        print(name, row, flush=True)
        if row is not None:
            rows[name] = row
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()))
    FILE.write_text("{{\n{}\n}}\n".format(",\n".join(lines)), "utf-8")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    main(sys.argv[1:])
