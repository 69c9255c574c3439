"""THE list of engines: what each is told, and which field of a config.json counts for it.

To add one: a file beside this one, or in the folder of its kind, and a line in `ENGINES`.
"""

import json
import math
from collections.abc import Callable
from dataclasses import replace

from advisor.data import Config
from advisor.engines.engine import (
    Engine,
    EngineReading,
    Serving,
    TooLong,
    Written,
    check_known,
)
from advisor.engines.exllama import EXLLAMAV2, EXLLAMAV3, TABBYAPI
from advisor.engines.gguf.llama_cpp import LLAMA_CPP
from advisor.engines.gguf.programs import KOBOLDCPP, LM_STUDIO, OLLAMA
from advisor.engines.lmdeploy import LMDEPLOY
from advisor.engines.mlx import MLX, MLX_VLM
from advisor.engines.overrides import says
from advisor.engines.sglang import SGLANG
from advisor.engines.tensorrt_llm import TENSORRT_LLM
from advisor.engines.text import IN_CONFIG
from advisor.engines.tgi import TGI
from advisor.engines.transformers import new
from advisor.engines.transformers.forms import NEW, OLD, names_own_code, reads_own_code
from advisor.engines.vllm import VLLM, VLLM_OLD
from advisor.engines.webui import WEBUI_EXLLAMA, WEBUI_LLAMA_CPP
from advisor.facts import (
    NONE,
    TRANSFORMERS,
    TRIED,
    Mark,
    asked,
    gap,
    mark,
    no_windows,
    refusal,
    refused_file,
)
from advisor.released import released_without_window
from advisor.training import training
from posenc.checks import check_choice
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import Sentence, say

HEAD_DIM = say(
    "head_dim, the width of a head, stands in it because {transformers} fails with such a scaling "
    "where head_dim is null.",
    transformers=TRANSFORMERS,
)
ENGINES: dict[str, Engine] = {
    engine.id: engine
    for engine in (
        *(VLLM, SGLANG, LLAMA_CPP, OLLAMA, NEW, OLD, MLX, MLX_VLM, LM_STUDIO, KOBOLDCPP),
        *(LMDEPLOY, TENSORRT_LLM, EXLLAMAV3, TABBYAPI, EXLLAMAV2, WEBUI_LLAMA_CPP),
        *(WEBUI_EXLLAMA, TGI, VLLM_OLD),
    )
}
"""Every engine by id, those that most people use first."""
READ_BY_TRANSFORMERS = ("vllm", "vllm_old", "sglang", "lmdeploy")
"""Engines that read config.json with the class of transformers before any argument."""

WITH_CHUNKS = ("sglang", "vllm_old")
"""Engines with Dual Chunk Attention; vLLM has it no longer since 0.11.0 (PR 25351)."""


def settings(
    config: Config, engine: str, before: Config | None = None, serving: Serving | None = None
) -> Written:
    """Settings for one engine.

    Args:
        config: What the engine is to do.
        engine: Id of one of `ENGINES`.
        before: What the model's own file says, where the configuration was changed: files that
            were made from it (GGUF) go on saying that.
        serving: What else was asked for.

    Raises:
        ValueError: If the engine cannot do it, or does nothing with it for this family, or the
            model is not known; `TooLong` if the model does not read so far there.
    """
    check_choice("engine", engine, list(ENGINES))
    check_known(config)
    before = before or config
    serving = serving or Serving()
    try:
        return _settings(config, engine, before, serving)
    except ValueError:
        plain = _asleep(config, before, serving)
        if plain is None:
            raise
        return _settings(plain, engine, plain, serving)


def _asleep(config: Config, before: Config, serving: Serving) -> Config | None:
    """The file without its dynamic scaling, where the length is within what that leaves alone."""
    scalings = [layer.scaling for layer in config.rotary.values()]
    is_within = scalings and all(
        isinstance(one, DynamicNTK) and (serving.length or math.inf) <= one.original_length
        for one in scalings
    )
    if not is_within or config.layers != before.layers:
        return None
    layers = {key: replace(layer, scaling=None) for key, layer in config.rotary.items()}
    return replace(config, layers={**config.layers, **layers})


def _settings(config: Config, engine: str, before: Config, serving: Serving) -> Written:
    """`settings` with every argument resolved."""
    found = gap(engine, config, before)
    if found is not None:
        raise ValueError(refusal(found, config, before, _writing(config, before)))
    if not config.rotary:
        serving.length_for(config)  # a table ends in every engine
    _check_chunks(engine, config, serving)
    _check_windows(engine, config, before, serving)
    written = ENGINES[engine].write(config, before, serving)
    windows = no_windows(engine, config, serving.length)
    if released_without_window(before):
        windows = None  # no fault of the engine's
    family_note = config.family_note
    notes = written.notes if windows is None else (*written.notes, windows)
    first = (_take_out(engine, before), _trust(engine, before), family_note)
    notes = (*(one for one in reversed(first) if one is not None), *notes)
    if '"head_dim"' in written.to_paste:
        notes = (*notes, HEAD_DIM)
    about = ENGINES[engine]
    versions = (written.versions or about.versions) if about.form in written.to_paste else ""
    tried = provenance(config, engine, before)
    return replace(
        written,
        notes=notes,
        versions=versions,
        tried=tried,
        is_in_file=_is_in_file(about, written, config, before),
    )


