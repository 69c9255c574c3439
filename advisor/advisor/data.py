"""A model's config.json as plain data: what each layer does with positions."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from advisor.comparing.layer import RopeLayer
from advisor.families.all import UNKNOWN
from advisor.families.family import Family
from advisor.fields import READ_AS, Fields, required
from advisor.layers import Layer
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.remap.dual_chunk import DualChunk
from posenc.words import Sentence, say


@dataclass(frozen=True)
class Config:
    """Positions as a config.json describes them. Readers make it; findings and writers take it.

    Args:
        model_type: The file's word for the architecture.
        layers: What layers do, by layer type; the single key "all" where they agree, "rope" and
            "nope" where some do without rotation, and the encoding's name ("linear") for layers
            that are no attention.
        layer_types: The kind of each layer's attention, () where the file knows one kind.
        rope_layers: Whether each layer rotates, () where the file does not say how many there are.
        keys: The key in `layers` of each layer, () where the file does not say.
        dual_chunk: Dual Chunk Attention, where the file asks for it.
        source: The file as it was given.
        text: Its fields of the text model, with the names and defaults of the family.
        objects: rope_scaling or rope_parameters as the file has it, for "all" layers or by layer
            type; {} for an encoding that is not rotary.
        path: Where in the file the text model stands: ("text_config",), () for the file itself.
        identified_by: The field that told the family: "model_type", "architectures", or
            "posenc_read_as" where a reader chose it.
        read_as: The model type of the family, "" where the file names none.
        shape: Sizes that fine-tuning does not change.
        base: The base of all layers; None where none or several are told.
    """

    model_type: str | None
    layers: Mapping[str, Layer]
    layer_types: tuple[str, ...]
    rope_layers: tuple[bool, ...]
    keys: tuple[str, ...]
    dual_chunk: DualChunk | None
    source: dict[str, Any] = field(compare=False, repr=False)
    text: Fields = field(compare=False, repr=False)
    objects: Mapping[str, Fields] = field(compare=False, repr=False)
    parameters: Mapping[str, Fields] = field(compare=False, repr=False)
    path: tuple[str, ...] = field(default=(), compare=False)
    identified_by: str = field(default="model_type", compare=False)
    read_as: str = field(default="", compare=False)
    shape: tuple[float | None, ...] = field(default=(), compare=False)
    base: float | None = field(default=None, compare=False)

    @cached_property
    def rotary(self) -> dict[str, RopeLayer]:
        """The layers that rotate, by type; {} for a model without rotary positions."""
        return {key: layer for key, layer in self.layers.items() if isinstance(layer, RopeLayer)}

    def turning(self, **fields: Any) -> Self:
        """The same with these fields in every layer that rotates."""
        changed = {key: replace(layer, **fields) for key, layer in self.rotary.items()}
        return replace(self, layers={**self.layers, **changed})

    def with_layer(self, key: str, layer: RopeLayer) -> Self:
        """The same with another layer of this type."""
        return replace(self, layers={**self.layers, key: layer})

    @property
    def family(self) -> Family:
        """The family of the text model."""
        return required(self.text.family, "model_type")

    @property
    def family_note(self) -> Sentence | None:
        """A note that the user chose the family; None where the file names it."""
        if self.identified_by != READ_AS:
            return None
        return say(
            "The model type {name} is not known here. The file is read as {family} because that "
            "was asked for: which channels form a pair, which layers rotate and what the class "
            "fills in may be different.",
            name=self.model_type or "null",
            family=self.read_as,
        )

    @property
    def is_known(self) -> bool:
        """Whether it is known how the family's layers use positions; else nothing is written."""
        words: list[str] = [layer.encoding for layer in self.layers.values()]
        words += [layer.layout for layer in self.rotary.values()]
        return self.family is not UNKNOWN and "unknown" not in words

    def is_scaled_by(self, *kinds: type) -> bool:
        """Whether some layer has a scaling of one of these types."""
        return any(isinstance(layer.scaling, kinds) for layer in self.rotary.values())

    @property
    def is_dynamic(self) -> bool:
        """Whether frequencies of a layer change with the length of the text, as in dynamic NTK."""
        return self.is_scaled_by(DynamicNTK)

    def text_in(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The text model's own within the fields of a whole file."""
        for name in self.path:
            fields = fields[name]
        return fields

    @property
    def reach(self) -> int | None:
        """The longest text that the model reads, tokens; None where the file names none."""
        if self.family.has_patches:
            return None
        lengths = [
            layer.target_length if isinstance(layer, RopeLayer) else layer.max_length
            for layer in self.layers.values()
        ]
        return max((length for length in lengths if length is not None), default=None)

    def layer_at(self, index: int) -> Layer:
        """The layer with this index, from 0.

        Raises:
            ValueError: If the file does not say of which type the layer is.
        """
        for key in (self.keys[index] if self.keys else "all", "rope", "all"):
            if key in self.layers:
                return self.layers[key]
        kinds = ", ".join(self.layers)
        raise ValueError(f"layer_types must say which of {kinds} a layer is.")
