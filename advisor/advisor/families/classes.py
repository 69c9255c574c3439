"""Classes of transformers, asked: their defaults, their names of fields, and the parts within one.

A class is asked when something of it is first looked up, because its module has to be imported for
that; its configuration alone is made, no model.
"""

import contextlib
import copy
import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from advisor.families.family import MOST_LAYERS, Family

# Names of parts that hold the model that writes text, those that are looked for first in front.
TEXT_PARTS = (
    "text_config",
    "llm_config",
    "thinker_config",
    "language_config",
    "decoder",
    "decoder_config",
    "generator",
    "text_encoder",
)
FIELDS = (
    *("hidden_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers"),
    *("max_position_embeddings", "original_max_position_embeddings", "head_dim"),
    *("global_head_dim", "kv_channels", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"),
    *("kv_lora_rank", "rotary_dim", "sliding_window_pattern", "query_pre_attn_scalar"),
    *("attention_multiplier", "attn_temperature_tuning", "floor_scale", "attn_scale"),
)
"""Fields of a class that are read of a model that rotates."""
SIZES = (
    *("hidden_size", "num_attention_heads", "num_hidden_layers", "max_position_embeddings"),
    *("rope_theta", "sliding_window", "log_scaling_n_floor", "log_scaling_alpha"),
)
"""Those that are read of any other model."""
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}
SAID: dict[str, dict[str, Any]] = {
    "gemma4_assistant": {"text_config": {"hidden_size_per_layer_input": 0}},
    "gemma4_unified_assistant": {"text_config": {"hidden_size_per_layer_input": 0}},
    "bamba": {"num_hidden_layers": 9, "attn_layer_indices": [2, 5]},
    "granitemoehybrid": {
        "num_hidden_layers": 4,
        "layer_types": ["linear_attention", "full_attention"] * 2,
        "position_embedding_type": "rope",
    },
    "lfm2_moe": {"num_hidden_layers": 4, "layer_types": ["conv", "conv", "full_attention", "conv"]},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "qwen3_omni_moe_thinker": {"text_config": {"head_dim": 128}},
    "qwen3_omni_moe": {"thinker_config": {"text_config": {"head_dim": 128}}},
    "zamba2": {"use_mem_rope": True},
    "cohere_compass_text": {"rope_parameters": {"full_attention": PLAIN}},
    "cohere_compass": {"text_config": {"rope_parameters": {"full_attention": PLAIN}}},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "glm4v_moe": {"text_config": {"head_dim": 128}},
    "dbrx": {"attn_config": {"rope_theta": 500000.0}},
}
"""Classes whose defaults cannot be made or run, or turn nothing, and what released files say."""


class Asked(Mapping[str, Any]):
    """A table that is made when it is first looked into."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        """Keep how it is made."""
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, Any]:
        return self._make()

    def __getitem__(self, name: str) -> Any:
        """An entry."""
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Names of its entries."""
        return iter(self._made)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._made)


def known(
    words: str,
    *,
    defaults: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    **more: Any,
) -> dict[str, Family]:
    """The families of a list of model types, each with the defaults and names of its class.

    Args:
        words: Model types with spaces between.
        defaults: Added to those of the class.
        names: Added likewise.
        more: Other arguments of `Family`.
    """
    return {
        model_type: Family(
            defaults=_of_class(model_type, "defaults", defaults or {}),
            names=_of_class(model_type, "names", names or {}),
            **more,
        )
        for model_type in words.split()
    }


def _of_class(model_type: str, part: str, more: Mapping[str, Any]) -> Asked:
    return Asked(lambda: {**class_row(model_type)[part], **more})


def still(model_type: str, family: Family) -> Family:
    """The family of a class without rotation, with the fields that are read of the class."""
    return dataclasses.replace(
        family,
        defaults=Asked(lambda: {**family.defaults, **_still_row(model_type, family)}),
        names=Asked(lambda: _still_names(model_type, family)),
    )


