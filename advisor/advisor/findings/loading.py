"""Findings about what transformers 5.23 refuses, or reads otherwise than the file says."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import TRANSFORMERS
from advisor.families.all import name_of
from advisor.families.classes import usual_parameters
from advisor.fields import kind_of
from advisor.findings.finding import (
    SCALINGS,
    Judged,
    Told,
    as_given,
    is_scaling,
    judge,
    judged_layers,
    ratio,
)
from advisor.reader.scalings import rope_type_of
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say


@judge("error")
def type_alone_lost(config: Config) -> Iterator[Told]:
    """With `type` transformers 5.23 leaves Gemma 3, and others with two bases, unscaled."""
    for judged in judged_layers(config):
        if loses_type(config, judged) and judged.scaling is not None:
            yield Told(
                (judged.given.label("type"),),
                say(
                    "{transformers} sets the rope_type of {model} to default before it reads "
                    "this object, and `type: {kind}` does not replace it: the layers stay "
                    "unscaled.",
                    model=config.model_type,
                    kind=judged.layer.rope_type,
                    transformers=TRANSFORMERS,
                ),
                say("Write rope_type: {kind}.", kind=judged.layer.rope_type),
            )


def loses_type(config: Config, judged: Judged) -> bool:
    """A scaling of the older fields with `type` alone, for a class with a base for each kind."""
    is_old = judged.path == ("rope_scaling",) and bool(config.family.local_base)
    return is_old and judged.given.given("type") and not judged.given.given("rope_type")


@judge("error")
def base_not_taken(config: Config) -> Iterator[Told]:
    """A base that the file gives and the class does not look at."""
    given = as_given(config)
    inner = given.get("attn_config")
    if config.model_type == "dbrx" and isinstance(inner, dict):
        yield from _dbrx_base(config, inner.get("rope_theta"))
        return
    base = given.get("rope_theta")
    objects = ("rope_scaling", "rope_parameters")
    is_alone = all(given.get(name) in (None, {}) for name in objects)
    turning = {layer.base for layer in config.rotary.values()}
    used = turning | {one.get("rope_theta") for one in config.parameters.values()}
    if not isinstance(base, int | float) or not is_alone or not turning or base in used:
        return
    yield Told(
        ("rope_theta",),
        say(
            "{transformers} does not look at rope_theta in a {model} file: the layers turn by "
            "base {base}.",
            model=config.model_type,
            base=", ".join(f"{one:,.0f}" for one in sorted(turning)),
            transformers=TRANSFORMERS,
        ),
        say("Write the base into {place}, where the class looks for it.", place=_place(config)),
    )


def _place(config: Config) -> str:
    """Where the class looks for the base."""
    own = config.family.names.get("rope_theta", "rope_parameters")
    return "layer_rope_theta" if as_given(config).get("layer_rope_theta") else own


def _dbrx_base(config: Config, base: object) -> Iterator[Told]:
    """The base of DBRX as it was released."""
    within = [one.get("rope_theta") for one in config.objects.values()]
    if base in (None, 10000) or as_given(config).get("rope_theta") is not None or any(within):
        return
    yield Told(
        ("attn_config.rope_theta",),
        say(
            "{transformers} does not look at attn_config.rope_theta and turns the layers by "
            "base 10,000; the model was trained with {base}, and vLLM takes that.",
            base=kind_of(base),
            transformers=TRANSFORMERS,
        ),
        say("Write rope_theta beside attn_config as well."),
    )


@judge("error")
def kinds_not_named(config: Config) -> Iterator[Told]:
    """One object in rope_parameters for a class that looks for one by each kind of layers."""
    given = as_given(config)
    flat = given.get("rope_parameters")
    if not config.family.local_base or given.get("rope_scaling") or not isinstance(flat, dict):
        return
    if not flat or any(isinstance(one, dict) for one in flat.values()):
        return
    yield Told(
        ("rope_parameters",),
        say(
            "{transformers} looks in rope_parameters of {model} for an object by kind of "
            "layers, and finds one for all: it is left unread, and the layers stay unscaled.",
            model=config.model_type,
            transformers=TRANSFORMERS,
        ),
        say("Write it as full_attention within rope_parameters."),
    )


@judge("warning")
def scaling_of_no_layer(config: Config) -> Iterator[Told]:
    """A scaling for a kind of layers that the file does not have, or where none rotates."""
    if config.is_known and not config.rotary:
        for name in SCALINGS:
            given = as_given(config).get(name)
            if isinstance(given, dict) and is_scaling(given):
                yield Told(
                    (config.text.where + name,),
                    say(
                        "The layers of this {model} file do not rotate: {name} scales nothing.",
                        model=config.model_type,
                        name=name,
                    ),
                    say("Remove {name}.", name=name),
                )
    for kind, params in config.parameters.items():
        if kind in config.objects or rope_type_of(params) == "default":
            continue
        yield Told(
            (params.where.rstrip("."),),
            say(
                "{transformers} scales layers of the kind {kind} alone, and the file has none: "
                "nothing is scaled.",
                kind=kind,
                transformers=TRANSFORMERS,
            ),
            say("Write the scaling for the layers that the file has, or remove it."),
        )


@judge("error")
def scaling_not_taken(config: Config) -> Iterator[Told]:
    """A scaling in a field that the class does not look at."""
    given = as_given(config).get("rope_scaling")
    if "rope_scaling" not in config.family.unread or not isinstance(given, dict):
        return
    if (given.get("rope_type") or given.get("type")) in (None, "default"):
        return
    yield Told(
        ("rope_scaling",),
        say(
            "{transformers} does not look at rope_scaling in a {model} file: the layers stay "
            "unscaled.",
            model=config.model_type,
            transformers=TRANSFORMERS,
        ),
        say("Write the scaling into rope_parameters."),
    )


@judge("error")
def fixed_table(config: Config) -> Iterator[Told]:
    """A base or a scaling for a class that turns by a fixed table."""
    layers = config.rotary.values() if config.family.by_table else ()
    if all(layer.base == 10000 and layer.scaling is None for layer in layers):
        return
    yield Told(
        ("rope_theta", "rope_scaling"),
        say(
            "{transformers} turns {model} by a fixed table of base 10,000, and neither the base "
            "nor the scaling of the file changes that. Other engines may read them.",
            model=config.model_type,
            transformers=TRANSFORMERS,
        ),
        say("Remove both for transformers."),
    )


@judge("warning")
def nested_truncate_ignored(config: Config) -> Iterator[Told]:
    """`truncate` within one layer type's object."""
    for judged in judged_layers(config, YaRN):
        outer = config.text.section(judged.path[0])
        is_beside = outer is not None and outer.given("truncate") and len(judged.path) > 1
        is_moved = len(judged.path) > 1 or bool(config.family.local_base)
        if is_moved and not judged.scaling.truncate and not is_beside:
            yield Told(
                (judged.given.label("truncate"),),
                say(
                    "{transformers} reads `truncate` beside the layer types and not within "
                    "them, so it rounds the bounds of this ramp.",
                    transformers=TRANSFORMERS,
                ),
                say("Write truncate: false beside the layer types, in rope_parameters."),
            )


