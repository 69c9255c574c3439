"""Reading a config.json: both generations of fields, and every model's own ways."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from posenc.attention.temperature import rope_layers
from posenc.checks import check_int
from posenc.config.families import Encoding, family_of
from posenc.config.fields import (
    LARGEST_BASE,
    LARGEST_FACTOR,
    LONGEST,
    MOST_LAYERS,
    WIDEST_HEAD,
    Fields,
    required,
)
from posenc.config.layers import Layer, OtherLayer, RopeLayer
from posenc.config.scalings import read_scaling, rope_type_of
from posenc.scaling.proportional import Proportional
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.scaling.yarn import YaRN

MOST_LAYER_TYPES = 16
STRETCHED = ("llama3", "yarn", "longrope")


def text_fields(source: dict[str, Any]) -> Fields:
    """The fields of the text model: `text_config` where there is one, else the file itself."""
    outer = Fields(source)
    inner = outer.section("text_config")
    text = inner or outer
    model_type = text.word("model_type") or outer.word("model_type")
    return replace(text, family=family_of(model_type))


def rope_parameters(text: Fields) -> dict[str, Fields]:
    """What transformers 5 calls rope_parameters, for "all" layers or by layer type.

    Values within the object come first, then the file's top level, then the class default.
    """
    objects = given_objects(text)
    return {key: _filled(params, text, key == "all") for key, params in objects.items()}


def given_objects(text: Fields) -> dict[str, Fields]:
    """rope_scaling or rope_parameters as the file has it, for "all" layers or by layer type."""
    old, new = text.section("rope_scaling"), text.section("rope_parameters")
    given = old if old and old.values else new or Fields({}, where="rope_parameters.")
    nested = {key: value for key, value in given.values.items() if isinstance(value, dict)}
    check_int(f"{given.where}layer types", len(nested), 0, maximum=MOST_LAYER_TYPES)
    if not nested and text.get("local_rope_theta") is not None:
        # Gemma 3: the scaling is that of the layers that see everything.
        local = Fields({"rope_theta": text.get("local_rope_theta")}, where=given.where)
        return {"sliding_attention": local, "full_attention": given}
    if not nested and text.get("global_head_dim") is not None:
        return {"sliding_attention": given, "full_attention": given}  # Gemma 4: two head sizes
    if not nested:
        return {"all": given}
    # transformers reads `truncate` beside the layer types, not within.
    beside = {"truncate": given.values["truncate"]} if "truncate" in given.values else {}
    return {
        key: Fields({**beside, **value}, where=f"{given.where}{key}.")
        for key, value in nested.items()
    }


def _filled(params: Fields, text: Fields, flat: bool) -> Fields:
    """Fill in type, base, share of rotated channels and trained length from the top level."""
    values = dict(params.values)
    base = text.number("rope_theta", above=1, maximum=LARGEST_BASE)
    values["rope_type"] = rope_type_of(params)
    if params.get("rope_theta") is None:
        ratio = None if text.given("rope_theta") else text.number("rope_ratio", above=0)
        values["rope_theta"] = 10000.0 * ratio if ratio else base
    share = text.number("partial_rotary_factor", 0, 1)
    if params.get("partial_rotary_factor") is None and share is not None:
        values["partial_rotary_factor"] = share
    condense = text.number("rope_condense_ratio", above=0)
    if values["rope_type"] == "default" and condense not in (None, 1):
        values |= {"rope_type": "linear", "factor": condense}
    top = text.integer("original_max_position_embeddings", 1)
    own = params.integer("original_max_position_embeddings", 1)
    if values["rope_type"] in STRETCHED:
        longest = text.integer("max_position_embeddings", 1)
        values["original_max_position_embeddings"] = (top if flat else None) or own or longest
    return Fields(values, where=params.where)


def read_layers(text: Fields, rotates: tuple[bool, ...]) -> dict[str, Layer]:
    """The layers by type, one entry "all" where they agree."""
    encoding = encoding_of(text)
    if encoding != "rope":
        return {"all": _other(text, encoding)}
    layers: dict[str, Layer] = {
        key: read_layer(text, key, params) for key, params in rope_parameters(text).items()
    }
    first = next(iter(layers.values()))
    by_type = text.get("global_head_dim") is not None
    if not by_type and all(layer == first for layer in layers.values()):
        layers = {"all": first}
    if all(rotates):
        return layers
    without = _other(text, "nope")
    if not any(rotates):
        return {"all": without}
    return {"rope" if key == "all" else key: layer for key, layer in layers.items()} | {
        "nope": without
    }


def read_layer(text: Fields, key: str, params: Fields) -> RopeLayer:
    """One kind of rotary layer."""
    head_dim = head_dim_of(text, key)
    base = params.number("rope_theta", above=1, maximum=LARGEST_BASE)
    longest = text.integer("max_position_embeddings", 1)
    share = params.number("partial_rotary_factor", 0, 1)
    scaling = read_scaling(params, longest, 1.0 if share is None else share)
    family = required(text.family, "model_type")
    multiplied = family.multiplies_softmax and isinstance(scaling, YaRN)
    layer = RopeLayer(
        head_dim=head_dim,
        rotary_dim=_rotary_dim(text, head_dim, isinstance(scaling, Proportional), share),
        base=required(base, params.label("rope_theta")),
        layout=_layout(text),
        scaling=scaling,
        original_length=params.integer("original_max_position_embeddings", 1) or longest,
        max_length=longest,
        nope_dim=(text.integer("qk_nope_head_dim", 0, WIDEST_HEAD) or 0) if _is_mla(text) else 0,
        softmax_multiplier=getattr(scaling, "softmax_multiplier", 1.0) if multiplied else 1.0,
        mrope_section=_sections(params),
        mrope_interleaved=params.flag("mrope_interleaved") or False,
    )
    _check_frequencies(layer, params.where)
    return layer


def _sections(params: Fields) -> tuple[int, ...] | None:
    sections = params.numbers("mrope_section", 0, WIDEST_HEAD)
    for pairs in sections or ():
        if not pairs.is_integer():
            raise ValueError(f"{params.label('mrope_section')} must hold integers, got {pairs}.")
    return None if sections is None else tuple(int(pairs) for pairs in sections)


def _check_frequencies(layer: RopeLayer, where: str) -> None:
    """Ask for the frequencies now, so that a file that cannot give them is refused."""
    for length in (None, (layer.original_length or 1) + 1, LONGEST):
        try:
            inv_freq, factor = layer.frequencies(length)
        except ValueError as error:
            place = "" if str(error).startswith("head_dim") else where
            raise ValueError(f"{place}{error}") from None
        if not (torch.isfinite(inv_freq).all() and math.isfinite(factor)):
            raise ValueError(f"{where}rope_type {layer.rope_type!r} must give finite frequencies.")


def head_dim_of(text: Fields, key: str) -> int:
    """Channels of a head that may be rotated."""
    if _is_mla(text):
        rotated = text.integer("qk_rope_head_dim", 2, WIDEST_HEAD)
        return check_int(text.label("qk_rope_head_dim"), rotated, 2, even=True)
    name = "head_dim"
    if key == "full_attention" and text.get("global_head_dim") is not None:
        name = "global_head_dim"
    is_null = name in text.values and text.values[name] is None
    given = None if is_null else text.integer(name, 2, WIDEST_HEAD)
    if given is not None:
        return given
    width = text.integer("hidden_size", 2, WIDEST_HEAD * 1024)
    heads = text.integer("num_attention_heads", 1, WIDEST_HEAD)
    if width is None or heads is None:
        raise ValueError("head_dim must be given, or hidden_size and num_attention_heads.")
    return check_int("hidden_size / num_attention_heads", width // heads, 2, maximum=WIDEST_HEAD)


def _is_mla(text: Fields) -> bool:
    return text.get("qk_rope_head_dim") is not None


def _rotary_dim(text: Fields, head_dim: int, proportional: bool, share: float | None) -> int:
    if proportional:
        return check_int("head_dim", head_dim, 2, even=True)
    given = text.integer("rotary_dim", 2, WIDEST_HEAD)
    if given is not None:
        return check_int("rotary_dim", given, 2, maximum=head_dim, even=True)
    if share in (None, 1):
        return check_int("head_dim", head_dim, 2, even=True)
    name = f"{text.own_name('partial_rotary_factor')} · head_dim"
    return check_int(name, int(head_dim * (share or 0)), 2, even=True)


def _layout(text: Fields) -> Any:
    family = required(text.family, "model_type")
    if family.layout == "interleaved" and text.flag("rope_interleave") is False:
        return "half"
    return family.layout


def encoding_of(text: Fields) -> Encoding:
    """Which encoding the layers use, "rope" unless the file says otherwise."""
    family = required(text.family, "model_type")
    attention = text.section("attn_config")
    if attention is not None and family.encoding == "alibi":
        if attention.flag("rope"):
            return "rope"
        return "learned" if attention.flag("alibi") is False else "alibi"
    return "alibi" if text.flag("alibi") else family.encoding


def _other(text: Fields, encoding: Encoding) -> OtherLayer:
    readers: dict[Encoding, Callable[[Fields], dict[str, float]]] = {
        "alibi": _alibi_numbers,
        "t5": _t5_numbers,
        "nope": _temperature_numbers,
    }
    read = readers.get(encoding)
    return OtherLayer(
        encoding,
        text.integer("num_attention_heads", 1, WIDEST_HEAD),
        text.integer("max_position_embeddings", 1),
        read(text) if read else {},
    )


def _alibi_numbers(text: Fields) -> dict[str, float]:
    attention = text.section("attn_config") or text
    return {"alibi_bias_max": attention.number("alibi_bias_max", above=0) or 8.0}


def _t5_numbers(text: Fields) -> dict[str, float]:
    return {
        "num_buckets": required(text.integer("num_buckets", 2, WIDEST_HEAD), "num_buckets"),
        "max_distance": required(text.integer("max_distance", 1), "max_distance"),
    }


def _temperature_numbers(text: Fields) -> dict[str, float]:
    if not text.flag("attn_temperature_tuning"):
        return {}
    floor_scale = text.integer("floor_scale", 1)
    attn_scale = text.number("attn_scale", 0, LARGEST_FACTOR)
    return {
        "floor_scale": required(floor_scale, "floor_scale"),
        "attn_scale": required(attn_scale, "attn_scale"),
    }


def read_rope_layers(text: Fields) -> tuple[bool, ...]:
    """Which layers rotate, one flag per layer; () where the file does not say how many there are.

    In `no_rope_layers` 1 marks a layer that does rotate.
    """
    family = required(text.family, "model_type")
    flags = text.items("no_rope_layers", MOST_LAYERS)
    layers = text.integer("num_hidden_layers", 1, MOST_LAYERS)
    if flags:
        for index, flag in enumerate(flags):
            if flag not in (0, 1):
                raise ValueError(f"no_rope_layers[{index}] must be 0 or 1, got {flag!r}.")
        return tuple(bool(flag) for flag in flags)
    if layers is None:
        return ()
    interval = text.integer("no_rope_layer_interval", 1) or family.nope_interval
    if not interval:
        return (encoding_of(text) == "rope",) * layers
    return tuple(rope_layers(layers, interval))


def read_layer_types(text: Fields) -> tuple[str, ...]:
    """The kind of each layer's attention; () where all are of one kind."""
    given = text.items("layer_types", MOST_LAYERS)
    if given is not None:
        words = Fields({f"layer_types[{index}]": word for index, word in enumerate(given)})
        return tuple(required(words.word(name), name) for name in words.values)
    family = required(text.family, "model_type")
    layers = text.integer("num_hidden_layers", 1, MOST_LAYERS)
    if not family.window_pattern or layers is None:
        return ()
    every = text.integer("sliding_window_pattern", 1, MOST_LAYERS) or family.window_pattern
    return tuple(
        "full_attention" if layer % every == 0 else "sliding_attention"
        for layer in range(1, layers + 1)
    )


def read_dual_chunk(text: Fields) -> DualChunk | None:
    """Dual Chunk Attention: a chunk of keys is chunk_size - local_size tokens long."""
    fields = text.section("dual_chunk_attention_config")
    if fields is None:
        return None
    size = required(fields.integer("chunk_size", 2), fields.label("chunk_size"))
    local = fields.integer("local_size", 1, size - 1)
    local = required(local, fields.label("local_size"))
    return DualChunk(size - local, local)
