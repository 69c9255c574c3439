"""A model's config.json, read: what each layer does with positions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from posenc.config.fields import plain_json
from posenc.config.findings.all import find
from posenc.config.findings.finding import Finding
from posenc.config.layers import Layer, RopeLayer
from posenc.config.read import (
    read_dual_chunk,
    read_layer_types,
    read_layers,
    read_rope_layers,
    text_fields,
)
from posenc.config.write import Generation, to_hf, to_hf_fragment, to_llama_cpp, to_vllm
from posenc.scaling.remap.dual_chunk import DualChunk


@dataclass(frozen=True)
class RopeConfig:
    """What a config.json says about positions.

    Args:
        model_type: The file's word for the architecture.
        layers: What layers do, by layer type; the single key "all" where they agree, "rope" and
            "nope" where some do without rotation.
        layer_types: The kind of each layer's attention, () where the file knows one kind.
        rope_layers: Whether each layer rotates, () where the file does not say how many there are.
        dual_chunk: Dual Chunk Attention, where the file asks for it.
        source: The file as it was given.
    """

    model_type: str | None
    layers: Mapping[str, Layer]
    layer_types: tuple[str, ...]
    rope_layers: tuple[bool, ...]
    dual_chunk: DualChunk | None
    source: dict[str, Any] = field(compare=False, repr=False)

    @classmethod
    def from_hf(cls, config: object) -> "RopeConfig":
        """Read a config.json of transformers, old (rope_scaling) or new (rope_parameters).

        Args:
            config: The file's content as `json.load` returns it.

        Returns:
            The configuration; a model without rotary positions has layers that name their encoding.

        Raises:
            ValueError: If a field that is needed is missing, of a wrong type or out of range.

        Source: transformers 5.23, modeling_rope_utils.py and the models' configuration files.
        """
        source = plain_json(config)
        text = text_fields(source)
        rotates = read_rope_layers(text)
        return cls(
            model_type=text.word("model_type") or source.get("model_type"),
            layers=read_layers(text, rotates),
            layer_types=read_layer_types(text),
            rope_layers=rotates,
            dual_chunk=read_dual_chunk(text),
            source=source,
        )

    @property
    def rotary(self) -> dict[str, RopeLayer]:
        """The layers that rotate, by type; {} for a model without rotary positions."""
        return {key: layer for key, layer in self.layers.items() if isinstance(layer, RopeLayer)}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is worth knowing about the file, errors first."""
        return find(self)

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
        raise ValueError(f"layer_types must say which of {', '.join(self.layers)} a layer is.")

    def to_hf(self, generation: Generation = "new") -> dict[str, Any]:
        """The file with these layers written into it; all other fields stay.

        Args:
            generation: "new" writes rope_parameters (transformers 5), "old" rope_theta and
                rope_scaling.

        Returns:
            A config.json's content, which `from_hf` reads as an equal configuration.

        Raises:
            ValueError: If the older fields cannot hold what the layers do.
        """
        return to_hf(self, generation)

    def to_hf_fragment(self, generation: Generation = "new") -> dict[str, Any]:
        """The fields alone that `to_hf` writes, for pasting over those of the file.

        Args:
            generation: As for `to_hf`.

        Returns:
            The fields, within "text_config" where the file has one; {} without rotary positions.

        Raises:
            ValueError: If the older fields cannot hold what the layers do.
        """
        return to_hf_fragment(self, generation)

    def to_vllm(self) -> list[str]:
        """Arguments of vLLM: --hf-overrides with the fields of `to_hf_fragment`, --max-model-len.

        vLLM replaces the object, so it holds the base as well; it fixes dynamic scaling when it
        loads the model.
        """
        return to_vllm(self)

    def to_llama_cpp(self) -> list[str]:
        """Arguments of llama.cpp, which hold for all layers.

        llama3, longrope and proportional scaling, and layers that differ, are in the model file, so
        that --ctx-size alone is left. An explicit attention_factor and `truncate` have no flag.

        Raises:
            ValueError: For dynamic scaling, which llama.cpp does not have.
        """
        return to_llama_cpp(self)
