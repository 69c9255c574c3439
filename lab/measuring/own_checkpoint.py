"""A checkpoint of the reader's own: what its directory holds, and the model read by a method.

Only a directory with config.json and *.safetensors is read: no pickle, no code of the directory.
"""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import nn

from lab.checked import one_of
from lab.model.methods import WINDOW, tried
from posenc import NTK, DynamicNTK, Linear, Llama3, RopeConfig, YaRN
from posenc.config.engines.transformers.fields import layer_parameters
from posenc.config.fields import Fields
from posenc.config.layers import RopeLayer
from posenc.config.text import parse_config
from posenc.rope.scaling import Scaling
from posenc.scaling.methods import METHODS, Case
from posenc.scaling.ntk import ntk_base
from posenc.words import Sentence, say

WRITTEN = (Linear, NTK, DynamicNTK, YaRN, Llama3)
"""Scalings that transformers has; NTK is a larger base."""
LONGEST_CONFIG = 1 << 20


def methods() -> tuple[str, ...]:
    """Ids of the methods that a checkpoint can be read by, "none" first."""
    found = (METHODS[name] for name in tried() if name not in ("none", WINDOW))
    return ("none", *(m.id for m in found if m.kind in WRITTEN and not m.form_of))


def directories(folder: Path) -> dict[str, Path]:
    """The checkpoints in a folder, by name: its directories that hold a config.json."""
    if not folder.is_dir():
        return {}
    return {
        path.name: path for path in sorted(folder.iterdir()) if (path / "config.json").is_file()
    }


@dataclass(frozen=True)
class OwnModel:
    """What a directory holds, known without loading a weight."""

    folder: Path
    config: dict[str, Any]
    parameters: int
    length: int
    """L, tokens that the model was trained on, as its config says."""
    methods: tuple[str, ...]
    """What can be tried past L."""
    remark: Sentence | None
    """Why not every method can be tried."""

    @property
    def text_config(self) -> Fields:
        """The part of the config that describes the language model."""
        return Fields(self.config.get("text_config") or self.config)


def look(folder: Path) -> OwnModel:
    """Read config.json and the headers of the weights.

    Raises:
        ValueError: If the directory is not a checkpoint that can be read here, in a sentence.
    """
    file = folder / "config.json"
    if not file.is_file():
        raise ValueError(
            say("{name} has no config.json; name a transformers directory.", name=folder.name)
        )
    if file.stat().st_size > LONGEST_CONFIG:
        raise ValueError(say("The config.json of {name} is larger than 1 MiB.", name=folder.name))
    try:
        config = parse_config(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        raise ValueError(
            say("The config.json of {name} cannot be read: {error}", name=folder.name, error=error)
        ) from None
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise ValueError(
            say(
                "{name} holds no *.safetensors. Other formats can run code when they are opened "
                "and are not read; save the model with save_pretrained to get one.",
                name=folder.name,
            )
        )
    length = config.get("max_position_embeddings")
    if not isinstance(length, int) or isinstance(length, bool) or not 16 <= length <= 1 << 24:
        raise ValueError(
            say(
                "max_position_embeddings of {name} must be a whole number from 16 to {most}, got "
                "{length!r:.40}: without it the trained length is not known.",
                name=folder.name, most=1 << 24, length=length,
            )
        )  # fmt: skip
    count = sum(_parameters(path) for path in weights)
    remark = _remark(config)
    return OwnModel(folder, config, count, length, ("none",) if remark else methods(), remark)


def _parameters(path: Path) -> int:
    try:
        with safe_open(path, framework="pt") as file:
            names = list(file.keys())
            return sum(math.prod(file.get_slice(name).get_shape()) for name in names)
    except Exception as error:  # safetensors raises its own type for a damaged file
        raise ValueError(
            say("{name} is not a safetensors file: {error!s:.200}", name=path.name, error=error)
        ) from None


def _remark(config: dict[str, Any]) -> Sentence | None:
    """Why a model is read as it declares itself; None for plain RoPE of one kind."""
    layers = RopeConfig.from_hf(config).rotary
    if not layers:
        return say("This model does not rotate: it is measured as it is.")
    if len(layers) > 1:
        return say("Its layers rotate in different ways: it is measured as it is.")
    (layer,) = layers.values()
    if layer.scaling is not None:
        return say("Its config asks for {type} already: it is measured so.", type=layer.rope_type)
    return None


def rope_parameters(model: OwnModel, method: str, length: int) -> dict[str, Any]:
    """transformers' rope parameters for a method at `length` tokens; s = length / L.

    Raises:
        ValueError: If transformers has no such method.
    """
    if method not in methods():
        raise ValueError(one_of("method", method, methods()))
    (layer,) = RopeConfig.from_hf(model.config).rotary.values()
    factor = max(1.0, length / model.length)
    if factor > 1:
        layer = _scaled(layer, METHODS[method].scaling(Case(factor, model.length)))
    return layer_parameters(layer, model.text_config)


def _scaled(layer: RopeLayer, scaling: Scaling | None) -> RopeLayer:
    if isinstance(scaling, NTK):
        return replace(layer, base=ntk_base(layer.rotary_dim, layer.base, scaling.factor))
    return replace(layer, scaling=scaling)


def load(model: OwnModel, method: str, length: int) -> nn.Module:
    """The model in float32 on the CPU, scaled by transformers' own code.

    Raises:
        ValueError: If transformers cannot build the model.
    """
    from transformers import AutoConfig, AutoModelForCausalLM

    safe = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = AutoConfig.from_pretrained(model.folder, **safe)
        if model.methods != ("none",):
            config.rope_parameters = rope_parameters(model, method, length)
        built = AutoModelForCausalLM.from_pretrained(
            model.folder, config=config, use_safetensors=True, dtype=torch.float32, **safe
        )
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [say("no reason given")])[0]
        raise ValueError(
            say("transformers cannot load {name}: {why:.200}", name=model.folder.name, why=reason)
        ) from None
    return built.eval()