def _still_names(model_type: str, family: Family) -> dict[str, str]:
    """The row's names of fields, and the class's for those that the row does not name."""
    own = config_class(model_type).attribute_map if is_class(model_type) else {}
    return {**{name: own[name] for name in (*FIELDS, *SIZES) if name in own}, **family.names}


def _still_row(model_type: str, family: Family) -> dict[str, Any]:
    if not is_class(model_type):
        return {}
    said = default(model_type).to_dict()
    read = [*SIZES, *family.numbers]
    read += [*(family.grid or ()), *(field for field, _, _ in family.switches)]
    read += ["pad_token_id"] if family.after_padding else []
    names = _still_names(model_type, family)
    values = {field: said.get(names.get(field, field)) for field in read}
    return {field: value for field, value in values.items() if value is not None}


@cache
def _class_names() -> Mapping[str, str]:
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    return dict(CONFIG_MAPPING_NAMES)


def is_class(model_type: str) -> bool:
    """Whether transformers has a class of this name."""
    return model_type in _class_names()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from writing what it thinks of a file into the log."""
    from transformers import logging

    before = logging.get_verbosity()
    if before >= logging.CRITICAL:  # to set it walks over every logger there is
        yield
        return
    logging.set_verbosity(logging.CRITICAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)


def config_class(model_type: str) -> Any:
    """The class of configurations itself."""
    from transformers import CONFIG_MAPPING

    return CONFIG_MAPPING[model_type]


def default(model_type: str) -> Any:
    """The class's configuration with nothing said but what is in `SAID`."""
    with quiet():
        return config_class(model_type)(**copy.deepcopy(SAID.get(model_type, {})))


OF_KINDS = (
    *("layer", "window", "pattern", "interval", "chunk", "block", "attn", "mixer", "period"),
    "index",
)
"""Parts of the names of fields that a class works out the kinds of layers from."""
DECLARED = "max_position_embeddings"
OF_TURNING = ("rope", "rotary", "theta", "freq", DECLARED)
"""Parts of the names of fields that it works out from how these turn."""
BESIDE_THE_POINT = ("quantization_config", "compression_config")
LARGEST = 2**24
"""Largest number that a class is given which may become the size of a table."""
LENGTHS = (
    *("max_position", "original_max", "_length", "token", "vocab", "sliding_window", "chunk"),
    *("theta", "_base"),
)
"""Parts of the names of fields that become none."""
COUNTS = ("layer", "depth", "stage")
"""Parts of the names of fields that say how many there are of something."""
ASKED = 512


def is_bounded(given: Mapping[str, Any]) -> bool:
    """Whether a class may be given these fields: no number, list or text in them is a trap."""
    return all(_is_bounded(name, value) for name, value in given.items())


def _is_bounded(name: str, value: Any) -> bool:
    if isinstance(value, Mapping):
        return is_bounded(value)
    if isinstance(value, list):
        return len(value) <= MOST_LAYERS and all(_is_bounded(name, one) for one in value)
    is_count = any(word in name for word in COUNTS)
    if isinstance(value, str):
        return len(value) <= MOST_LAYERS
    if not isinstance(value, int):
        return True  # no table is as long as a fraction says
    return abs(value) <= (MOST_LAYERS if is_count else LARGEST) or any(
        word in name for word in LENGTHS
    )


def made(kind: str, given: Mapping[str, Any]) -> Any:
    """The class's configuration of a file.

    Raises:
        Exception: Whatever it refuses the file with.
    """
    from transformers import PreTrainedConfig

    of = config_class(kind)
    fields = json.loads(json.dumps(given))
    with quiet():
        # That of all classes makes the same, and a text of all of it for a log that nobody keeps.
        if of.from_dict.__func__ is vars(PreTrainedConfig)["from_dict"].__func__:
            return of(**fields)
        return of.from_dict(fields)


