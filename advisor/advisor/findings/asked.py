"""Findings of a file that transformers' own class reads otherwise, or not at all."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.facts import TRANSFORMERS
from advisor.findings.finding import Told, judge
from advisor.known_models import KnownModel, known_models
from advisor.reader.asked import ask
from posenc.words import say

NEAR = 1e-4  # relative, as float32 tables differ by less


@judge("error")
def class_refuses(config: Config) -> Iterator[Told]:
    """The class of transformers does not take the file."""
    answer = None if is_released(config) else ask(config)
    if answer is not None and answer.refusal:
        yield Told(
            ("model_type",),
            say(
                "{transformers} does not load this file: its class of {model} ends with: {error}.",
                transformers=TRANSFORMERS,
                model=config.read_as,
                error=answer.refusal.rstrip("."),
            ),
            say("Mend the field that the message names."),
        )


@judge("error")
def class_differs(config: Config) -> Iterator[Told]:
    """The class of transformers turns by other angles than the file is read to say."""
    if not config.rotary or config.family.has_mscales or is_released(config):
        return  # has_mscales: its factor is set while it runs
    answer = ask(config)
    if answer is None:
        return
    used = [answer.layers[kind] for kind in config.objects if kind in answer.layers]
    for key, layer in config.rotary.items():
        mine = answer.layers.get(key)
        for theirs in used or answer.layers.values() if mine is None else (mine,):
            if not _is_alike(layer, *theirs):
                ours = layer.frequencies()
                yield Told(
                    ("rope_parameters",),
                    say(
                        "The class of {model} in {transformers} makes something else of this file "
                        "than its fields say: {theirs} pairs turn, the fastest that differs by "
                        "{frequency:.4g} a token, with an attention factor of {factor:.4g}; by "
                        "its fields {ours} pairs, {own:.4g} and {own_factor:.4g}.",
                        transformers=TRANSFORMERS,
                        model=config.read_as,
                        theirs=int((theirs[0] != 0).sum()),
                        frequency=_first_other(theirs[0], ours[0]),
                        factor=theirs[1],
                        ours=int((ours[0] != 0).sum()),
                        own=_first_other(ours[0], theirs[0]),
                        own_factor=ours[1],
                    ),
                    say(
                        "The class has a field elsewhere, or does not have it: compare with the "
                        "released file of a model of this type."
                    ),
                )
                return


WRITTEN = frozenset(
    {"rope_scaling", "rope_parameters", "rope_theta", "head_dim", "max_position_embeddings"}
)
"""Fields that a change of scaling or length writes."""


def is_released(config: Config, models: Iterable[KnownModel] | None = None) -> bool:
    """Whether this is a known model's file, or that with another scaling or length.

    Args:
        config: A file.
        models: Those that count; None for `known_models`, all of which are compared with their
            classes when the tests run.
    """
    return any(
        known.config.get("model_type") == config.source.get("model_type")
        and _unwritten(known.config) == _unwritten(config.source)
        for known in (known_models().values() if models is None else models)
    )


def _unwritten(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A file without the fields that are written."""
    return {
        name: _unwritten(value) if name.endswith("_config") and isinstance(value, dict) else value
        for name, value in fields.items()
        if name not in WRITTEN
    }


def _is_alike(layer: RopeLayer, theirs: Tensor, factor: float) -> bool:
    ours, own = layer.frequencies()
    turning = [one[one != 0].double() for one in (ours, theirs)]
    if turning[0].shape != turning[1].shape or abs(own - factor) > NEAR:
        return False
    return torch.allclose(turning[1], turning[0], rtol=NEAR, atol=0)


def _first_other(one: Tensor, other: Tensor) -> float:
    """The first frequency that the other lacks or has otherwise."""
    count = min(len(one), len(other))
    differ = ~torch.isclose(one[:count].double(), other[:count].double(), rtol=NEAR, atol=0)
    index = int(differ.nonzero()[0]) if differ.any() else min(count, len(one) - 1)
    return float(one[index])
