"""A model's config.json as plain data: what each layer does with positions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from posenc.config.families.family import Family
from posenc.config.fields import Fields, required
from posenc.config.layers import Layer, RopeLayer
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.words import say


@dataclass(frozen=True)
class Config:
    """What a config.json says about positions. Readers make it; findings and writers take it.

    Args:
        model_type: The file's word for the architecture.
        layers: What layers do, by layer type; the single key "all" where they agree, "rope" and
            "nope" where some do without rotation.
        layer_types: The kind of each layer's attention, () where the file knows one kind.
        rope_layers: Whether each layer rotates, () where the file does not say how many there are.
        dual_chunk: Dual Chunk Attention, where the file asks for it.
        source: The file as it was given.
        text: Its fields of the text model, with the names and defaults of the family.
        objects: rope_scaling or rope_parameters as the file has it, for "all" layers or by layer
            type; {} for an encoding that is not rotary.
    """

    model_type: str | None
    layers: Mapping[str, Layer]
    layer_types: tuple[str, ...]
    rope_layers: tuple[bool, ...]
    dual_chunk: DualChunk | None
    source: dict[str, Any] = field(compare=False, repr=False)
    text: Fields = field(compare=False, repr=False)
    objects: Mapping[str, Fields] = field(compare=False, repr=False)

    @cached_property
    def rotary(self) -> dict[str, RopeLayer]:
        """The layers that rotate, by type; {} for a model without rotary positions."""
        return {key: layer for key, layer in self.layers.items() if isinstance(layer, RopeLayer)}

    @property
    def family(self) -> Family:
        """The family of the text model."""
        return required(self.text.family, "model_type")

    @property
    def reach(self) -> int | None:
        """The longest text that the model reads, tokens; None where the file does not say."""
        lengths = [
            layer.target_length if isinstance(layer, RopeLayer) else layer.max_length
            for layer in self.layers.values()
        ]
        return max((length for length in lengths if length is not None), default=None)

    def layer_at(self, index: int) -> Layer:
        """What the layer with this index, from 0, does.

        Raises:
            ValueError: If the file does not say of which type the layer is.
        """
        if self.rope_layers and not self.rope_layers[index] and "nope" in self.layers:
            return self.layers["nope"]
        kind = self.layer_types[index] if self.layer_types else "all"
        for key in (kind, "rope", "all"):
            if key in self.layers:
                return self.layers[key]
        kinds = ", ".join(self.layers)
        raise ValueError(say("layer_types must say which of {kinds} a layer is.", kinds=kinds))
