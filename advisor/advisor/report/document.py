"""Everything worth knowing about a config.json, as one document of plain numbers and words.

The document holds what JSON can hold: no NaN, no infinity. Its schema is schema.json, beside this
file.
"""

import math
from dataclasses import asdict, replace
from typing import Any

from torch import Tensor

from advisor.choosing.lengths import TrainedLengths, lengths_by_word, trained_lengths
from advisor.comparing.layer import RopeLayer
from advisor.decision import Decision, decide, decided_for
from advisor.engines.all import ENGINES, answer, engine_readings, provenance
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.transformers.fields import rotary_share, scaling_fields
from advisor.facts import mark
from advisor.findings import released
from advisor.findings.finding import judges
from advisor.findings.kinds.drafts import is_draft
from advisor.inputs.read import Given
from advisor.layers import OtherLayer
from advisor.memory.cards import Card, Fit
from advisor.memory.needs import AskedAbout
from advisor.memory.reserved import split_in
from advisor.memory.stored import AS_STORED
from advisor.report.gpus import asked_words, draft_words
from advisor.report.methods import method_rows
from advisor.report.patch import Changed, of_choice
from advisor.rope import RopeConfig
from advisor.tables import table
from posenc.checks import LONGEST, check_int
from posenc.words import say

FORMAT = 4
Document = dict[str, Any]
COSTS = (
    *("batch", "cache_kind", "weight_kind", "weights_assumed", "cache_bytes", "weight_bytes"),
    *("prefill_operations", "kept", "gpus", "longest", "asked"),
)


def schema() -> Document:
    """The JSON schema (2020-12) of the document."""
    return dict(table("report/schema.json"))


def explain(
    config: RopeConfig,
    target_length: int | None = None,
    given: Given | None = None,
    method: str = "",
    decision: Decision | None = None,
) -> Document:
    """Explain how a configuration treats positions, and how it would at a target length.

    Args:
        config: A model's configuration.
        target_length: L, tokens; None is the length that each layer type reaches by itself.
        given: What the configuration was read from, if not from a config.json.
        method: One of `METHODS_TO_TAKE` in the place of the advice; "" for the advice.
        decision: What to do, and what it costs, where that is known already; None to decide with
            `method` for one text in bfloat16.

    Returns:
        The document; `schema()` describes it.

    Raises:
        ValueError: If the target length is out of range, or the method cannot be had.
    """
    if target_length is not None:
        check_int("target_length", target_length, 2, maximum=LONGEST)
    decided = decision or decision_of(config, target_length, method)
    changed = Changed(config, say("the file"))
    if decided is not None:
        changed = of_choice(config, decided.choice, decided.target)
    # Where there is no advice, the settings are those of the file as it is.
    is_advised = decided is not None and decided.choice.config is not None
    length = decided.target or None if decided is not None and is_advised else None
    return {
        "format": FORMAT,
        "input": {
            "kind": "config" if given is None else given.kind,
            "name": given.name or None if given is not None else None,
            "notes": [] if given is None else list(given.notes),
            "line": [] if given is None else list(given.line),
        },
        "model_type": config.model_type,
        "target_length": target_length,
        "decision": _decision(decided),
        "memory": _memory(decided, is_draft(config)),
        "layers": [
            _rotary(config, name, layer, target_length, _lengths(decided, config, name))
            if isinstance(layer, RopeLayer)
            else _other(name, layer)
            for name, layer in config.layers.items()
        ],
        "findings": [asdict(f) | {"fields": list(f.fields)} for f in config.findings],
        "settings": settings_of(config, changed, _serving(decided, length), _gpus(decided)),
    }


def _serving(decided: Decision | None, length: int | None) -> Serving:
    """The serving conditions for the engines: length, the cache's type, and texts at once."""
    if decided is None or decided.needs is None:
        return Serving(length=length)
    return Serving(decided.needs.cache_kind, decided.needs.batch, length)