@judge("warning")
def null_head_dim(config: Config) -> Iterator[Told]:
    """`head_dim: null` with a scaling that cannot do without it."""
    values = config.text.values
    fills_in = config.model_type in ("llama", "mistral")
    is_null = "head_dim" in values or config.family.has_null_head_dim
    if is_null and values.get("head_dim") is None and not fills_in:
        for judged in judged_layers(config, DynamicNTK, YaRN, LongRoPE):
            yield Told(
                ("head_dim",),
                say(
                    "Where head_dim is null, {transformers} fails for {kind} scaling of "
                    "{model}. The classes of some models, Mixtral's among them, set head_dim to "
                    "null where the file does not give it.",
                    kind=judged.layer.rope_type,
                    model=config.model_type,
                    transformers=TRANSFORMERS,
                ),
                say("Write head_dim: {width}.", width=judged.layer.head_dim),
            )


@judge("warning")
def mistral4_turns_too_many(config: Config) -> Iterator[Told]:
    """The class makes angles for whole heads where nothing says how many channels turn."""
    if config.model_type != "mistral4":
        return
    for judged in judged_layers(config):
        said = (judged.given, config.text)
        share = any(one.given("partial_rotary_factor") for one in said)
        if judged.scaling is not None and (share or judged.path == ("rope_parameters",)):
            continue
        layer = judged.layer
        whole = judged.layer.head_dim + judged.layer.nope_dim
        yield Told(
            (judged.given.label("partial_rotary_factor"),),
            say(
                "{transformers} makes angles for all {whole} channels of a head here, where "
                "{turned} turn, and fails when the model is run.",
                whole=whole,
                turned=layer.head_dim,
                transformers=TRANSFORMERS,
            ),
            say(
                "Write the scaling into rope_parameters, with partial_rotary_factor: {share}.",
                share=ratio(layer.head_dim / whole),
            ),
        )