def _is_in_file(about: Engine, written: Written, config: Config, before: Config) -> bool:
    """Whether a model's own file has the fields that an engine is to find in it."""
    if about.place != IN_CONFIG or not written.text or config.layers != before.layers:
        return False
    fields = before.text_in(json.loads(written.text))
    if about is NEW:
        fields.pop("rope_parameters", None)  # it reads the older form as well
    return says(before, fields)


def _check_chunks(engine: str, config: Config, serving: Serving) -> None:
    """Refuse a text that only Dual Chunk Attention reads where the engine does not have it.

    Raises:
        TooLong: If the length is more than the chunks cover and nothing else scales it.
    """
    dual = config.dual_chunk
    if dual is None or engine in WITH_CHUNKS:
        return
    trained = dual.chunk_length + dual.local_window
    is_plain = all(layer.scaling is None for layer in config.rotary.values())
    if is_plain and (serving.length or 0) > trained:
        raise TooLong(
            f"{ENGINES[engine].title} does not have the Dual Chunk Attention that the file asks "
            f"for: beyond {trained:,} tokens positions are new to the model. SGLang has it; "
            "elsewhere take YaRN as the method."
        )


def _check_windows(engine: str, config: Config, before: Config, serving: Serving) -> None:
    """Refuse an unscaled text beyond the training in an engine that lacks the model's windows.

    Raises:
        TooLong: If it does; ValueError if the window is not the model's.

    Source: llama.cpp, issue 3867.
    """
    length = serving.length or config.reach
    windows = no_windows(engine, config, length)
    if windows is None or length is None or asked(config, before) - {NONE}:
        return
    trained = training(before, next(iter(before.rotary))).length
    if trained is None or length <= trained:
        return
    model = released_without_window(before)
    if model:
        told = say(
            "{model}, which has this shape and base, is released without a window: write "
            "sliding_window: null first.",
            model=model,
        )
        raise ValueError(told)
    told = say(
        "No setting for {length:,} tokens. {windows} Training has shown no distance of {window:,} "
        "or more, and no text of more than {trained:,} tokens: take at most {window:,} tokens, or "
        "an engine with windows: {engines}.",
        length=length,
        windows=windows,
        window=config.text.get("sliding_window"),
        trained=trained,
        engines=f"{TRIED['vllm'].release}, {TRIED['transformers_5'].release}",
    )
    raise TooLong(told)


def _take_out(engine: str, before: Config) -> Sentence | None:
    """The change that a file needs first where the engine cannot load it."""
    refused = refused_file(before)
    if refused is None or engine not in READ_BY_TRANSFORMERS:
        return None
    return say(
        "Take the scaling out of config.json first: {engine} reads the file with the class of "
        "transformers, which refuses it ({where}), and lays these arguments over it after that.",
        engine=ENGINES[engine].title,
        where=refused.where,
    )


def _trust(engine: str, before: Config) -> Sentence | None:
    """Note on code beside the weights, which a server runs only where it is told to."""
    if engine not in READ_BY_TRANSFORMERS or not reads_own_code(before):
        return None
    told = {"model": before.model_type or "null", "engine": ENGINES[engine].title}
    if names_own_code(before):
        return say(
            "Add --trust-remote-code: transformers has no class for {model}, and the code beside "
            "the weights is run.",
            **told,
        )
    return say(
        "transformers has no class for {model}, and the file names no code of its own (auto_map): "
        "{engine} does not load it unless it has a class for that type itself.",
        **told,
    )


def answer(
    config: Config, engine: str, before: Config, serving: Serving | None = None
) -> tuple[Mark, Written | str]:
    """The mark of what one engine is told, and `settings` of the same, or why there are none."""
    word = mark(engine, config, before)
    plain = _asleep(config, before, serving or Serving())
    if word == "ignored" and plain is not None:
        word = mark(engine, plain, plain)
    try:
        return word, settings(config, engine, before, serving)
    except ValueError as error:
        return "ignored" if word == "ignored" else "refused", error.args[0]


def _writing(config: Config, before: Config) -> Callable[[str], bool]:
    """Whether an engine by id has settings for a configuration."""

    def writes(engine: str) -> bool:
        try:
            ENGINES[engine].write(config, before, Serving())
        except ValueError:
            return False
        return True

    return writes


def provenance(config: Config, engine: str, before: Config) -> Sentence:
    """Whether an engine was run or only read for this model's family, with its sources."""
    told = {"model": config.model_type, "sources": ENGINES[engine].sources}
    word = mark(engine, config, before)
    if word == "ran":
        return say("Run for {model}: {sources}.", **told)
    if word == "ignored":
        return say("Ignored for {model}: {sources}.", **told)
    if word == "refused":
        return say("Refused for {model}: {sources}.", **told)
    if word == "not tried":
        return say("Not tried for {model}; read: {sources}.", **told)
    return say("Read, not run, for {model}: {sources}.", **told)


def engine_readings(config: Config, layer_type: str) -> tuple[EngineReading, ...]:
    """Each engine's reading of the lengths that a file gives for one layer type.

    Returns:
        A reading of transformers 5, and of every other engine that is known to read otherwise.

    Raises:
        ValueError: If there is no such layer type.

    Source: `sources` of the engines.
    """
    check_choice("layer_type", layer_type, list(config.rotary))
    first = new.reading(config, layer_type)
    others = [engine.reading for engine in ENGINES.values() if engine.reading is not None]
    return first, *(read(first, config, layer_type) for read in others)
