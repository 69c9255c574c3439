"""llama.cpp: arguments, and what it reads."""

import shlex
from collections.abc import Iterator
from dataclasses import replace

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import Engine, EngineReading, Serving, Written
from advisor.engines.flags import changed, in_the_model_file
from advisor.engines.gguf.model_file import architecture, capped, context_length
from advisor.engines.gguf.windows import BASE_ALONE, WINDOWS, full, left_alone, unreached
from advisor.engines.text import own_attention_factor, plain
from advisor.facts import TRIED, dated, gap, mark
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

CACHE_TYPES = {"float32": "f32", "fp8": "q8_0", "int8": "q8_0", "q8_0": "q8_0", "q4_0": "q4_0"}
"""llama.cpp's names for the types in `CACHE_BITS`; f16 is its own default."""


def write(config: Config, before: Config, serving: Serving) -> Written:
    """Flags, or the length alone where the model file has the rest."""
    if config.is_dynamic:
        raise ValueError("llama.cpp has no dynamic scaling.")
    length = serving.length_for(config)
    words, notes, first = rotation(config, before, length)
    kind = cache_type(serving)
    cache = [] if kind is None else ["--cache-type-k", kind, "--cache-type-v", kind]
    size: list[str] = []
    if length is not None:
        # A given number of slots shares --ctx-size evenly.
        size = ["--ctx-size", str(length * serving.batch)]
        size += ["-np", str(serving.batch)] if serving.batch > 1 else []
    if kind == "q8_0" != serving.cache_kind:
        notes.append(say("llama.cpp has no {kind} cache: q8_0 is next.", kind=serving.cache_kind))
    rest = shlex.join(size + cache) if in_a_converted_file(config, before, length) else None
    return Written(shlex.join(words + size + cache), tuple(notes), first=first, rest=rest)


def rotation(
    config: Config, before: Config, length: int | None
) -> tuple[list[str], list[Sentence], str]:
    """Flags for base, scaling and the file's length, what they cannot say, and what comes first."""
    reason = no_flags(config, before)
    if reason is not None:
        first = again(reason, config)
        return [], [first, *of_the_file(config)], first
    words: list[str] = []
    notes: list[Sentence] = []
    if left_alone(config, before):
        notes.append(
            say(
                "The layers with a window keep the values of the model file, which is harmless: "
                "the flags change the layers that see everything."
            )
        )
    # A file that is scaled already may have been made before its config.json was edited.
    own = len(config.rotary) == 1 and full(config).scaling is not None
    if not in_the_model_file(config) and (own or changed(config, before)):
        words += _flags(full(config), before)
        notes += _notes(full(config))
        if in_a_converted_file(config, before, length):
            notes.append(
                say(
                    "A GGUF file that was converted from this config.json carries its base and "
                    "scaling. One that was made from a file without them needs {flags} as well.",
                    flags=shlex.join(words),
                )
            )
    notes += in_its_code(config)
    if not capped(before, length):
        return words, notes, ""
    name = architecture(config)
    cap = _cap(length, name or "ARCH")
    if name is None:
        first = _nameless(before, length)
        return words, [*notes, first, cap], first
    words += ["--override-kv", f"{name}.context_length=int:{length}"]
    return words, [*notes, cap], ""


def in_a_converted_file(config: Config, before: Config, length: int | None) -> bool:
    """Whether the conversion of the unchanged config.json is known to write all that flags say.

    Source: llama.cpp 0c1e57098, conversion/; the rows of facts.json on Ollama, which has no flags.
    """
    if changed(config, before) or capped(before, length):
        return False
    is_written = gap("ollama", config, before) is None and not _has_unread_bounds(config)
    return is_written and mark("llama_cpp", config, before) == "ran"


