"""Everything worth knowing about a config.json, as one document of plain numbers and words.

The document holds what JSON can hold: no NaN, no infinity. Its schema is schema.json, beside this
file.
"""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.resources import files
from typing import Any

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.config.engines.all import engine_readings
from posenc.config.engines.transformers.fields import rotary_share, scaling_fields
from posenc.config.extend import extend_config
from posenc.config.fields import LONGEST
from posenc.config.inputs.read import Given
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.config.rope import RopeConfig
from posenc.reading.drift import distance_apart
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.methods import Case, Method, fitting
from posenc.words import Sentence, say

FORMAT = 1
LOST_BASE = 10000.0
"""What readers take that do not find rope_theta."""
Document = dict[str, Any]


LEFT_OUT = {"ntk_by_parts": "no engine has it: their YaRN has another ramp"}  # not words
"""Methods that are not listed though they need no more than a factor and a trained length."""


def usual_methods() -> dict[str, Method]:
    """The methods that are listed beside the file's own, by id."""
    return {
        name: method
        for name, method in fitting("trained").items()
        if method.kind and not method.form_of and name not in LEFT_OUT
    }


def schema() -> Document:
    """The JSON schema (2020-12) of the document."""
    text = files("posenc.report").joinpath("schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def explain(
    config: RopeConfig, target_length: int | None = None, given: Given | None = None
) -> Document:
    """What a configuration does to positions, and what it would do at a target length.

    Args:
        config: A model's configuration.
        target_length: L, tokens; None is the length that each layer type reaches by itself.
        given: What the configuration was read from, if not from a config.json.

    Returns:
        The document; `schema()` describes it.

    Raises:
        ValueError: If the target length is out of range.
    """
    if target_length is not None:
        check_int("target_length", target_length, 2, maximum=LONGEST)
    return {
        "format": FORMAT,
        "input": {
            "kind": "config" if given is None else given.kind,
            "notes": [] if given is None else list(given.notes),
        },
        "model_type": config.model_type,
        "target_length": target_length,
        "layers": [
            _rotary(config, name, layer, target_length)
            if isinstance(layer, RopeLayer)
            else _other(name, layer)
            for name, layer in config.layers.items()
        ],
        "findings": [asdict(f) | {"fields": list(f.fields)} for f in config.findings],
        "settings": _settings(config, target_length),
    }


def _other(name: str, layer: OtherLayer) -> Document:
    return {
        "name": name,
        "encoding": layer.encoding,
        "declared_length": layer.max_length,
        "num_heads": layer.num_heads,
        "parameters": dict(layer.parameters),
    }


def _rotary(config: RopeConfig, name: str, layer: RopeLayer, asked: int | None) -> Document:
    target = asked or layer.target_length
    own, factor = layer.frequencies(target)
    plain, _ = replace(layer, scaling=None).frequencies()
    width = layer.head_dim + layer.nope_dim
    return {
        "name": name,
        "encoding": layer.encoding,
        "head_dim": layer.head_dim,
        "rotary_dim": layer.rotary_dim,
        "rotary_share": rotary_share(layer),
        "nope_dim": layer.nope_dim,
        "base": layer.base,
        "layout": layer.layout,
        "scaling": scaling_fields(layer),
        "lengths": {
            "trained": layer.trained_length,
            "declared": layer.max_length,
            "reached": layer.target_length,
            "target": target,
        },
        "temperature": {
            "attention_factor": factor,
            "score_factor": factor**2,
            "softmax_multiplier": layer.softmax_multiplier,
            "softmax_scale": layer.softmax_multiplier / math.sqrt(width),
            "score_scale": factor**2 * layer.softmax_multiplier / math.sqrt(width),
        },
        "pairs": _pairs(plain, own, layer.trained_length),
        "methods": _methods(layer, plain, own, target),
        "engines": [asdict(reading) for reading in engine_readings(config, name)],
    }


