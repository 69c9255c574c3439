"""llama.cpp: its arguments, and what it reads."""

from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.reading import EngineReading
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say

NAME = "llama.cpp"


def to_llama_cpp(config: Config) -> list[str]:
    """See `RopeConfig.to_llama_cpp`."""
    size = [] if config.reach is None else ["--ctx-size", str(config.reach)]
    if len(config.rotary) != 1:
        return size
    layer = next(iter(config.rotary.values()))
    scaling = layer.scaling
    if isinstance(scaling, DynamicNTK):
        raise ValueError(say("rope_type must be one that llama.cpp knows, got 'dynamic'."))
    if isinstance(scaling, Llama3 | LongRoPE | Proportional):
        return size
    flags = ["--rope-freq-base", _plain(layer.base)]
    if isinstance(scaling, Linear):
        flags += ["--rope-scaling", "linear", "--rope-scale", _plain(scaling.factor)]
    if isinstance(scaling, YaRN):
        flags += ["--rope-scaling", "yarn", "--rope-scale", _plain(scaling.factor)]
        flags += ["--yarn-orig-ctx", str(scaling.original_length)]
        flags += ["--yarn-beta-fast", _plain(scaling.beta_fast)]
        flags += ["--yarn-beta-slow", _plain(scaling.beta_slow)]
    return flags + size


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, whose fields the conversion wrote into the model file."""
    same = replace(new, engine=NAME)
    if isinstance(config.rotary[layer_type].scaling, DynamicNTK):
        return replace(same, factor=None, factor_from=say("llama.cpp has no dynamic scaling"))
    return same
