"""Every engine, and which field of a config.json counts for it."""

from posenc.checks import check_choice
from posenc.config.data import Config
from posenc.config.engines import llama_cpp, vllm
from posenc.config.engines.reading import EngineReading
from posenc.config.engines.transformers import new, old

# Each says how it differs from transformers 5.
_OTHERS = (old, vllm, llama_cpp)
ENGINES = (new.NAME, *(engine.NAME for engine in _OTHERS))


def engine_readings(config: Config, layer_type: str) -> tuple[EngineReading, ...]:
    """What each engine makes of the lengths that a file gives for one layer type.

    Args:
        config: A model's configuration.
        layer_type: Key of `config.rotary`.

    Returns:
        One reading for each of `ENGINES`.

    Raises:
        ValueError: If there is no such layer type.

    Source: transformers 5.23 and 4.51, modeling_rope_utils.py (issue 38224: YaRN's factor was
    replaced by the ratio of the lengths); vLLM, _get_and_verify_max_len; llama.cpp,
    llama-context.cpp and the conversion script. Read, not run, transformers 5.23 excepted.
    """
    check_choice("layer_type", layer_type, list(config.rotary))
    first = new.reading(config, layer_type)
    return first, *(engine.reading(first, config, layer_type) for engine in _OTHERS)
