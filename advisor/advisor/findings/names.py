"""Findings about names: fields that no engine reads, or one alone, or not at this place."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import since
from advisor.fields import kind_of
from advisor.findings.finding import Told, as_given, judge, judged_layers, ratio
from advisor.reader.near_miss import OF_THE_FILE, OF_THE_OBJECT, meant
from posenc.scaling.yarn import YaRN, yarn_mscale
from posenc.words import say


@judge("error")
def misspelt_field(config: Config) -> Iterator[Told]:
    """A field whose name is a letter or two away from one that is read."""
    if not config.rotary:
        return
    places = [(config.text.where, as_given(config), OF_THE_FILE)]
    places += [(one.where, one.values, OF_THE_OBJECT) for one in config.objects.values()]
    for where, values, known in places:
        for name, right in meant(values.keys(), known).items():
            if values[name] is not None:
                yield Told(
                    (f"{where}{name}",),
                    say(
                        "{name} is read by neither transformers nor vLLM; {right} looks like what "
                        "is meant, and the file does not give it there.",
                        name=name,
                        right=right,
                    ),
                    say(
                        "Write {right}: {value}.",
                        right=f"{where}{right}",
                        value=kind_of(values[name]),
                    ),
                )


@judge("warning")
def attn_factor(config: Config) -> Iterator[Told]:
    """A name and a meaning of YaRN's factor that transformers does not have."""
    for judged in judged_layers(config, YaRN):
        given = judged.given.get("attn_factor")
        if not isinstance(given, int | float) or isinstance(given, bool):
            continue
        usual = yarn_mscale(judged.scaling.factor)
        explicit = judged.scaling.attention_factor
        theirs = given * usual
        ours = judged.layer.frequencies()[1]
        if abs(theirs - ours) <= 1e-3:
            continue
        yield Told(
            (judged.given.label("attn_factor"),)
            + ((judged.given.label("attention_factor"),) if explicit is not None else ()),
            say(
                "attn_factor is a field of SGLang, and of vLLM before {since}: they multiply their "
                "own {usual} by it, so cos and sin get {theirs}. transformers, and vLLM since "
                "{since}, read attention_factor instead, and here compute with {ours}.",
                since=since("attn_factor", "vllm"),
                usual=ratio(usual),
                theirs=ratio(theirs),
                ours=ratio(ours),
            ),
            say(
                "For the same scores in all of them write attention_factor: {theirs} beside it.",
                theirs=ratio(theirs),
            ),
        )


SCALINGS = ("rope_scaling", "rope_parameters")


@judge("error")
def outer_scaling_ignored(config: Config) -> Iterator[Told]:
    """A scaling at the top of a file whose text model has a config of its own."""
    where = config.text.where
    if not where or not config.rotary:
        return
    for name in SCALINGS:
        outer = config.source.get(name)
        if isinstance(outer, dict) and _scales(outer) and not _has(config, outer):
            yield Told(
                (name,),
                say(
                    "{name} stands beside {inner}, and the text model is built from {inner} "
                    "alone: transformers and vLLM do not apply it.",
                    name=name,
                    inner=where.rstrip("."),
                ),
                say("Move {name} into {inner}.", name=name, inner=where.rstrip(".")),
            )


def _scales(given: dict) -> bool:
    return (given.get("rope_type") or given.get("type")) not in (None, "default", "mrope")


def _has(config: Config, outer: dict) -> bool:
    """Whether the text model's own object says all of it too."""
    inner = {key: value for one in config.objects.values() for key, value in one.values.items()}
    kinds = [given.get("rope_type") or given.get("type") for given in (inner, outer)]
    rest = {key: value for key, value in outer.items() if key not in ("rope_type", "type")}
    return kinds[0] == kinds[1] and all(inner.get(key) == value for key, value in rest.items())
