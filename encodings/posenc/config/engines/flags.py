"""What engines with a flag for the base and one for the factor can be told."""

from dataclasses import dataclass

from posenc.config.data import Config
from posenc.config.layers import RopeLayer
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.words import say


@dataclass(frozen=True)
class Flags:
    """A base and a factor that divides the positions, for all layers.

    Args:
        rotary_dim: Rotated channels d.
        trained_base: b, the base of the model's own file.
        base: b', the base it is run with.
        factor: s, what every position is divided by.
        length: L, tokens to read; None where the file does not say.
    """

    rotary_dim: int
    trained_base: float
    base: float
    factor: float
    length: int | None


def flags_of(config: Config, before: Config, engine: str) -> Flags:
    """The base and the factor, where these are all that changes.

    Raises:
        ValueError: If layers differ, or a scaling is neither linear nor in the file already.
    """
    if not config.rotary:
        raise ValueError(
            say("{engine} has nothing to set: no layer of this model rotates.", engine=engine)
        )
    layers, trained = list(config.rotary.values()), list(before.rotary.values())
    if len(layers) != 1 or len(trained) != 1:
        raise ValueError(
            say("{engine} has flags for all layers at once, and these differ.", engine=engine)
        )
    layer, old = layers[0], trained[0]
    if not changed(config, before):  # the engine reads the file's own scaling
        return Flags(layer.rotary_dim, old.base, old.base, 1.0, config.reach)
    if layer.scaling is not None and not isinstance(layer.scaling, Linear):
        raise ValueError(
            say(
                "{engine} has no flag for {kind} scaling: it takes it from the model's file, or "
                "not at all.",
                engine=engine,
                kind=layer.rope_type,
            )
        )
    if in_the_model_file(before):
        raise ValueError(
            say(
                "{engine} applies the {kind} scaling of the model's file beside its flags: change "
                "the file.",
                engine=engine,
                kind=old.rope_type,
            )
        )
    factor = layer.scaling.factor if isinstance(layer.scaling, Linear) else 1.0
    return Flags(layer.rotary_dim, old.base, layer.base, factor, config.reach)


def in_the_model_file(config: Config) -> bool:
    """True if a converted file carries a factor for each pair: Llama-3, LongRoPE, proportional."""
    kinds = Llama3 | LongRoPE | Proportional
    return any(isinstance(layer.scaling, kinds) for layer in config.rotary.values())


def changed(config: Config, before: Config) -> bool:
    """True if layers turn otherwise than in the model's own file."""

    def turning(one: Config) -> dict[str, tuple[object, ...]]:
        return {
            key: (layer.base, layer.rotary_dim, layer.scaling)
            for key, layer in one.layers.items()
            if isinstance(layer, RopeLayer)
        }

    return turning(config) != turning(before)
