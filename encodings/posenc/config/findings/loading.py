"""Findings about what transformers 5.23 refuses, or reads otherwise than the file says."""

from posenc.config.data import Config
from posenc.config.families.all import UNKNOWN
from posenc.config.findings.finding import Finding
from posenc.config.findings.judged import Judged, judged_layers
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say


def gemma3_loses_scaling(config: Config) -> Finding | None:
    """With `type` transformers 5.23 leaves Gemma 3 unscaled."""
    for judged in judged_layers(config):
        if gemma3_type(config, judged) and judged.scaling is not None:
            return Finding(
                "gemma3_loses_scaling",
                "error",
                (judged.given.label("type"),),
                say(
                    "transformers 5.23 sets Gemma 3's rope_type to default before it reads this "
                    "object, and `type: {kind}` does not replace it: the layers that see "
                    "everything stay unscaled.",
                    kind=judged.layer.rope_type,
                ),
                say("Write rope_type: {kind}.", kind=judged.layer.rope_type),
            )
    return None


def gemma3_type(config: Config, judged: Judged) -> bool:
    """Gemma 3 of the older fields with `type` alone."""
    is_old = judged.path == ("rope_scaling",) and (config.model_type or "").startswith("gemma3")
    return is_old and judged.given.given("type") and not judged.given.given("rope_type")


def nested_truncate_ignored(config: Config) -> Finding | None:
    """`truncate` within one layer type's object."""
    for judged in judged_layers(config, YaRN):
        outer = config.text.section(judged.path[0])
        is_beside = outer is not None and outer.given("truncate") and len(judged.path) > 1
        is_moved = len(judged.path) > 1 or config.text.get("local_rope_theta") is not None
        if is_moved and not judged.scaling.truncate and not is_beside:
            return Finding(
                "nested_truncate_ignored",
                "warning",
                (judged.given.label("truncate"),),
                say(
                    "transformers 5.23 reads `truncate` beside the layer types and not within "
                    "them, so it rounds the bounds of this ramp."
                ),
                say("Write truncate: false beside the layer types, in rope_parameters."),
            )
    return None


def null_head_dim(config: Config) -> Finding | None:
    """`head_dim: null` with a scaling that cannot do without it."""
    values = config.text.values
    fills_in = config.model_type in ("llama", "mistral")
    is_null = "head_dim" in values or config.family.has_null_head_dim
    if is_null and values.get("head_dim") is None and not fills_in:
        for judged in judged_layers(config, DynamicNTK, YaRN, LongRoPE):
            return Finding(
                "null_head_dim",
                "warning",
                ("head_dim",),
                say(
                    "Where head_dim is null, transformers 5.23 fails for {kind} scaling of "
                    "{model}. The classes of some models, Mixtral's among them, set head_dim to "
                    "null where the file does not give it.",
                    kind=judged.layer.rope_type,
                    model=config.model_type,
                ),
                say("Write head_dim: {width}.", width=judged.layer.head_dim),
            )
    return None


def phi3_knows_longrope_alone(config: Config) -> Finding | None:
    """Any other scaling is refused."""
    if config.model_type != "phi3":
        return None
    for judged in judged_layers(config, Linear, DynamicNTK, YaRN, Llama3, Proportional):
        return Finding(
            "phi3_knows_longrope_alone",
            "warning",
            (judged.given.label("rope_type"),),
            say(
                "transformers 5.23 refuses to load a phi3 file with {kind} scaling: the class "
                "takes longrope alone.",
                kind=judged.layer.rope_type,
            ),
            say(
                "A scaling that does not depend on the length can be written as longrope: with "
                "the divisors of the pairs as short_factor and long_factor, and attention_factor."
            ),
        )
    return None


def gemma4_refuses_longrope(config: Config) -> Finding | None:
    """Two head sizes, and LongRoPE's check asks for one."""
    if not (config.model_type or "").startswith("gemma4"):
        return None
    for judged in judged_layers(config, LongRoPE):
        return Finding(
            "gemma4_refuses_longrope",
            "warning",
            (judged.given.label("rope_type"),),
            say(
                "transformers 5.23 refuses to load a Gemma 4 file with longrope scaling: it "
                "compares the lists with one head size, and the model has two."
            ),
            say("Use another scaling for Gemma 4."),
        )
    return None


def partial_rotary_ignored(config: Config) -> Finding | None:
    """A share of rotated channels that the model's class does not read."""
    text, family = config.text, config.family
    # The classes that read it have a default for it, beside the base or with it.
    given = family.defaults.get("rope_parameters") or {}
    within = [given, *(one for one in given.values() if isinstance(one, dict))]
    reads = any("partial_rotary_factor" in one for one in (family.defaults, *within))
    if family is UNKNOWN or reads:
        return None
    for judged in judged_layers(config, type(None)):
        share = judged.given.get("partial_rotary_factor") or text.get("partial_rotary_factor")
        if share not in (None, 1):
            return Finding(
                "partial_rotary_ignored",
                "warning",
                ("partial_rotary_factor",),
                say(
                    "In transformers 5.23 the unscaled frequencies of {model} do not depend on "
                    "partial_rotary_factor: the model rotates all {channels} channels, not "
                    "{rotated}.",
                    model=config.model_type,
                    channels=judged.layer.head_dim,
                    rotated=judged.layer.rotary_dim,
                ),
                say("Remove the field, or use a model type that reads it."),
            )
    return None


FINDINGS = (
    gemma3_loses_scaling,
    nested_truncate_ignored,
    null_head_dim,
    phi3_knows_longrope_alone,
    gemma4_refuses_longrope,
    partial_rotary_ignored,
)
