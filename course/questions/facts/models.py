"""Files of released models."""

from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.evidence import evidence_for
from advisor.known_models import known_models
from advisor.rope import RopeConfig


def fields(name: str) -> dict[str, Any]:
    """The fields of a known model's config.json that concern positions."""
    return known_models()[name].config


def config(name: str) -> RopeConfig:
    """Meaning of a known model's config.json."""
    return RopeConfig.from_hf(fields(name))


def layer(name: str, kind: str = "all") -> RopeLayer:
    """One of its kinds of layers, which rotates."""
    found = config(name).layers[kind]
    assert isinstance(found, RopeLayer)
    return found


def documented_factor(name: str) -> int:
    """Factor of YaRN that a known model's makers document."""
    (factor,) = {said.factor for said in evidence_for(name) if said.kind == "yarn"}
    assert factor is not None
    assert factor == round(factor)
    return round(factor)
