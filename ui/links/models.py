"""Links between Config and the screens that show single parts of what it decides."""

from dataclasses import dataclass
from functools import cache

import streamlit as st

from advisor import RopeConfig, known_models
from advisor.comparing.layer import RopeLayer
from advisor.training import training
from ui import screen
from ui.screen import course
from ui.words import _

MOST_LINKS = 3
LARGEST_BASE = 1e9
LONGEST_TRAINED = 2**20
MOST_TIMES = 1024
WIDEST, MOST_DECODED = 512, 8192


@dataclass(frozen=True)
class ConfigLinks:
    """Ways to Config with the known models that have these frequencies, and the length."""

    rotary_dim: int
    base: float
    trained: int
    target: int

    def draw(self) -> screen.Drawn:
        """A link for each."""
        names = _with_frequencies(self.rotary_dim, self.base, self.trained)[:MOST_LINKS]
        target = self.target
        with st.container(horizontal=True):
            for name in names:
                words = _("{model} to {target:,} tokens: what to set", model=name, target=target)
                course.page_link("config", words, {"model": name, "target_length": str(target)})
            course.page_link("measured", _("Measured on a real model"), {"view": "loss"})
        return screen.Drawn()


@cache
def _with_frequencies(rotary_dim: int, base: float, trained: int) -> tuple[str, ...]:
    """Names of the known models whose layers all turn so, and were trained so far."""
    found = []
    for name, model in known_models().items():
        config = RopeConfig.from_hf(model.config)
        layers = list(config.rotary.values())
        if len(layers) != 1 or (layers[0].rotary_dim, layers[0].base) != (rotary_dim, base):
            continue
        if training(config, next(iter(config.rotary))).length == trained:
            found.append(name)
    return tuple(found)


def from_config(layer: RopeLayer, trained: int | None, target: int) -> None:
    """Draw links from Config to Scaling and KV cache with the frequencies and lengths of a layer.

    None where these screens do not go so far.
    """
    fits = layer.base <= LARGEST_BASE and layer.head_dim <= WIDEST and (trained or 0) >= 4
    if trained is None or not fits or trained > LONGEST_TRAINED:
        return
    factor = min(max(target / trained, 1.0), MOST_TIMES)
    rotary = 0 if layer.rotary_dim == layer.head_dim else layer.rotary_dim
    scaling, cached = st.columns(2)
    with scaling:
        course.page_link(
            "scaling",
            _("These frequencies under every method: Linear, NTK, YaRN"),
            {
                "head_dim": str(layer.head_dim),
                "rotary_dim": str(rotary),
                "base": str(layer.base),
                "train_length": str(trained),
                "factor": f"{factor:.6g}",
            },
        )
    with cached:
        course.page_link(
            "kv_cache",
            _("Keys in the cache while the base grows: KV cache"),
            {
                "view": "growing_base",
                "trained_length": str(trained),
                "rotary_dim": str(layer.rotary_dim),
                "rope_base": str(layer.base),
                "prompt": str(trained),
                "decoded": str(min(max(target - trained, 1), MOST_DECODED)),
            },
        )
