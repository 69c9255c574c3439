"""The whole file: from an object of JSON to a `Config`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc.config.data import Config
from posenc.config.families.all import family_of
from posenc.config.fields import Fields, required
from posenc.config.layers import Layer
from posenc.config.reader.layer_kinds import read_layer_types, read_rope_layers
from posenc.config.reader.other import encoding_of, read_other
from posenc.config.reader.parameters import given_objects, rope_parameters
from posenc.config.reader.rotary import read_layer
from posenc.config.text import plain_json
from posenc.scaling.remap.dual_chunk import DualChunk

DEEPEST_PART = 4


def read_config(config: object) -> Config:
    """Read a config.json; see `RopeConfig.from_hf`."""
    source = plain_json(config)
    text = text_fields(source)
    rotates = read_rope_layers(text)
    objects = given_objects(text) if encoding_of(text) == "rope" else {}
    return Config(
        model_type=text.word("model_type") or source.get("model_type"),
        layers=_read_layers(text, objects, rotates),
        layer_types=read_layer_types(text),
        rope_layers=rotates,
        dual_chunk=_read_dual_chunk(text),
        source=source,
        text=text,
        objects=objects,
    )


def text_fields(source: dict[str, Any]) -> Fields:
    """The fields of the part that is read: the text model where there is one.

    `text_config` or the part that the family names, and so on within it; else the file itself.
    """
    fields = Fields(source)
    for _ in range(DEEPEST_PART):
        model_type = fields.word("model_type")
        part = fields.section(family_of(model_type).part or "text_config")
        if part is None:
            break
        name = part.where
        where = f"{fields.where}{name.removeprefix(fields.where)}"
        if "model_type" not in part.values:
            part = replace(part, values={**part.values, "model_type": model_type})
        fields = replace(part, where=where)
    return replace(fields, family=family_of(fields.word("model_type")))


def _read_layers(
    text: Fields, objects: Mapping[str, Fields], rotates: tuple[bool, ...]
) -> dict[str, Layer]:
    """The layers by type, one entry "all" where they agree."""
    if not objects:
        return {"all": read_other(text, encoding_of(text))}
    layers: dict[str, Layer] = {
        key: read_layer(text, key, params) for key, params in rope_parameters(text, objects).items()
    }
    first = next(iter(layers.values()))
    by_type = text.get("global_head_dim") is not None
    if not by_type and all(layer == first for layer in layers.values()):
        layers = {"all": first}
    if all(rotates):
        return layers
    without = read_other(text, "nope")
    if not any(rotates):
        return {"all": without}
    return {"rope" if key == "all" else key: layer for key, layer in layers.items()} | {
        "nope": without
    }


def _read_dual_chunk(text: Fields) -> DualChunk | None:
    """Dual Chunk Attention: a chunk of keys is chunk_size - local_size tokens long."""
    fields = text.section("dual_chunk_attention_config")
    if fields is None:
        return None
    size = required(fields.integer("chunk_size", 2), fields.label("chunk_size"))
    local = fields.integer("local_size", 1, size - 1)
    local = required(local, fields.label("local_size"))
    return DualChunk(size - local, local)
