"""Findings about layers: layout, rotated channels, layers without rotation, sections, chunks."""

import math
from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import TRANSFORMERS, dated, since
from advisor.findings.finding import Told, as_given, judge, judged_layers
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

INKLING = ("inkling", "inkling2")


@judge("info")
def interleaved_layout(config: Config) -> Iterator[Told]:
    """Neighbouring channels form the pairs."""
    layers = config.rotary.values()
    if not any(layer.layout == "interleaved" for layer in layers):
        return
    yield Told(
        ("model_type",),
        say(
            "{model} pairs neighbouring channels (2i, 2i+1), most other models (i, i + d/2). "
            "Where weights move from one layout to the other, the rows of W_q and W_k must be "
            "permuted.",
            model=config.model_type,
        ),
    )


@judge("info")
def partial_rotary_exponent(config: Config) -> Iterator[Told]:
    """The exponent counts over the rotated channels."""
    for judged in judged_layers(config, *_EVERY_BUT_PROPORTIONAL):
        layer = judged.layer
        if layer.rotary_dim < layer.head_dim:
            yield Told(
                (config.text.own_name("partial_rotary_factor"), "rotary_dim"),
                say(
                    "By its fields {rotated} of {channels} channels are rotated, and the exponent "
                    "counts over {rotated}: base^(-2i/{rotated}).",
                    rotated=layer.rotary_dim,
                    channels=layer.head_dim,
                ),
            )


_EVERY_BUT_PROPORTIONAL = (type(None), YaRN, Llama3, LongRoPE)


@judge("error")
def nope_flags_reversed(config: Config) -> Iterator[Told]:
    """Most layers would do without rotation: the flags are probably reversed."""
    flags = as_given(config).get("no_rope_layers")
    if not isinstance(flags, list) or not flags or 2 * sum(config.rope_layers) >= len(flags):
        return
    yield Told(
        ("no_rope_layers",),
        say(
            "Against its name, no_rope_layers holds 1 for a layer that does rotate; in this file "
            "{rotating} of {layers} layers rotate.",
            rotating=sum(config.rope_layers),
            layers=len(flags),
        ),
        say("Write 1 where RoPE is used and 0 where it is not."),
    )


@judge("error")
def nope_flags_count(config: Config) -> Iterator[Told]:
    """A flag for every layer."""
    text = config.text
    flags = as_given(config).get("no_rope_layers")
    layers = text.get("num_hidden_layers")
    if not isinstance(flags, list) or layers is None or len(flags) in (0, layers):
        return
    yield Told(
        ("no_rope_layers", text.own_name("num_hidden_layers")),
        say(
            "no_rope_layers holds {flags} flags for {layers} layers.",
            flags=len(flags),
            layers=layers,
        ),
        say("Write one flag for each layer."),
    )


@judge("error")
def mrope_sections(config: Config) -> Iterator[Told]:
    """The sections must cover every pair."""
    for judged in judged_layers(config):
        sections = judged.layer.mrope_section
        pairs = judged.layer.rotary_dim // 2
        if sections is not None and sum(sections) != pairs:
            yield Told(
                (judged.given.label("mrope_section"),),
                say(
                    "mrope_section {sections} covers {covered} of {pairs} pairs.",
                    sections=str(list(sections)),
                    covered=sum(sections),
                    pairs=pairs,
                ),
                say("Write sections whose sum is {pairs}.", pairs=pairs),
            )


@judge("warning")
def mrope_section_missing(config: Config) -> Iterator[Told]:
    """Sections that the class has, and servers look for in the file."""
    for judged in judged_layers(config):
        sections = judged.layer.mrope_section
        if sections is not None and not judged.given.given("mrope_section"):
            yield Told(
                (judged.given.label("mrope_section"),),
                say(
                    "The file names no mrope_section. {transformers} takes the class's own, "
                    "{sections}; vLLM and SGLang look for it here, and without it count the "
                    "patches of an image one after another, like words.",
                    transformers=TRANSFORMERS,
                    sections=str(list(sections)),
                ),
                say("Write mrope_section: {sections}.", sections=str(list(sections))),
            )


@judge("info")
def dual_chunk_elsewhere(config: Config) -> Iterator[Told]:
    """Dual Chunk Attention is not in transformers."""
    if config.dual_chunk is None:
        return
    yield Told(
        ("dual_chunk_attention_config",),
        say(
            "The file asks for chunks of {chunk:,} keys with a window of {window:,}. transformers "
            "and llama.cpp read on with plain positions. SGLang applies them; vLLM has not "
            "applied them since {gone}.",
            gone=dated("dual_chunk_attention_config", "vllm"),
            chunk=config.dual_chunk.chunk_length,
            window=config.dual_chunk.local_window,
        ),
        say(
            "With plain positions keep to the trained length, {trained:,} tokens, or take a "
            "release of vLLM before {gone}.",
            gone=since("dual_chunk_attention_config", "vllm"),
            trained=config.dual_chunk.chunk_length + config.dual_chunk.local_window,
        ),
    )


