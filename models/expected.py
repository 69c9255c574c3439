"""A model's answers to the short prompts of `posenc check`, read in several ways."""

from collections.abc import Iterator
from dataclasses import replace

from advisor import RopeConfig
from advisor.comparing.layer import RopeLayer
from advisor.endpoint.prompts import SHORT
from advisor.endpoint.scaling import FILE, NONE, Expected
from models.change import Change
from models.forward import forward
from models.opened import Model
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN

KEPT = 200
"""Tokens of which a log-probability is kept, the most likely ones."""
OTHER_BASE = 10000.0
"""Base of an engine that does not find rope_theta."""


def expected(model: Model, config: RopeConfig) -> Expected:
    """Log-probabilities of the next token of every short prompt, for each way of reading it.

    Args:
        model: The model.
        config: What the server should run: the model's file with the scaling.

    Returns:
        As the file says, without its scaling, with another base, and with half and twice the
        factor: what engines are known to make of a file.

    Raises:
        ValueError: If a layer of the model does what cannot be followed.
    """
    return Expected(
        model.title, {name: _tops(replace(model, config=read)) for name, read in _readings(config)}
    )


def _readings(config: RopeConfig) -> Iterator[tuple[str, RopeConfig]]:
    """Configurations by what is said of them."""
    yield FILE, config
    layers = {name: one for name, one in config.rotary.items()}
    for name, change in (
        (NONE, lambda one: replace(one, scaling=None)),
        (f"base {OTHER_BASE:.0f}", lambda one: replace(one, base=OTHER_BASE)),
        ("half the factor", lambda one: _times(one, 0.5)),
        ("twice the factor", lambda one: _times(one, 2.0)),
    ):
        changed = {key: change(one) for key, one in layers.items()}
        if changed != layers or name == NONE:
            yield name, replace(config, layers={**config.layers, **changed})


def _times(layer: RopeLayer, times: float) -> RopeLayer:
    scaling = layer.scaling
    if not isinstance(scaling, YaRN | Linear) or scaling.factor * times <= 1:
        return layer
    return replace(layer, scaling=replace(scaling, factor=scaling.factor * times))


def _tops(model: Model) -> tuple[dict[str, float], ...]:
    decode = model.vocabulary.tokenizer.decode
    found = []
    for prompt in SHORT:
        seen = forward(model, model.tokens(prompt).ids, Change())
        values, ids = (
            seen.logits(seen.length - 1, seen.length)[0].double().log_softmax(-1).topk(KEPT)
        )
        top: dict[str, float] = {}
        for token, value in zip(ids.tolist(), values.tolist(), strict=True):
            # Two tokens with one text: the more likely one, which comes first.
            top.setdefault(decode([token], skip_special_tokens=False), round(value, 5))
        found.append(top)
    return tuple(found)