def decision_of(
    config: RopeConfig,
    target: int | None,
    method: str = "",
    cost: tuple[str, str, int] = ("bfloat16", AS_STORED, 1),
    engine: str = "",
    trained_with_file: bool = False,
    gpus: tuple[Card, int] | None = None,
) -> Decision | None:
    """The decision of a document.

    Args:
        config: A model's configuration.
        target: L, tokens; None for what the file reaches.
        method: One of `METHODS_TO_TAKE`; "" for the advice.
        cost: Type of the cache, type of the weights, texts at once, as `decide` takes them.
        engine: Id of the one that it is for; "" for all.
        trained_with_file: As for `choose`.
        gpus: As for `decide`.

    Returns:
        The `Decision`; None where nothing is asked for, and the file gives no length that can be
        worked with.

    Raises:
        ValueError: If what was asked for cannot be had.
    """
    try:
        decision = decide(config, target, *cost, method, trained_with_file, gpus)
    except ValueError:
        if target is not None or method:
            raise
        return None
    return decided_for(decision, config, engine)


def _decision(decided: Decision | None) -> Document | None:
    if decided is None:
        return None
    choice = decided.choice
    return {
        "target": decided.target or None,
        "sentence": decided.sentence,
        "verdict": choice.verdict,
        "sureness": choice.sureness,
        "known": None if choice.known is None else choice.known.says,
        "method": choice.method or None,
        "factor": choice.factor,
        "reasons": [{"code": reason.code, "text": reason.text} for reason in choice.reasons],
    }


def _memory(decided: Decision | None, beside_target: bool) -> Document | None:
    if decided is None:
        return None
    needs = decided.needs
    if needs is None:
        return {"length": decided.target or None, "missing": decided.missing} | dict.fromkeys(COSTS)
    return {
        "length": needs.length,
        "missing": needs.missing,
        "batch": needs.batch,
        "cache_kind": needs.cache_kind,
        "weight_kind": needs.weight_kind,
        "weights_assumed": needs.weights_assumed,
        "cache_bytes": needs.cache,
        "weight_bytes": needs.weight_bytes,
        "prefill_operations": None if needs.operations is None else sum(needs.operations),
        "kept": needs.kept,
        "gpus": {fit.card.name: fit.cards for fit in needs.cards if not beside_target},
        "longest": {
            one.card.name: {"gpus": one.cards, "tokens": one.tokens}
            for one in needs.longest
            if not beside_target
        },
        "asked": None if needs.asked is None else _asked(needs.asked, beside_target),
    }


def _asked(asked: AskedAbout, beside_target: bool) -> Document:
    """The GPUs that were asked about, and what they hold."""
    fit = asked.fit
    return {
        "text": draft_words(fit) if beside_target else asked_words(asked),
        "gpu": fit.card.name,
        "count": fit.tried,
        "fits": fit.cards is not None,
        "weight_bytes": fit.weights,
        "cache_bytes": fit.cache,
        "left_bytes": fit.left,
        "longest": asked.longest or None,
        "tensor_parallel": fit.split.tensor,
        "pipeline_parallel": fit.split.stages,
    }


def _other(name: str, layer: OtherLayer) -> Document:
    return {
        "name": name,
        "encoding": layer.encoding,
        "declared_length": layer.max_length,
        "num_heads": layer.num_heads,
        "parameters": dict(layer.parameters),
    }


def _lengths(decided: Decision | None, config: RopeConfig, name: str) -> TrainedLengths:
    """The trained lengths of layers: by the word of who asks, or as far as they are known."""
    choice = None if decided is None else decided.choice
    if choice is not None and choice.lengths is not None and choice.lengths.by_word:
        return lengths_by_word(config, name)
    return trained_lengths(config, name)