@dataclasses.dataclass(frozen=True)
class ClassReading:
    """A file as its class reads it.

    Attributes:
        layer_types: The kind of each layer; None where the class knows one kind alone.
        rotating: Whether each layer rotates; None where the class does not say.
        parameters: Its rope_parameters by kind of layers, "all" where it knows one; {} where
            nothing turns, transformers has no such class, or it refuses even these fields.
        beside: What else it says of the layers, by its name: `OF_LAYERS`.
        turned: Numbers that it makes other ones of than the file, or its own default, has, by
            their common names: `TURNED`.
    """

    layer_types: tuple[str, ...] | None = None
    rotating: tuple[bool, ...] | None = None
    parameters: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    beside: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    turned: Mapping[str, int] = dataclasses.field(default_factory=dict)


TURNED = (DECLARED, "sliding_window", "attention_chunk_size")
"""Numbers of which a class may make others: Zamba2 of its length, with use_long_context; Gemma 3 of
its window, with use_bidirectional_attention."""
OF_LAYERS = ("indexer_types", "kv_sharing_modes", "compress_rates")
"""Which layers have an indexer of their own, which use the keys of an earlier one, and for how many
tokens a layer of a kind keeps one entry."""


def reading(kind: str, given: Mapping[str, Any]) -> ClassReading:
    """A file's kinds of layers and rope_parameters, as the class works them out."""
    fields = {name: value for name, value in given.items() if name not in BESIDE_THE_POINT}
    if not is_class(kind) or not is_bounded(fields):
        return ClassReading()
    return _reading(kind, json.dumps(fields))


@lru_cache(ASKED)
def _reading(kind: str, text: str) -> ClassReading:
    fields = json.loads(text)
    is_given = "layer_types" in fields
    asked = (
        fields,
        # What the class refuses may have nothing to do with how its layers turn, or their kinds.
        _whole(_named(fields, (*OF_KINDS, *OF_TURNING)) | _switches(fields)),
    )
    for few in asked:
        with contextlib.suppress(Exception):
            config = made(kind, few).get_text_config()
            read = _read(config, is_given, _by_kind(config))
            return dataclasses.replace(read, turned=_turned(kind, config, few))
    read = ClassReading()
    with contextlib.suppress(Exception):
        read = _read(made(kind, _named(fields, OF_KINDS)).get_text_config(), is_given, {})
    with contextlib.suppress(Exception):
        few = _whole(_named(fields, TURNED) | _switches(fields))
        turned = _turned(kind, made(kind, few).get_text_config(), few)
        return dataclasses.replace(read, turned=turned)
    return read


def _turned(kind: str, config: Any, given: Mapping[str, Any]) -> dict[str, int]:
    own = type(config).attribute_map
    found = {}
    for name, value in numbers_of(config).items():
        said = [given[one] for one in (own.get(name), name) if given.get(one) is not None]
        if value > 0 and value != (said[0] if said else _usual(kind).get(name)):
            found[name] = value
    return found


@cache
def _usual(kind: str) -> Mapping[str, int]:
    return numbers_of(default(kind).get_text_config())


def numbers_of(config: Any) -> dict[str, int]:
    """A configuration's `TURNED`, but for those that it has by layer."""
    found = {}
    for name in TURNED:
        with contextlib.suppress(Exception):  # a number by layer cannot be asked for as one
            found[name] = getattr(config, name)
    return {name: one for name, one in found.items() if type(one) is int}


def _read(config: Any, is_given: bool, parameters: Mapping[str, Mapping[str, Any]]) -> ClassReading:
    beside = {name: found for name in OF_LAYERS if (found := getattr(config, name, None))}
    return ClassReading(_layer_types(config, is_given), _rotating(config), parameters, beside)


def _rotating(config: Any) -> tuple[bool, ...] | None:
    """Whether each layer rotates: by flags, 1 for one that does, or by bases, 0 for one without."""
    for name in ("no_rope_layers", "layer_rope_theta"):
        found = getattr(config, name, None)
        if found:
            return tuple(bool(one) for one in found)
    return None


def _named(fields: Mapping[str, Any], parts: tuple[str, ...]) -> dict[str, Any]:
    """The fields whose name has one of these parts."""
    return {name: one for name, one in fields.items() if any(part in name for part in parts)}


