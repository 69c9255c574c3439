"""Findings about fields: names, types and defaults."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import TRANSFORMERS, gap
from advisor.families.all import FAMILIES, UNKNOWN, name_of
from advisor.families.classes import reading
from advisor.fields import DECLARED, READ_AS, Fields
from advisor.findings.finding import Told, as_given, judge, judged_layers, ratio
from advisor.findings.loading import loses_type
from advisor.known_models import base_field, lost_base, same_shape
from advisor.reader.near_miss import OF_THE_FILE, OF_THE_OBJECT, meant
from advisor.reader.scalings import rope_type_of
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

SHAPE = ("head_dim", "hidden_size", "num_attention_heads", "max_position_embeddings", "rotary_dim")


@judge("warning")
def base_missing(config: Config) -> Iterator[Told]:
    """No base anywhere: the class default is taken."""
    text = config.text
    if not config.family.names_base or text.given("rope_theta") or text.given("rope_ratio"):
        return
    if any(known.declared == text.get(DECLARED) for known in same_shape(config)):
        return  # Llama 2's first files name none either
    flat = [as_given(config).get(name) or {} for name in ("rope_scaling", "rope_parameters")]
    if any("rope_theta" in one for one in flat):
        return  # which layers take it is said elsewhere
    for judged in judged_layers(config):
        if judged.given.given("rope_theta") or _is_misspelt(judged.given, text):
            continue
        base = ratio(judged.layer.base)
        lost = lost_base(config)
        remedy = say("Write rope_theta: {base}, or the base the model was trained with.", base=base)
        if lost is not None:
            field, value = base_field(*lost)
            remedy = say(
                "Write {field}: {value:.0f}, as {model} has it, which has this shape.",
                field=field,
                value=value,
                model=lost[0].model,
            )
        yield Told(
            (judged.given.label("rope_theta"),),
            say(
                "The file names no base, so the class default {base} is taken. A model that was "
                "trained with another base then turns by wrong angles, the more so the further "
                "apart two tokens stand.",
                base=base,
            ),
            remedy,
        )


def _is_misspelt(given: Fields, text: Fields) -> bool:
    right = meant(given.values.keys(), OF_THE_OBJECT) | meant(text.values.keys(), OF_THE_FILE)
    return "rope_theta" in right.values()


@judge("info")
def base_only_in_new_fields(config: Config) -> Iterator[Told]:
    """Readers of the older fields would take 10000."""
    if config.text.given("rope_theta") or not config.family.names_base:
        return
    is_written = gap("transformers_4", config, config) is None
    remedy = say(
        "For such software paste the fields for transformers 4: posenc explain config.json "
        "--engine transformers_4 prints them."
    )
    for judged in judged_layers(config):
        base = judged.given.get("rope_theta")
        if base is not None and base != 10000 and judged.path[0] == "rope_parameters":
            yield Told(
                (judged.given.label("rope_theta"),),
                say(
                    "Software that reads the older fields finds no rope_theta and takes its own "
                    "default, mostly 10000, instead of {base}.",
                    base=ratio(judged.layer.base),
                ),
                remedy if is_written else "",
            )


@judge("warning")
def two_bases(config: Config) -> Iterator[Told]:
    """A base at the top and another within the object."""
    text = config.text
    name = text.own_name("rope_theta")
    top = text.values.get(name)
    # Without an object in the file it is the class's own: see `base_not_taken`.
    if not any(as_given(config).get(one) for one in ("rope_scaling", "rope_parameters")):
        return
    for judged in judged_layers(config):
        own = judged.given.get("rope_theta")
        if top is None or own is None or judged.layer != next(iter(config.rotary.values())):
            continue
        if len(config.rotary) == 1 and own != top:
            yield Told(
                (name, judged.given.label("rope_theta")),
                say(
                    "{field} is {top} at the top of the file, and {inner} is {own}; transformers "
                    "5 takes {own}, older software {top}.",
                    field=name,
                    inner=judged.given.label("rope_theta"),
                    top=ratio(top),
                    own=ratio(own),
                ),
                say("Write the same base in both places."),
            )


@judge("warning")
def both_generations(config: Config) -> Iterator[Told]:
    """rope_scaling and rope_parameters in one file, and not the same."""
    values = config.text.values
    old, new = values.get("rope_scaling"), values.get("rope_parameters")
    if not config.rotary or not old or not new:
        return
    if all(new.get(key) == value for key, value in old.items()):
        return
    yield Told(
        ("rope_scaling", "rope_parameters"),
        say(
            "The file has both fields, and they differ; transformers 5 takes rope_scaling and "
            "drops rope_parameters."
        ),
        say("Keep one of the two fields."),
    )


@judge("error")
def scaling_without_type(config: Config) -> Iterator[Told]:
    """A factor that nothing applies."""
    for judged in judged_layers(config, type(None)):
        factor = judged.given.get("factor")
        # Hunyuan's "dynamic" with alpha has a type, and is a larger base.
        if factor not in (None, 1) and rope_type_of(judged.given) == "default":
            yield Told(
                (judged.given.label("rope_type"), judged.given.label("factor")),
                say(
                    "The file gives a factor and no type of scaling: it scales nothing, or does "
                    "not load."
                ),
                say("Write rope_type: the scaling that the factor belongs to."),
            )


@judge("info")
def old_type_key(config: Config) -> Iterator[Told]:
    """`type` instead of `rope_type`."""
    for judged in judged_layers(config):
        if loses_type(config, judged) or judged.given.given("rope_type"):
            continue
        if judged.given.given("type"):
            yield Told(
                (judged.given.label("type"),),
                say("`type` is the older name of `rope_type`; transformers reads both."),
            )


SECTIONS = ("mrope", "default")
"""Sections of M-RoPE, as the older name and the newer one call them."""


@judge("warning")
def two_types(config: Config) -> Iterator[Told]:
    """`type` and `rope_type` that differ."""
    for judged in judged_layers(config):
        old, new = judged.given.get("type"), judged.given.get("rope_type")
        if old is not None and new is not None and old != new and (old, new) != SECTIONS:
            yield Told(
                (judged.given.label("type"), judged.given.label("rope_type")),
                say(
                    "`type` is {old} and `rope_type` is {new}; transformers takes {new}.",
                    old=old,
                    new=new,
                ),
                say("Remove `type`."),
            )


OLD_LONGROPE = {
    "su": say(
        "`su` with two lists is an older name of LongRoPE. {transformers} refuses to load the "
        "file: it does not find the trained length.",
        transformers=TRANSFORMERS,
    ),
    "yarn": say(
        "`yarn` with two lists is an older name of LongRoPE. {transformers} knows that for "
        "Phi-3 alone, and takes other models' scaling for YaRN.",
        transformers=TRANSFORMERS,
    ),
}


@judge("error")
def vllm_word(config: Config) -> Iterator[Told]:
    """A type of scaling that transformers has no word for."""
    for judged in judged_layers(config, YaRN):
        for name in ("rope_type", "type"):
            if judged.given.get(name) == "deepseek_yarn":
                yield Told(
                    (judged.given.label(name),),
                    say(
                        "`deepseek_yarn` is a word of vLLM and SGLang, for YaRN as DeepSeek's code "
                        "has it: {transformers} does not know this type and does not load the "
                        "file.",
                        transformers=TRANSFORMERS,
                    ),
                    say("Write {field}: yarn, which transformers knows as well.", field=name),
                )


@judge("warning")
def old_longrope_name(config: Config) -> Iterator[Told]:
    """LongRoPE under its older names."""
    for judged in judged_layers(config, LongRoPE):
        word = judged.given.get("rope_type") or judged.given.get("type")
        if word in OLD_LONGROPE:
            yield Told(
                (judged.given.label("type"),),
                OLD_LONGROPE[word],
                say("Write rope_type: longrope."),
            )


@judge("warning")
def zero_beta_is_unset(config: Config) -> Iterator[Told]:
    """A bound of zero counts as no bound."""
    for judged in judged_layers(config, YaRN):
        for name, default in (("beta_fast", 32), ("beta_slow", 1)):
            if judged.given.get(name) == 0:
                yield Told(
                    (judged.given.label(name),),
                    say(
                        "transformers takes a {field} of 0 as unset, and {default} in its place.",
                        field=name,
                        default=default,
                    ),
                    say("Write a small number instead of 0, or remove {field}.", field=name),
                )


@judge("warning")
def unknown_family(config: Config) -> Iterator[Told]:
    """Nothing is known about the layout, the layers and the defaults."""
    if config.family is not UNKNOWN:
        return
    yield Told(
        ("model_type",),
        say(
            "The model type {name} is not one of the {count} that are known here, and neither the "
            "names of its parts nor architectures tell the family. What is shown is read from the "
            "names of the fields alone: which channels form a pair, which layers rotate and what "
            "the class fills in is not known. No settings are written.",
            name=config.model_type or "null",
            count=len(FAMILIES),
        ),
        say(
            "Compare with the model's own code before anything here is used. If it is built like a "
            "model that is known, read it as that one: --read-as in the terminal, Read as on the "
            "screen."
        ),
    )


@judge("info")
def family_from_architectures(config: Config) -> Iterator[Told]:
    """`model_type` does not tell the family, the name of the model's class does."""
    if config.identified_by != "architectures":
        return
    yield Told(
        ("model_type", "architectures"),
        say(
            "The model type {name} is not known here. The family was recognised by architectures, "
            "so the file is read as one of that family.",
            name=config.model_type or "null",
        ),
    )


