"""The whole file: from an object of JSON to a `Config`."""

from collections.abc import Mapping

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.fields import Fields, required
from advisor.inputs.text import plain_json
from advisor.layers import Layer
from advisor.reader.layer_kinds import (
    NO_ATTENTION,
    layer_keys,
    read_layer_types,
    read_rope_layers,
)
from advisor.reader.other import encoding_of, read_other
from advisor.reader.part import text_part
from advisor.reader.rotary import given_objects, read_layer, rope_parameters
from advisor.reader.shape import base_of, shape_of
from posenc.scaling.remap.dual_chunk import DualChunk


def read_config(config: object) -> Config:
    """Read a config.json; see `RopeConfig.from_hf`."""
    source = plain_json(config)
    part = text_part(source)
    text = part.fields
    types = read_layer_types(text)
    rotates = read_rope_layers(text, types)
    objects: dict[str, Fields] = {}
    parameters: dict[str, Fields] = {}
    if encoding_of(text) == "rope":
        objects = given_objects(text, part.parameters)
        parameters = rope_parameters(text, objects, part.parameters)
    rotary = _rotary(text, parameters)
    turning = layer_keys(text, types, rotates, tuple(rotary))
    # Of an object for a kind of layers that the file does not have nothing is said.
    objects = {key: one for key, one in objects.items() if key in turning} or objects
    keys = turning if rotary else _still_keys(text, types, len(rotates))
    layers = _layers(text, rotary, keys)
    return Config(
        model_type=text.word("model_type") or source.get("model_type"),
        layers=layers,
        layer_types=types,
        rope_layers=rotates,
        keys=keys if len(layers) > 1 else ("all",) * len(keys),
        dual_chunk=_read_dual_chunk(text),
        source=source,
        text=text,
        objects=objects,
        parameters=parameters,
        path=part.path,
        identified_by=part.identified_by,
        read_as=part.read_as,
        shape=shape_of(text),
        base=base_of(text),
    )


def _rotary(text: Fields, parameters: Mapping[str, Fields]) -> dict[str, RopeLayer]:
    """The layers that turn, by type, one entry "all" where they agree."""
    layers = {key: read_layer(text, key, params) for key, params in parameters.items()}
    if not layers:
        return {}
    first = next(iter(layers.values()))
    family = required(text.family, "model_type")
    by_type = family.head_dims or text.get("global_head_dim") is not None
    if not by_type and all(layer == first for layer in layers.values()):
        return {"all": first}
    return layers


def _still_keys(text: Fields, types: tuple[str, ...], count: int) -> tuple[str, ...]:
    """For each layer of a model that rotates none, its key: "all", or what positions are in it."""
    others = {**NO_ATTENTION, **required(text.family, "model_type").other_kinds}
    if not any(word in others for word in types):
        return ("all",) * count
    return tuple(others.get(word, encoding_of(text)) for word in types[:count])


def _layers(
    text: Fields, rotary: Mapping[str, RopeLayer], keys: tuple[str, ...]
) -> dict[str, Layer]:
    """Every kind of layer; "all" where there is one kind alone."""
    if not rotary:
        kinds = [key for key in dict.fromkeys(keys) if key != "all"]
        if len(kinds) < 2:
            return {"all": read_other(text, encoding_of(text))}
        return {key: read_other(text, key) for key in kinds}
    turning = {"rope" if key == "all" else key: layer for key, layer in rotary.items()}
    others = [key for key in dict.fromkeys(keys) if key not in {*rotary, "rope", "all"}]
    if not others:
        used = [key for key in rotary if key in keys] or list(rotary)
        if len(used) == 1 and keys:
            return {"all": rotary[used[0]]}
        return {key: rotary[key] for key in used}
    layers: dict[str, Layer] = {key: turning[key] for key in turning if key in keys}
    layers |= {key: read_other(text, key) for key in others}
    return layers if len(layers) > 1 else {"all": next(iter(layers.values()))}


def _read_dual_chunk(text: Fields) -> DualChunk | None:
    """Dual Chunk Attention: a chunk of keys is chunk_size - local_size tokens long."""
    fields = text.section("dual_chunk_attention_config")
    if fields is None:
        return None
    size = required(fields.integer("chunk_size", 2), fields.label("chunk_size"))
    local = fields.integer("local_size", 1, size // 2)
    local = required(local, fields.label("local_size"))
    return DualChunk(size - local, local)
