"""Programs that run llama.cpp: koboldcpp by arguments, LM Studio by load settings, Ollama."""

import shlex
from dataclasses import replace
from typing import Any

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.flags import changed
from advisor.engines.gguf.llama_cpp import again, cache_type, no_flags, of_the_file
from advisor.engines.gguf.model_file import capped
from advisor.engines.gguf.windows import full, unreached
from advisor.engines.text import as_json
from advisor.facts import TRIED
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

LONGEST = 262144
"""The largest --contextsize; a larger one ends the program."""


def _write_koboldcpp(config: Config, before: Config, serving: Serving) -> Written:
    """--contextsize, and --ropeconfig where something changes."""
    if config.is_dynamic:
        raise ValueError("koboldcpp runs llama.cpp, which has no dynamic scaling.")
    length = serving.length_for(config)
    if length is not None and length > LONGEST:
        raise ValueError(f"koboldcpp takes a --contextsize of up to {LONGEST} tokens.")
    words = [] if length is None else ["--contextsize", str(length)]
    kind = cache_type(serving)
    if kind in ("q8_0", "q4_0"):
        words += ["--quantkv", kind]
    notes = of_the_file(config)
    if not changed(config, before):  # --ropeconfig would switch the file's own scaling off
        return Written(shlex.join(words), tuple(notes))
    reason = no_flags(config, before) or _no_ropeconfig(full(config), full(before))
    if reason is not None:
        first = again(reason, config)
        return Written(shlex.join(words), (first, *notes), first=first)
    scale = 1 / getattr(full(config).scaling, "factor", 1.0)
    words += ["--ropeconfig", f"{scale:.10g}", f"{full(config).base:.10g}"]
    return Written(shlex.join(words), tuple(notes))


def _no_ropeconfig(layer: RopeLayer, was: RopeLayer) -> Sentence | None:
    """Why a factor and a base are not enough; None where they are.

    The factor works in the way that the file names: of a file with YaRN it becomes YaRN's.
    """
    if layer.scaling is None:
        return None
    if isinstance(was.scaling, YaRN):
        same = (
            isinstance(layer.scaling, YaRN)
            and replace(layer.scaling, factor=was.scaling.factor) == was.scaling
        )
        return (
            None
            if same
            else say("koboldcpp changes the factor of the file's YaRN and nothing else of it.")
        )
    if isinstance(layer.scaling, Linear):
        return None
    return say(
        "koboldcpp has no flag for {kind} scaling: it takes it from the model file.",
        kind=layer.rope_type,
    )


KOBOLDCPP = Engine(
    id="koboldcpp",
    title="koboldcpp",
    place=say("after koboldcpp --model FILE"),
    versions=say(
        "Without --ropeconfig it takes a "
        "scaling from the file, and raises a base of 10,000 or 500,000 by itself when the context "
        "is longer than the file's."
    ),
    sources=say(
        "{release} and copies of 2026, koboldcpp.py and gpttype_adapter.cpp",
        release=TRIED["koboldcpp"].dated,
    ),
    write=_write_koboldcpp,
    url="http://localhost:5001",
    look=say("`/api/extra/true_max_context_length` of its server names the length."),
)


def _write_lm_studio(config: Config, before: Config, serving: Serving) -> Written:
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
    first = again(reason, config)
    return Written(as_json(fields), (first, *notes), first=first)


LM_STUDIO = Engine(
    id="lm_studio",
    title="LM Studio",
    place=say("in the load settings of the model (lmstudio-js: the config of model.load)"),
    versions=say(
        "The SDK was read; the application itself is closed. Its MLX engine reads "
        "config.json, as mlx-lm does."
    ),
    sources=say("{release}, LLMLoadModelConfig.ts", release=TRIED["lm_studio"].dated),
    write=_write_lm_studio,
    language="json",
    url="http://localhost:1234",
    look=say("`/api/v0/models` of its server names `loaded_context_length`."),
)


def _write_ollama(config: Config, before: Config, serving: Serving) -> Written:
    """num_ctx; everything else is in the GGUF file."""
    if config.is_dynamic:
        raise ValueError("Ollama runs llama.cpp, which has no dynamic scaling.")
    length = serving.length_for(config)
    text = "" if length is None else f"PARAMETER num_ctx {length}"
    first = ""
    if changed(config, before):
        reason = say("Ollama has no setting for base or scaling: it takes them from the GGUF file.")
        first = say(
            "{again} `ollama create` from safetensors drops YaRN for some models and its "
            "trained length for others.",
            again=again(reason, config),
        )
    elif capped(before, length):
        reason = say(
            "Ollama cuts num_ctx down to the context_length of the GGUF file, and says so only in "
            "the server's log."
        )
        first = again(reason, config)
    notes: list[str] = [first] if first else []
    notes += of_the_file(config)
    kind = cache_type(serving)
    if kind is not None:
        notes.append(say("Start the server with OLLAMA_KV_CACHE_TYPE={kind}.", kind=kind))
    if serving.batch > 1:
        notes.append(say("Start the server with OLLAMA_NUM_PARALLEL={count}.", count=serving.batch))
    return Written(text, tuple(notes), first=first)


OLLAMA = Engine(
    id="ollama",
    title="Ollama",
    place=say("in the Modelfile"),
    versions=say(
        "It runs llama-server of b10488. A num_ctx above the "
        "context length of the GGUF file is cut down to it, with a line in the server's log alone."
    ),
    sources=say("{release}: api/types.go, llm/server.go, convert/", release=TRIED["ollama"].dated),
    write=_write_ollama,
    language="text",
    url="http://localhost:11434",
    look=say("`ollama ps` shows the length of the loaded model in its column CONTEXT."),
)
