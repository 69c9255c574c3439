"""Effects of llama.cpp's flags on layers with a window.

Source: llama.cpp 0c1e57098, `get_rope_freq_base` and `get_rope_freq_scale` in llama-model.cpp and
the graphs in src/models. Run for the families that data/engines.json names.
"""

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.flags import changed
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

KEEP = (
    *("gemma2", "gemma3_text", "gemma3n_text", "gemma4_text", "gpt_oss", "llama4_text"),
    *("mimo_v2_flash", "modernbert", "afmoe", "step3p5", "laguna"),
)
"""Families whose layers with a window keep the base and the factor of the GGUF file."""
BASE_ALONE = ("olmo3", "mellum")
"""Families whose layers with a window take the base of the flag and are never scaled."""
WINDOWS = "sliding_attention"


def full(config: Config) -> RopeLayer:
    """The layers that flags are about."""
    return config.rotary.get("full_attention") or next(iter(config.rotary.values()))


def unreached(config: Config, before: Config) -> Sentence | None:
    """Why flags would not do what is asked; None where they do, but for `left_alone`."""
    family = config.model_type
    layers = config.rotary
    window = layers.get(WINDOWS)
    was = before.rotary.get(WINDOWS)
    if family in KEEP and "rope" in layers:
        return say(
            "The flags do nothing for this model: its layers that rotate have a window, and these "
            "keep the values of the model file."
        )
    if family in KEEP and len(layers) == 1 and _breaks(full(before), full(config)):
        return say(
            "The flags would scale the layers with a window linearly: these keep the factor of the "
            "model file, and lose its YaRN."
        )
    if len(layers) == 1:
        return None
    if window is None or was is None:
        return say("The flags hold for all layers at once, and these layers differ.")
    if family in KEEP and (window.base, window.scaling) == (was.base, was.scaling):
        return None
    if family in BASE_ALONE and window.scaling is None:
        if window.base == full(config).base:
            return None
        return say("--rope-freq-base changes the layers with a window as well.")
    return say("The flags hold for all layers at once, and these layers differ.")


def left_alone(config: Config, before: Config) -> bool:
    """Whether layers with a window keep what they have although a change of all was asked for."""
    one_kind = len(config.rotary) == 1 and changed(config, before)
    if config.model_type in BASE_ALONE:
        return one_kind and full(config).scaling is not None
    return one_kind and config.model_type in KEEP


def _breaks(was: RopeLayer, now: RopeLayer) -> bool:
    """Whether layers that keep their factor would lose the ramp that it is meant for."""
    return was.scaling is not None and (
        isinstance(was.scaling, YaRN) != isinstance(now.scaling, YaRN)
    )
