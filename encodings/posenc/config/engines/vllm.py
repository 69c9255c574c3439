"""vLLM: its arguments, and what it reads."""

import json
from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.reading import EngineReading
from posenc.config.engines.transformers.write import to_hf_fragment
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN

NAME = "vLLM"


def to_vllm(config: Config) -> list[str]:
    """See `RopeConfig.to_vllm`."""
    # max_position_embeddings too: vLLM refuses a longer text than the file (times factor) declares.
    fields = to_hf_fragment(config)
    overrides = ["--hf-overrides", json.dumps(fields, separators=(",", ":"))] if fields else []
    length = [] if config.reach is None else ["--max-model-len", str(config.reach)]
    return overrides + length


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, but the longest text is worked out with the factor."""
    same = replace(new, engine=NAME)
    scaling = config.rotary[layer_type].scaling
    if isinstance(scaling, YaRN):
        product = round(scaling.original_length * scaling.factor)
        return replace(same, longest=product, longest_from=f"{same.trained_from} · factor")
    if isinstance(scaling, Linear | DynamicNTK) and same.longest is not None:
        product = round(same.longest * scaling.factor)
        return replace(same, longest=product, longest_from=f"{same.longest_from} · factor")
    return same