def _rotary(
    config: RopeConfig,
    name: str,
    layer: RopeLayer,
    asked: int | None,
    lengths: TrainedLengths,
) -> Document:
    target = asked or layer.target_length
    own, factor = layer.frequencies(target)
    plain, _ = replace(layer, scaling=None).frequencies()
    return {
        "name": name,
        "encoding": layer.encoding,
        "head_dim": layer.head_dim,
        "rotary_dim": layer.rotary_dim,
        "rotary_share": rotary_share(layer),
        "nope_dim": layer.nope_dim,
        "base": layer.base,
        "layout": layer.layout,
        "scaling": scaling_fields(layer),
        "lengths": {
            "trained": lengths.before,
            "with_own": lengths.own,
            "trained_with_own": lengths.with_own,
            "declared": layer.max_length,
            "reached": layer.target_length,
            "target": target,
        },
        "temperature": {
            "attention_factor": factor,
            "score_factor": factor**2,
            "softmax_multiplier": layer.softmax_multiplier,
            "softmax_scale": layer.softmax_scale,
            "score_scale": factor**2 * layer.softmax_scale,
        },
        "pairs": _pairs(plain, own, lengths.before),
        "methods": method_rows(layer, lengths.before, target, config.dual_chunk),
        "engines": [asdict(reading) for reading in engine_readings(config, name)],
    }


def _pairs(plain: Tensor, own: Tensor, trained: int | None) -> list[Document]:
    """Every pair: before and after scaling, and what training has shown of it."""
    return [
        {
            "pair": index,
            "frequency": theta,
            "wavelength": 2 * math.pi / theta,
            "scaled_frequency": after,
            "scaled_wavelength": 2 * math.pi / after if after else None,
            "slowed": theta / after if after else None,
            "turns_in_training": None if trained is None else trained * theta / (2 * math.pi),
        }
        for index, (theta, after) in enumerate(zip(plain.tolist(), own.tolist(), strict=True))
    ]


AGAINST_RELEASED = {one.code for one in judges(released)}


def _gpus(decided: Decision | None) -> AskedAbout | None:
    """The GPUs that were asked about."""
    return None if decided is None or decided.needs is None else decided.needs.asked


def settings_of(
    before: RopeConfig,
    changed: Changed,
    serving: Serving,
    asked: AskedAbout | None = None,
) -> dict[str, Any]:
    """The settings of the file, or of the file changed so that it reaches the target.

    Args:
        before: The file.
        changed: What is to be done.
        serving: What else was asked for.
        asked: The GPUs to split the model over.
    """
    config = changed.config
    notes = list(changed.notes)
    # That it differs from the released file is what was asked for.
    known = {finding.code for finding in before.findings} | AGAINST_RELEASED
    notes += [
        say("{message} {remedy}", message=finding.message, remedy=finding.remedy)
        for finding in config.findings
        if finding.severity != "info" and finding.code not in known
    ]
    if asked is not None and asked.fit.cards is None:
        notes.append(asked_words(asked))
    return {
        "of": changed.of,
        "engines": [_written(name, changed, before, serving, asked) for name in ENGINES],
        "notes": notes,
    }


def _written(
    name: str,
    changed: Changed,
    before: RopeConfig,
    serving: Serving,
    asked: AskedAbout | None,
) -> dict[str, Any]:
    """One engine: its text and notes, or why there are none."""
    engine = ENGINES[name]
    config = changed.config
    out = {
        "id": engine.id,
        "title": engine.title,
        "place": engine.place,
        "language": engine.language,
        "versions": "",
        "sources": engine.sources,
    }
    told: dict[str, Any] = {"text": None, "notes": [], "first": None, "refused": None}
    told["tried"] = provenance(config, name, before)
    if changed.is_none:
        told |= {"mark": mark(name, config, before), "refused": changed.notes[0]}
    else:
        told["mark"], given = answer(config, name, before, serving)
        if isinstance(given, Written):
            flags = "" if asked is None else _split_flags(engine, config, asked.fit)
            told |= {"text": f"{given.to_paste} {flags}".strip(), "notes": list(given.told)}
            told["first"] = given.first or None
            told["tried"] = given.tried
            told["versions"] = given.versions if given.to_paste else ""
        else:
            told["refused"] = str(given)
    return out | told


def _split_flags(engine: Engine, config: RopeConfig, fit: Fit) -> str:
    """The arguments that split a model over the GPUs that were asked about."""
    if engine.split is None or fit.tried == 1:
        return ""
    lies = split_in(engine.id, config, fit.tried)
    return engine.split(lies.tensor, lies.stages, fit.machines)