def in_its_code(config: Config) -> Iterator[Sentence]:
    """Notes on differences from the config.json that no flag takes away."""
    still = _unturned(full(config)) if config.rotary else []
    if still:
        yield say(
            "llama.cpp leaves {count} of the slowest pairs of this model unturned, number "
            "{pairs}: beyond three times a section it takes a fourth position, which is 0 in "
            "a text (ggml_mrope_cache_init).",
            count=len(still),
            pairs=", ".join(str(one) for one in still),
        )
    scalings = [one.scaling for one in config.rotary.values()]
    if any(isinstance(one, YaRN) and not one.truncate for one in scalings):
        yield say("llama.cpp rounds the bounds of YaRN's ramp; no flag says otherwise.")


def of_the_file(config: Config) -> Iterator[Sentence]:
    """The same for programs that take all of the rotation from the model file."""
    yield from in_its_code(config)
    scaling = full(config).scaling if config.rotary else None
    if _has_unread_bounds(config):
        yield say(
            "llama.cpp does not read this file's beta_fast and beta_slow (src/models/), and "
            "runs with 32 and 1. llama-server has flags for them."
        )
    if config.model_type in BASE_ALONE and len(config.rotary) == 1 and scaling is not None:
        yield say("The layers with a window are not scaled, which is harmless.")


def _has_unread_bounds(config: Config) -> bool:
    """Whether YaRN's ramp has other bounds than those that llama.cpp runs a model file with."""
    scaling = full(config).scaling if config.rotary else None
    if not isinstance(scaling, YaRN) or config.model_type == "ministral3":
        return False
    return (scaling.beta_fast, scaling.beta_slow) != (32, 1)


def again(reason: Sentence, config: Config) -> Sentence:
    """Why no flag will do, and what does."""
    return say("{reason} {remedy}", reason=reason, remedy=convert(config))


def convert(config: Config) -> Sentence:
    """How a model file gets what no flag gives it.

    Raises:
        ValueError: If the conversion or the model's class would lose it.
    """
    lost = _lost(config) if config.rotary else None
    if lost:
        raise ValueError(lost)
    return say(
        "Convert the model again with llama.cpp's convert_hf_to_gguf.py, from the changed "
        "config.json with max_position_embeddings of {length}.",
        length=config.reach,
    )


def _lost(config: Config) -> str | None:
    layer = full(config)
    family = config.model_type
    if family in BASE_ALONE and config.rotary.get(WINDOWS, layer).base != layer.base:
        return (
            f"llama.cpp has one base for all layers of {family} (src/models/olmo2.cpp, mellum.cpp)."
        )
    if family in ("phi3", "phimoe") and not isinstance(layer.scaling, LongRoPE | None):
        return (
            f"llama.cpp's conversion of {family} (conversion/phi.py) drops {layer.rope_type} "
            "scaling, and its flags act beside LongRoPE's factors."
        )
    return None


def cache_type(serving: Serving) -> str | None:
    """Type of the cache; None for the engine's own choice."""
    return CACHE_TYPES.get(serving.cache_kind)


def no_flags(config: Config, before: Config) -> Sentence | None:
    """Why a change has no flag; None where it has one, or where nothing was changed."""
    if not changed(config, before):
        return None
    if in_the_model_file(before):
        return say(
            "The model file carries a factor for each pair (rope_freqs), which no flag changes or "
            "takes away; a scaling set by flags would act on top of it."
        )
    if in_the_model_file(config):
        return say(
            "llama.cpp has no flag for the factors of Llama-3 and LongRoPE scaling: it takes them "
            "from the model file."
        )
    return unreached(config, before)


def _cap(length: int | None, name: str) -> Sentence:
    return say(
        "Since {capped} llama-server gives a slot no more than the file's {name}.context_length, "
        "and says so only in its log; --override-kv raises that. Since {lifted} YaRN raises it "
        "too, but not where the file has that factor already. To check: n_ctx_slot in the log or "
        "n_ctx in /props is {length} or more.",
        capped=dated("context_length", "llama_cpp"),
        lifted=dated("yarn beyond context_length", "llama_cpp"),
        name=name,
        length=length,
    )


