"""LM Studio: load settings, as its SDK and its model page have them."""

from typing import Any

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed
from posenc.config.engines.gguf.llama_cpp import again, cache_type, of_the_file
from posenc.config.engines.gguf.windows import full, unreached
from posenc.config.engines.text import as_json
from posenc.config.facts import tried
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """contextLength, and ropeFrequencyBase where the base is all that changes."""
    if config.is_dynamic:
        raise ValueError("LM Studio runs llama.cpp, which has no dynamic scaling.")
    length = serving.length_for(config)
    fields: dict[str, Any] = {} if length is None else {"contextLength": length}
    kind = cache_type(serving)
    if kind is not None:
        fields |= {"llamaKCacheQuantizationType": kind, "llamaVCacheQuantizationType": kind}
    if serving.batch > 1:  # each with the whole length
        fields |= {"maxParallelPredictions": serving.batch, "useUnifiedKvCache": False}
    notes = of_the_file(config)
    if not changed(config, before):
        return Written(as_json(fields), tuple(notes))
    layers = (*config.rotary.values(), *before.rotary.values())
    unscaled = all(layer.scaling is None for layer in layers)
    if unscaled and unreached(config, before) is None:
        return Written(as_json({**fields, "ropeFrequencyBase": full(config).base}), tuple(notes))
    reason = say(
        "LM Studio has no setting for YaRN, and its page does not say whether the RoPE frequency "
        "scale is a factor or its inverse."
    )
    return Written(as_json(fields), (again(reason, config), *notes))


LM_STUDIO = Engine(
    id="lm_studio",
    title="LM Studio",
    place=say("in the load settings of the model (lmstudio-js: the config of model.load)"),
    versions=say(
        "The SDK was read; the application itself is closed. Its MLX engine reads "
        "config.json, as mlx-lm does."
    ),
    sources=say("{release}, LLMLoadModelConfig.ts", release=tried()["lm_studio"].dated),
    write=write,
    language="json",
)