def _pairs(plain: Tensor, own: Tensor, trained: int | None) -> list[Document]:
    """Every pair: before and after scaling, and what training has shown of it."""
    return [
        {
            "pair": index,
            "frequency": theta,
            "wavelength": 2 * math.pi / theta,
            "scaled_frequency": after,
            "scaled_wavelength": 2 * math.pi / after if after else None,
            "slowed": theta / after if after else None,
            "turns_in_training": None if trained is None else trained * theta / (2 * math.pi),
        }
        for index, (theta, after) in enumerate(zip(plain.tolist(), own.tolist(), strict=True))
    ]


def _methods(layer: RopeLayer, plain: Tensor, own: Tensor, target: int | None) -> list[Document]:
    """The file's own rotation, two ways to lose it, and the usual scalings, at the target."""
    trained = layer.trained_length
    if trained is None or target is None or trained < 2:
        return []
    unscaled = replace(layer, scaling=None)
    methods: dict[str, RopeLayer] = {say("the file"): layer, say("none"): unscaled}
    if layer.base != LOST_BASE:
        methods[say("base 10000, none")] = replace(unscaled, base=LOST_BASE)
    factor = target / trained
    if factor > 1:
        case = Case(factor, trained)
        scalings = {m.title: m.scaling(case) for m in usual_methods().values()}
        methods |= {name: replace(layer, scaling=scaling) for name, scaling in scalings.items()}
    return [
        {"name": name, **_method(*frequencies, plain, own, trained, target)}
        for name, one in methods.items()
        if (frequencies := _frequencies(one, target)) is not None
    ]


def _frequencies(layer: RopeLayer, target: int) -> tuple[Tensor, float] | None:
    """None where a method does not fit the head: NTK-aware scaling of a single pair."""
    try:
        return layer.frequencies(target)
    except ValueError:
        return None


def _method(
    scaled: Tensor, attention_factor: float, plain: Tensor, own: Tensor, trained: int, target: int
) -> Document:
    """What one method does at the target, beside no scaling and beside the file."""
    apart = float(distance_apart(own, scaled).min())
    turning = scaled > 0
    plain, scaled = plain[turning], scaled[turning]
    new = torch.zeros(0)
    furthest = fastest = slowest = None
    if len(scaled):
        coverage = angle_coverage(plain, trained, max(target, 2), scaled)
        new = coverage.excess[coverage.is_new]
        furthest = float(new.max()) if len(new) else None
        fastest, slowest = (float(plain[i] / scaled[i]) for i in (0, -1))
    return {
        "fastest_slowed": fastest,
        "slowest_slowed": slowest,
        "attention_factor": attention_factor,
        "pairs_with_new_angles": len(new),
        "furthest_over_training": furthest,
        "half_a_turn_off_at": apart if apart <= LONGEST else None,
    }


def _settings(config: RopeConfig, target: int | None) -> Document:
    """The settings of the file, or of the file with YaRN where the target is beyond it."""
    subject, notes = say("the file"), list[Sentence]()
    known = {finding.code for finding in config.findings}
    for name, layer in config.rotary.items():
        has_window = name == "sliding_attention" and len(config.rotary) > 1
        if target is None or has_window or target <= (layer.target_length or target):
            continue
        try:
            config = extend_config(config, name, "yarn", target)
            subject = say("the file with YaRN to {target} tokens", target=target)
        except ValueError as error:
            notes.append(say("The settings are the file's own: {error}", error=error))
            break

    notes += [
        say("{message} {remedy}", message=finding.message, remedy=finding.remedy)
        for finding in config.findings
        if finding.severity != "info" and finding.code not in known
    ]

    def write(name: str, writer: Callable[[], Any]) -> Any:
        try:
            return writer()
        except ValueError as error:
            notes.append(say("{engine}: {error}", engine=name, error=error))
            return None

    return {
        "of": subject,
        "transformers_5": write("transformers 5", config.to_hf_fragment),  # not words
        "transformers_4": write(
            "transformers 4",  # not words
            lambda: config.to_hf_fragment("old"),
        ),
        "vllm": write("vLLM", config.to_vllm),
        "llama_cpp": write("llama.cpp", config.to_llama_cpp),
        "notes": notes,
    }