def _switches(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are true or false."""
    return {name: one for name, one in fields.items() if isinstance(one, bool)}


def _whole(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields without nulls, the length a whole number."""
    given = {name: one for name, one in fields.items() if one is not None}
    length = given.get(DECLARED)
    if isinstance(length, float) and math.isfinite(length):
        given[DECLARED] = int(length)
    return given


def _layer_types(config: Any, is_given: bool) -> tuple[str, ...] | None:
    from transformers.configuration_utils import ALLOWED_LAYER_TYPES

    found = getattr(config, "layer_types", None)
    if not found or not {*found} <= {*ALLOWED_LAYER_TYPES, "moe", "mlp"}:
        return None  # networks for images have kinds of another sort
    return None if {*found} == {"full_attention"} and not is_given else (*found,)


def _by_kind(config: Any) -> dict[str, dict[str, Any]]:
    """The configuration's rope_parameters by kind of layers, in the order of the layers."""
    parameters = getattr(config, "rope_parameters", None)
    if not isinstance(parameters, dict):
        return {}
    kinds = {kind: one for kind, one in parameters.items() if isinstance(one, dict)}
    if not config.nested_rope_parameter_keys(parameters):
        return {"all": {name: one for name, one in parameters.items() if name not in kinds}}
    types = [*dict.fromkeys(getattr(config, "layer_types", None) or ()), *kinds]
    return {kind: kinds[kind] for kind in types if kind in kinds}


@cache
def part_types(model_type: str | None) -> dict[str, str]:
    """The parts of a class that is made of several, and their model types."""
    from transformers import PreTrainedConfig

    if model_type is None or not is_class(model_type):
        return {}
    try:
        config = default(model_type)
    except Exception:  # a class without a default has no parts that are known
        return {}
    found = {}
    for name in type(config).sub_configs or {}:
        part = getattr(config, name, None)
        if isinstance(part, PreTrainedConfig) and part.model_type:
            found[name] = part.model_type
    return found


@cache
def _stems() -> Mapping[str, str]:
    """Model types by the name of their configuration class, its ending left out."""
    found: dict[str, str] = {}
    for model_type, name in sorted(_class_names().items()):
        found.setdefault(name.removesuffix("Config"), model_type)
    return found


def type_of_architecture(name: str) -> str | None:
    """The model type of a class of models: "qwen3" for "Qwen3ForCausalLM", None if not known."""
    for end in ("For", "LMHeadModel", "Model"):
        stem, found, _ = name.rpartition(end)
        if found and stem in _stems():
            return _stems()[stem]
    return None


@cache
def class_row(model_type: str) -> Mapping[str, Mapping[str, Any]]:
    """Fields that the class fills in, by their common names, and its own names of fields."""
    config = default(model_type)
    kind = type(config)
    own = {name: kind.attribute_map.get(name, name) for name in FIELDS}
    raw = {
        field.name: field.default
        for field in dataclasses.fields(kind)
        if field.default is not dataclasses.MISSING
    }
    said = {name: raw.get(own[name], raw.get(name)) for name in FIELDS}
    values = {name: one for name, one in said.items() if one is not None}
    values |= _beside(config)
    return {
        "defaults": values,
        "names": {name: other for name, other in own.items() if other != name},
    }


@cache
def usual_parameters(kind: str) -> Mapping[str, Mapping[str, Any]]:
    """The class's rope_parameters for a file that says nothing, as in `ClassReading`."""
    return _by_kind(default(kind).get_text_config()) if is_class(kind) else {}


def _beside(config: Any) -> dict[str, Any]:
    """Base and share of rotated channels of a file that says nothing.

    Of several kinds of layers, the base of the kind that sees everything.
    """
    kinds = _by_kind(config)
    base = getattr(config, "rope_theta", None)
    first = kinds.get("full_attention") or next(iter(kinds.values()), {})
    share = kinds.get("all", {}).get("partial_rotary_factor")
    given = {"rope_theta": first.get("rope_theta", base), "partial_rotary_factor": share}
    return {name: one for name, one in given.items() if one is not None}