@judge("info")
def queries_grow(config: Config) -> Iterator[Told]:
    """Ministral 3 makes queries longer beyond the trained length, in steps."""
    for judged in judged_layers(config):
        beta = judged.given.get("llama_4_scaling_beta")
        if not isinstance(beta, int | float) or isinstance(beta, bool) or not beta:
            continue
        trained = judged.layer.original_length or 0
        name = judged.given.label("llama_4_scaling_beta")
        reads = (config.model_type or "").startswith(("ministral3", "mistral3", "mistral4"))
        told = say(
            "Besides the rotation, transformers multiplies the query at position p by "
            "1 + {beta:g} · ln(1 + ⌊p / {trained:,}⌋): by 1 below {trained:,}, by {twice:.3f} from "
            "there to twice that, and so on. The frequencies and the scale shown here do not "
            "hold that.",
            beta=beta,
            trained=trained,
            twice=1 + beta * math.log(2),
        )
        unread = say(
            "{field} is not read by the class of {model}.", field=name, model=config.model_type
        )
        yield Told((name,), told if reads else unread)


@judge("info")
def queries_grow_by_log(config: Config) -> Iterator[Told]:
    """Inkling makes queries longer from a position on, in layers that see everything."""
    if (config.model_type or "").removesuffix("_text") not in INKLING:
        return
    floor = config.text.integer("log_scaling_n_floor", 1)
    alpha = config.text.number("log_scaling_alpha")
    if floor is None or not alpha:
        return
    yield Told(
        ("log_scaling_n_floor", "log_scaling_alpha"),
        say(
            "In layers that see the whole text, the query at position p and its bias by distance "
            "are multiplied by 1 + {alpha:g} · ln((p + 1) / {floor:,}) from position {floor:,} on: "
            "by {twice:.3f} at twice that. Layers with a window are left as they are.",
            alpha=alpha,
            floor=floor,
            twice=1 + alpha * math.log(2),
        ),
    )


@judge("info")
def fixed_alpha(config: Config) -> Iterator[Told]:
    """Hunyuan's "dynamic" with alpha is one larger base, at every length."""
    if not config.family.fixed_alpha:
        return
    for judged in judged_layers(config, type(None)):
        layer = judged.layer
        alpha = judged.given.number("alpha")
        if not alpha:
            continue
        yield Told(
            (judged.given.label("alpha"),),
            say(
                "With alpha, the class of {model} does not follow the length: it turns by the base "
                "rope_theta · {alpha:g}^({channels}/{less}) = {base:,.0f} at every length, as "
                "NTK-aware scaling by {alpha:g} does.",
                model=config.model_type,
                alpha=alpha,
                channels=layer.head_dim,
                less=layer.head_dim - 2,
                base=layer.base,
            ),
        )


@judge("info")
def long_list_unused(config: Config) -> Iterator[Told]:
    """PhiMoE's class in transformers computes its frequencies without the length."""
    if not config.family.has_mscales:
        return
    for judged in judged_layers(config, LongRoPE):
        yield Told(
            (judged.given.label("long_factor"),),
            say(
                "Beyond {trained:,} tokens the model's own code divides by long_factor. The class "
                "of {model} in {transformers} keeps short_factor at every length and changes "
                "to long_mscale alone.",
                trained=judged.layer.original_length,
                model=config.model_type,
                transformers=TRANSFORMERS,
            ),
        )


@judge("info")
def rotary_dim_unread(config: Config) -> Iterator[Told]:
    """MiniMax's class in transformers turns whole heads, whatever rotary_dim says."""
    layers = [one for one in config.rotary.values() if one.rotary_dim < one.head_dim]
    is_theirs = config.read_as == "minimax"
    if not is_theirs and config.model_type not in ("minimax_text_01", "minimax_m1"):
        return
    if not layers or not config.text.given("rotary_dim"):
        return
    yield Told(
        ("rotary_dim",),
        say(
            "The file turns {rotated} of {channels} channels, as the code beside the weights and "
            "mlx-lm do. The class minimax of {transformers}, into whose form the files are "
            "converted, does not read rotary_dim and turns all {channels}.",
            rotated=layers[0].rotary_dim,
            channels=layers[0].head_dim,
            transformers=TRANSFORMERS,
        ),
        say("In transformers, compare an answer with that of another engine first."),
        severity="warning" if is_theirs else None,
    )


@judge("info")
def bias_ends(config: Config) -> Iterator[Told]:
    """Inkling's bias by distance ends, and in layers with a window it ends there."""
    windowed = config.layer_types.count("hybrid_sliding")
    if not windowed or (config.model_type or "").removesuffix("_text") not in INKLING:
        return
    reach = config.text.integer("max_distance", 1)
    window = config.text.integer("sliding_window", 1)
    yield Told(
        (config.text.own_name("sliding_window"), config.text.own_name("max_distance")),
        say(
            "{windowed} of {layers} layers see the last {window:,} tokens alone, with a bias for "
            "each distance within that window. The others see everything; their bias covers "
            "{reach:,} tokens and is 0 beyond.",
            windowed=windowed,
            layers=len(config.layer_types),
            window=window,
            reach=reach,
        ),
    )
