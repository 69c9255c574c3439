"""Known models, and those that differ in kind, where not every size is tried."""

from functools import cache

import pytest

from advisor import RopeConfig, known_models


@cache
def known(name: str) -> RopeConfig:
    """A known model, as its file is read."""
    return RopeConfig.from_hf(known_models()[name].config)


def kind_of(config: RopeConfig) -> tuple[object, ...]:
    """How its layers tell positions, how they are scaled, and what is found wrong with it."""
    layers = sorted(
        (name, getattr(layer, "encoding", "rope"), type(getattr(layer, "scaling", None)).__name__)
        for name, layer in config.layers.items()
    )
    return (*layers, *sorted({finding.severity for finding in config.findings}))


@cache
def one_of_each_kind() -> list[str]:
    """Names of known models, the first of each kind."""
    firsts: dict[tuple[object, ...], str] = {}
    for name, model in known_models().items():
        firsts.setdefault(kind_of(RopeConfig.from_hf(model.config)), name)
    return list(firsts.values())


REST = [name for name in known_models() if name not in one_of_each_kind()]
ALL_KNOWN = [*one_of_each_kind(), *(pytest.param(name, marks=pytest.mark.slow) for name in REST)]
"""Parameters of tests: all known models, of which those of a kind met before are slow."""
KINDS = ["one of each kind", "the rest"]
KNOWN = [one_of_each_kind(), pytest.param(REST, marks=pytest.mark.slow)]
"""The same as two lists."""
