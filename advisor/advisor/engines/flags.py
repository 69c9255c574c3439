"""Which settings need flags, and which a converted file holds already."""

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional


def in_the_model_file(config: Config) -> bool:
    """True if a converted file carries a factor for each pair: Llama-3, LongRoPE, proportional."""
    return config.is_scaled_by(Llama3, LongRoPE, Proportional)


def changed(config: Config, before: Config) -> bool:
    """True if layers turn otherwise than in the model's own file."""

    def turning(one: Config) -> dict[str, tuple[object, ...]]:
        return {
            key: (layer.base, layer.rotary_dim, layer.scaling)
            for key, layer in one.layers.items()
            if isinstance(layer, RopeLayer)
        }

    return turning(config) != turning(before)