@judge("error")
def phi3_knows_longrope_alone(config: Config) -> Iterator[Told]:
    """Any other scaling is refused."""
    if config.model_type != "phi3":
        return
    for judged in judged_layers(config, Linear, DynamicNTK, YaRN, Llama3, Proportional):
        yield Told(
            (judged.given.label("rope_type"),),
            say(
                "{transformers} refuses to load a phi3 file with {kind} scaling: the class "
                "takes longrope alone. vLLM and SGLang read the file with that class.",
                kind=judged.layer.rope_type,
                transformers=TRANSFORMERS,
            ),
            say(
                "Take it out of the file and give it to vLLM or SGLang as an argument. A scaling "
                "that does not depend on the length can also be written as longrope: with the "
                "divisors of the pairs as short_factor and long_factor, and attention_factor."
            ),
        )


@judge("warning")
def gemma4_refuses_longrope(config: Config) -> Iterator[Told]:
    """Two head sizes, and LongRoPE's check asks for one."""
    if not (config.model_type or "").startswith("gemma4"):
        return
    for judged in judged_layers(config, LongRoPE):
        yield Told(
            (judged.given.label("rope_type"),),
            say(
                "{transformers} refuses to load a Gemma 4 file with longrope scaling: it "
                "compares the lists with one head size, and the model has two.",
                transformers=TRANSFORMERS,
            ),
            say("Use another scaling for Gemma 4."),
        )


@judge("warning")
def partial_rotary_ignored(config: Config) -> Iterator[Told]:
    """A share of rotated channels that the class does not read, and its scalings do."""
    text = config.text
    usual = usual_parameters(name_of(config.read_as)).values()
    # The classes that read it have a default for it.
    if not usual or any("partial_rotary_factor" in one for one in usual):
        return
    for judged in judged_layers(config):
        share = judged.given.get("partial_rotary_factor") or text.get("partial_rotary_factor")
        if share in (None, 1):
            continue
        told = {
            "model": config.model_type,
            "channels": judged.layer.head_dim,
            "rotated": int(judged.layer.head_dim * share),
            "transformers": TRANSFORMERS,
        }
        remedy = say("Remove the field, or use a model type that reads it.")
        if judged.scaling is not None:
            yield Told(
                ("partial_rotary_factor",),
                say(
                    "In {transformers} the scaled frequencies depend on partial_rotary_factor and "
                    "the layers of {model} do not: there are angles for {rotated} channels, all "
                    "{channels} turn, and the model fails when it is run.",
                    **told,
                ),
                remedy,
                severity="error",
            )
            return
        yield Told(
            ("partial_rotary_factor",),
            say(
                "In {transformers} the unscaled frequencies of {model} do not depend on "
                "partial_rotary_factor: the model rotates all {channels} channels, not "
                "{rotated}. With a scaling it fails when it is run.",
                **told,
            ),
            remedy,
        )