def _nameless(before: Config, length: int | None) -> Sentence:
    return say(
        "Add --override-kv ARCH.context_length=int:{length}, where ARCH is the file's "
        "general.architecture, whose name for this family is not known here: without it "
        "llama-server silently stays at {written:,} tokens.",
        length=length,
        written=context_length(before),
    )


def _unturned(layer: RopeLayer) -> list[int]:
    """Pairs of an interleaved M-RoPE that are beyond the section of their place."""
    sections = layer.mrope_section or ()
    if not layer.mrope_interleaved:
        return []
    return [pair for pair in range(sum(sections)) if pair >= 3 * sections[pair % 3]]


def _flags(layer: RopeLayer, before: Config) -> list[str]:
    scaling = layer.scaling
    flags = ["--rope-freq-base", plain(layer.base)]
    if isinstance(scaling, Linear):
        return [*flags, "--rope-scaling", "linear", "--rope-scale", plain(scaling.factor)]
    if isinstance(scaling, YaRN):
        flags += ["--rope-scaling", "yarn", "--rope-scale", plain(scaling.factor)]
        flags += ["--yarn-orig-ctx", str(scaling.original_length)]
        flags += ["--yarn-beta-fast", plain(scaling.beta_fast)]
        return [*flags, "--yarn-beta-slow", plain(scaling.beta_slow)]
    was_scaled = any(one.scaling is not None for one in before.rotary.values())
    return [*flags, "--rope-scaling", "none"] if was_scaled else flags


def _notes(layer: RopeLayer) -> Iterator[Sentence]:
    factor = own_attention_factor(layer)
    scaling = layer.scaling
    if factor is not None and isinstance(scaling, YaRN):
        usual = replace(scaling, attention_factor=None, mscale=None, mscale_all_dim=None)
        yield say(
            "llama.cpp computes YaRN's attention factor itself, {usual:.6g}; the file wants "
            "{factor:.6g}. Since {since} it does not use --yarn-attn-factor with YaRN; "
            "--override-kv ARCH.rope.scaling.attn_factor=float:{relative:.6g} sets it, where "
            "ARCH is the file's general.architecture.",
            since=dated("--yarn-attn-factor", "llama_cpp"),
            usual=usual.cos_sin_factor,
            factor=factor,
            relative=factor / usual.cos_sin_factor,
        )
    if isinstance(scaling, YaRN) and scaling.mscale and scaling.mscale_all_dim:
        yield say(
            "mscale and mscale_all_dim have no flag: llama.cpp takes them from the model file."
        )


def reading(new: EngineReading, config: Config, layer_type: str) -> EngineReading:
    """As transformers 5, whose fields the conversion wrote into the model file."""
    same = replace(new, engine=LLAMA_CPP.title)
    if config.model_type == "cohere" and context_length(config) != same.longest:
        same = replace(same, longest=context_length(config), longest_from="model_max_length")
    if isinstance(config.rotary[layer_type].scaling, DynamicNTK):
        return replace(same, factor=None, factor_from=say("llama.cpp has no dynamic scaling"))
    return same


LLAMA_CPP = Engine(
    id="llama_cpp",
    title="llama.cpp",
    place=say("after llama-server -m FILE"),
    versions=say(
        "The flags have these names since November 2023. --yarn-attn-factor has no effect with "
        "YaRN since {dead}: releases before then multiply YaRN's own factor by it.",
        dead=dated("--yarn-attn-factor", "llama_cpp"),
    ),
    sources=say(
        "{release}, in {package}",
        release=TRIED["llama_cpp"].dated,
        package=TRIED["llama_cpp"].within,
    ),
    write=write,
    form="--rope-",
    reading=reading,
    url="http://localhost:8080",
    look=say(
        "Its log says `n_ctx_slot = …`, and `exceeds the training context of the model … "
        "capping` where it gives less."
    ),
)