@judge("warning")
def read_as_asked(config: Config) -> Iterator[Told]:
    """The family is the reader's word."""
    if config.family_note is None:
        return
    yield Told(
        ("model_type", READ_AS),
        config.family_note,
        say("Compare with the model's own code before anything here is used."),
    )


@judge("info")
def class_defaults(config: Config) -> Iterator[Told]:
    """Fields that the file leaves to the class."""
    text = config.text
    used = [name for name in SHAPE if not text.given(name) and text.get(name) is not None]
    if not config.rotary or not used:
        return
    values = ", ".join(f"{text.own_name(name)} {text.get(name)}" for name in used)
    yield Told(
        tuple(text.own_name(name) for name in used),
        say(
            "These are not in the file, and are taken from the class of {transformers}: {values}.",
            values=values,
            transformers=TRANSFORMERS,
        ),
    )


@judge("info")
def class_turns_number(config: Config) -> Iterator[Told]:
    """The class of transformers makes another length or window of the file than it says."""
    given, kind = as_given(config), name_of(config.read_as)
    for name, value in reading(kind, given).turned.items():
        own = config.text.own_name(name)
        if given.get(own) is None:
            continue
        switches = [one for one, said in given.items() if said is True]
        because = [
            one for one in switches if name not in reading(kind, {**given, one: False}).turned
        ]
        because += [name] if own != name and given.get(name) == value else []
        yield Told(
            (own, *because),
            say(
                "The file says {field}: {said}, and the class of {model} in {transformers} makes "
                "{value:,} of it, because of {because}. A program that reads the file without that "
                "class may keep {said}.",
                field=own,
                said=given[own],
                model=config.read_as,
                transformers=TRANSFORMERS,
                value=value,
                because=because[0] if because else say("another field"),
            ),
        )
