"""What to set so that a model reads a text of a given length."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from posenc.config.choosing import reasons
from posenc.config.choosing.change import (
    counted,
    declaring,
    declaring_elsewhere,
    fresh,
    same,
    stretched,
    without_scaling,
)
from posenc.config.choosing.choice import Choice, Reason, Sureness
from posenc.config.choosing.lengths import TrainedLengths, trained_lengths
from posenc.config.choosing.makers import makers_word
from posenc.config.extend import covering_factor
from posenc.config.fields import DECLARED, ORIGINAL
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.config.memory.cache import KINDS
from posenc.config.memory.windows import widest_window
from posenc.config.rope import RopeConfig
from posenc.config.training import is_unscaled
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

NAMES = {
    "yarn": "YaRN",
    "llama3": "Llama-3",
    "longrope": "LongRoPE",
    "linear": say("linear"),
    "dynamic": say("dynamic"),
    "proportional": say("proportional"),
}
"""What a reader calls the types of scaling."""
ELSEWHERE = {
    "alibi": say("No scaling is needed: ALiBi has no trained length in its formula"),
    "t5": say("No scaling is needed: T5's last bucket holds every longer distance"),
    "nope": say("No scaling is needed: these layers have no positions to stretch"),
    "learned": say(
        "No method reads further: positions come from a learned table, which ends at its last row"
    ),
    "sinusoidal": say(
        "No method reads further: the model knows the sines of the positions that it was trained on"
    ),
    "shaw": say("No scaling is needed: distances beyond the largest are alike to these layers"),
    "transformer_xl": say(
        "No method reads further: the model knows the distances that it was trained on"
    ),
    "disentangled": say(
        "No scaling applies: far distances share a bucket, and a table of positions, where the "
        "model has one, ends at its last row"
    ),
    "window_bias": say("No method for longer texts applies: these layers see windows of an image"),
    "axial": say(
        "No method for longer texts applies: these layers turn with the rows and columns of an "
        "image"
    ),
    "convolution": say("No scaling is needed: convolutions have no length"),
    "linear": say("No scaling is needed: these layers carry a state, which has no length"),
    "coordinates": say("No method for longer texts applies: positions are coordinates"),
}
"""What layers without rotation leave to do, by their encoding."""
ENDLESS = ("alibi", "t5", "nope", "none", "shaw", "convolution", "linear")
"""Encodings that no length ends: a file may declare any."""

WITHOUT_A_WORD = ("makers", "undocumented", "stretched_on")
"""Reasons that count only where the makers say nothing of this very setting."""
OWN_PLACES = say(
    "Its class takes the base or the share of rotated channels from places of its own, so that a "
    "scaling written here could be read otherwise."
)


def choose(config: RopeConfig, target: int) -> Choice:
    """What to set so that a model reads `target` tokens.

    The smallest factor that covers the target: a static scaling acts on short texts as well, and
    the more the larger it is. YaRN for files without scaling: it leaves the fast pairs as they
    are, most engines have it, and the makers who document a way for their models document this
    one. A file's own scaling is stretched on, since its model may be extended with it.

    Three statements are kept apart: what to set (the clause and its sureness), whether the makers
    say that the model reads that far (`known`), and what somebody measured (a reason "published").

    Args:
        config: A model's configuration.
        target: L, tokens.

    Returns:
        The `Choice`. It is "sure" only with the makers' word at that length.

    Source: Peng et al. 2023, section 4, arXiv:2309.00071; the model cards of Qwen2.5 and Qwen3.
    """
    if not config.is_known:
        return _unknown(config)
    if config.family.own_form:
        return _not_written(config)
    if not config.rotary:
        return _judged(_elsewhere(config, target), config, target)
    keys = tuple(key for key in config.rotary if KINDS.get(key) not in ("window", "chunk"))
    lengths = trained_lengths(config, next(iter(config.rotary)))
    window = widest_window(config)
    # A window wider than the texts of the training leaves distances to a scaling.
    is_narrow = window is not None and window <= (lengths.before or lengths.reach or 0)
    if is_narrow or (window is None and not keys):
        return _judged(_only_windows(config, lengths, target, window), config, target)
    keys = keys or tuple(config.rotary)
    counting = counted(config, keys)
    choice = replace(_choose_for(counting, keys, target), layer_types=keys)
    if counting is not config:
        choice = _recounted(choice, config, counting)
    return _judged(choice, config, target)


def _judged(choice: Choice, config: RopeConfig, target: int) -> Choice:
    """The choice with what makers and others say of it, and as sure as that allows."""
    if choice.config is None:
        return choice
    known = makers_word(choice.config, target) if target else None
    why = [one for one in choice.reasons if known is None or one.code not in WITHOUT_A_WORD]
    told = (*reasons.makers_said(config, known, target), *why)
    told = (*told, *reasons.published(config), *reasons.errors(config, choice.config))
    sureness = choice.sureness
    if known is not None:
        is_open = any(one.code == "contradicted" for one in choice.reasons)
        sureness = "likely" if is_open else "sure"
    is_doubtful = any(one.code == "base_missing" for one in config.findings)
    is_doubtful = is_doubtful or any(one.code == "errors" for one in told)
    if is_doubtful and sureness != "setting":
        sureness = "guess"
    return replace(choice, sureness=sureness, known=known, reasons=told)


def _recounted(choice: Choice, config: RopeConfig, counting: RopeConfig) -> Choice:
    """A choice for a file whose scaling counted from another length than the training."""
    key = choice.layer_types[0]
    layer, before = counting.rotary[key], config.rotary[key]
    if before.scaling is None:
        return _restored(choice, config, counting)
    own = cast(YaRN, layer.scaling).original_length
    told = tuple(reasons.counted(config, key, own, cast(YaRN, before.scaling).original_length))
    if choice.config != counting:
        return replace(choice, reasons=(*told, *choice.reasons))
    clause = say(
        "{kind}, factor {factor:.6g} on {before:,}: to {reach:,}, once {field} says {before:,}",
        kind=NAMES[layer.rope_type],
        factor=getattr(layer.scaling, "factor", 1.0),
        before=own,
        reach=(choice.lengths and choice.lengths.own) or counting.reach,
        field=ORIGINAL,
    )
    if isinstance(layer.scaling, DynamicNTK):
        clause = say(
            "The file's dynamic scaling, which follows the text beyond {before:,} tokens once "
            "{field} says {before:,}",
            before=own,
            field=DECLARED,
        )
    told = (*told, *choice.reasons)
    return replace(choice, verdict="extend", method=layer.rope_type, clause=clause, reasons=told)


def _restored(choice: Choice, config: RopeConfig, counting: RopeConfig) -> Choice:
    """A choice for a file that lacks the scaling of the released one."""
    key = choice.layer_types[0]
    layer, lengths = counting.rotary[key], choice.lengths
    if choice.config == counting:
        clause = say(
            "{kind} as in the released file, factor {factor:.6g} on {before:,}: to {reach:,}",
            kind=NAMES[layer.rope_type],
            factor=getattr(layer.scaling, "factor", 1.0),
            before=None if lengths is None else lengths.before,
            reach=None if lengths is None else lengths.own,
        )
        choice = replace(choice, verdict="extend", method=layer.rope_type, clause=clause)
    return replace(choice, reasons=(*reasons.restored(config, key), *choice.reasons))


def _unknown(config: RopeConfig) -> Choice:
    kind = config.model_type or say("no model_type")
    return Choice(
        "unknown",
        say("No advice: how the layers of this model ({kind}) rotate is not known", kind=kind),
        "none",
        tuple(Reason("family", cast(Sentence, one.message)) for one in config.findings[:1]),
    )


def _not_written(config: RopeConfig) -> Choice:
    """The form of the file is read and not written."""
    kind = config.model_type or say("no model_type")
    return Choice(
        "unknown",
        say(
            "No advice: files of this model ({kind}) are read exactly and not written yet",
            kind=kind,
        ),
        "none",
        (Reason("family", OWN_PLACES),),
    )


def _elsewhere(config: RopeConfig, target: int) -> Choice:
    layer = next(iter(config.layers.values()))
    assert isinstance(layer, OtherLayer)
    clause = ELSEWHERE.get(layer.encoding)
    rows = layer.max_length
    if len(config.layers) > 1 and "nope" in config.layers:
        clause = say("No scaling is needed: no layer of this model has positions to stretch")
    elif layer.encoding == "learned" and config.family.grid is not None:
        clause = say(
            "No method for longer texts applies: the learned table has a row for each patch of an "
            "image"
        )
    elif layer.encoding == "learned" and rows is not None and target <= rows:
        clause = say(
            "Nothing to set: the learned table has {rows:,} rows, and {target:,} are asked for",
            rows=rows,
            target=target,
        )
    clause = clause or say("No method for rotary positions applies: these layers do not rotate")
    longer = config
    is_endless = all(one.encoding in ENDLESS for one in config.layers.values())
    if is_endless and target > (config.reach or target):
        longer = declaring_elsewhere(config, target)
    return Choice("elsewhere", clause, "setting", config=longer)


def _only_windows(
    config: RopeConfig, lengths: TrainedLengths, target: int, window: int | None
) -> Choice:
    """Nothing to gain: no distance is longer than the window."""
    is_scaled = not all(map(is_unscaled, config.rotary.values()))
    keeps = is_scaled and lengths.with_own
    clause = say("No scaling: every layer that rotates sees a window only, at any length")
    seen: dict[str, object] = {"window": window, "last": (window or 0) - 1}
    if window is not None and keeps:
        clause = say(
            "No further scaling: every layer that rotates sees a window of {window:,} tokens, so "
            "that no distance is above {last:,} at any length",
            **seen,
        )
    elif window is not None:
        clause = say(
            "No scaling: every layer that rotates sees a window of {window:,} tokens, so that no "
            "distance is above {last:,} at any length",
            **seen,
        )
    told = Reason("windows", say("A scaling would only make neighbours harder to tell apart."))
    sureness: Sureness = "setting"
    if any(one.code == "scaling_missing" for one in config.findings):
        released = say("The released file has a scaling that this one lacks: see its findings.")
        told, sureness = Reason("windows", released), "guess"
    longer = config
    if is_scaled and not keeps:
        longer = without_scaling(config, config.rotary, max(target, config.reach or 0))
    elif target > (config.reach or 0):
        longer = fresh(declaring(config, target))
    return Choice("windows", clause, sureness, (told,), config=longer, lengths=lengths)


def _choose_for(config: RopeConfig, keys: tuple[str, ...], target: int) -> Choice:
    """For layers that rotate and see everything."""
    layer, lengths = config.rotary[keys[0]], trained_lengths(config, keys[0])
    before = lengths.before
    if lengths.reach is None:
        return Choice(
            "cannot",
            say("No advice: the file does not say how long the training was"),
            "none",
            (Reason("no_length", say("Give max_position_embeddings, or the trained length.")),),
            lengths=lengths,
        )
    if _is_open(layer, lengths, target):
        return _either(config, layer, lengths, target)
    if lengths.with_own is False and before is not None and target <= before:
        return _remove(config, keys, lengths, target)
    if target <= lengths.reach:
        return _reaches(config, layer, lengths, target)
    if isinstance(layer.scaling, DynamicNTK):
        return _dynamic(config, layer, lengths, target)
    if isinstance(layer.scaling, LongRoPE):
        return _lists(lengths)
    return _extend(config, keys, lengths, target)


def _is_open(layer: RopeLayer, lengths: TrainedLengths, target: int) -> bool:
    """Whether the file leaves the trained length open, and what to do depends on it."""
    if lengths.before is not None:
        return False
    if isinstance(layer.scaling, YaRN | Llama3 | LongRoPE):
        return True  # the frequencies themselves depend on it
    return bool(lengths.either) and not lengths.with_own and target > (lengths.reach or 0)


def _either(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    """Where the file can be read in two ways."""
    own = getattr(layer.scaling, "factor", 1.0)
    values: dict[str, object] = {
        "kind": NAMES[layer.rope_type],
        "declared": lengths.declared,
        "factor": own,
        "target": target,
    }
    is_linear = isinstance(layer.scaling, Linear | Proportional)
    if is_linear and target <= own * (lengths.declared or 0):
        # LlamaConfig of transformers 4.31 asked for this: "don't update max_position_embeddings".
        clause = say(
            "Nothing to set, if {declared:,} is the length before scaling: {kind}, factor "
            "{factor:.6g}, then reaches {reach:,}",
            reach=int(own * (lengths.declared or 0) + 1e-6),
            **values,
        )
        doubt = say(
            "The file does not say whether {declared:,} is the length before or after scaling. "
            "Files of 2023 declare the one or the other.",
            **values,
        )
        why, longer = (Reason("either", doubt),), fresh(declaring(config, target))
        return Choice("reaches", clause, "guess", why, "declared", own, longer, lengths=lengths)
    clause = say(
        "No advice: the file asks for {kind} scaling, factor {factor:.6g}, and does not say "
        "whether its {declared:,} tokens are the length before or after scaling",
        **values,
    )
    told = [Reason("either", say("Write {field}: the length before scaling.", field=ORIGINAL))]
    for before in lengths.either:
        needed = covering_factor(target, before) if target > before else 1.0
        told.append(_if_before(values, before, needed))
    return Choice("cannot", clause, "none", tuple(told), lengths=lengths)


def _if_before(values: Mapping[str, object], before: int, needed: float) -> Reason:
    """What one reading of the file asks for."""
    if needed <= 1:
        told = say(
            "If it was {before:,}, {target:,} tokens need no scaling.", before=before, **values
        )
        return Reason("either", told)
    told = say(
        "If it was {before:,}, {target:,} tokens need {kind} with factor {needed:.6g} on "
        "{before:,}.",
        before=before,
        needed=needed,
        **values,
    )
    return Reason("either", told)


def _reaches(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    longer = config if target <= (config.reach or 0) else fresh(declaring(config, target))
    if lengths.own is None:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {length:,} of the file",
            target=target,
            length=lengths.declared,
        )
        if longer is not config:
            clause = say(
                "No scaling: {target:,} tokens are within the {length:,} of the training; the file "
                "declares {declared:,}",
                target=target,
                length=lengths.before,
                declared=lengths.declared,
            )
        told = reasons.chunks(config, target)
        sureness: Sureness = "guess" if told else "likely"
        return Choice("reaches", clause, sureness, tuple(told), config=longer, lengths=lengths)
    factor = getattr(layer.scaling, "factor", None)
    values: dict[str, object] = {
        "target": target,
        "before": lengths.before,
        "own": lengths.own,
        "kind": NAMES[layer.rope_type],
        "factor": factor,
    }
    clause = say("Nothing to set: the file's own {kind} scaling reaches {own:,} tokens", **values)
    if lengths.with_own is False:
        clause = say(
            "Nothing to set: the file's own {kind}, factor {factor:.6g} on {before:,}, reaches "
            "{own:,}; prompts under {before:,} get slightly worse",
            **values,
        )
    elif lengths.before is not None and target <= lengths.before:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {before:,} of the pretraining, "
            "and the file's own {kind} scaling stays on",
            **values,
        )
    elif longer is not config:
        clause = say(
            "No more scaling: the file's own {kind}, factor {factor:.6g} on {before:,}, reaches "
            "{own:,}",
            **values,
        )
    told = [reasons.own(lengths)]
    sureness = "likely"
    if lengths.with_own is False:
        told += reasons.makers(config, factor or 1.0)
        sureness = "likely" if told[1:] else "guess"
    elif lengths.released_with:
        sureness = "guess"
    elif lengths.with_own is None and not isinstance(layer.scaling, LongRoPE):
        sureness = "guess"
        if isinstance(layer.scaling, YaRN):
            is_far = layer.scaling.factor > reasons.UNDOCUMENTED
            told += [reasons.undocumented(layer.scaling.factor)] if is_far else []
            sureness = "guess" if is_far else "likely"
    choice = Choice("reaches", clause, sureness, tuple(told), "declared", factor, longer)
    return replace(choice, lengths=lengths)


def _remove(
    config: RopeConfig, keys: tuple[str, ...], lengths: TrainedLengths, target: int
) -> Choice:
    """A scaling that was added for texts longer than this one."""
    clause = say(
        "No scaling, without the one in the file: {target:,} tokens are within the {trained:,} of "
        "the training",
        target=target,
        trained=lengths.before,
    )
    shorter = without_scaling(config, keys, cast(int, lengths.before))
    told = (reasons.own(lengths),)
    return Choice("remove", clause, "likely", told, "none", 1.0, shorter, lengths=lengths)


def _dynamic(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    clause = say(
        "Nothing to set: the file's dynamic scaling follows the text beyond {trained:,} tokens, "
        "to {target:,}",
        trained=lengths.before,
        target=target,
    )
    told = say(
        "Only transformers follows the text: SGLang fixes one base when it loads the model, and "
        "vLLM has scaled nothing by it since May 2026. Keys in the cache keep the base of the "
        "length at which they were made."
    )
    why = (Reason("dynamic", told), reasons.angles(layer, layer, lengths, target))
    factor = cast(DynamicNTK, layer.scaling).factor
    return Choice("reaches", clause, "guess", why, "declared", factor, config, lengths=lengths)


def _lists(lengths: TrainedLengths) -> Choice:
    clause = say(
        "No method is known beyond {own:,} tokens: the factors of the file's LongRoPE scaling "
        "were searched for that length",
        own=lengths.own,
    )
    told = say("Longer texts need new lists and continued training.")
    return Choice("cannot", clause, "none", (Reason("lists", told),), lengths=lengths)


def _extend(
    config: RopeConfig, keys: tuple[str, ...], lengths: TrainedLengths, target: int
) -> Choice:
    """Beyond what the file reaches: YaRN, or the file's own scaling with a larger factor."""
    layer, longer = config.rotary[keys[0]], config
    for key in keys:
        longer = stretched(longer, key, lengths, target)
    after = same(longer, keys[0])
    factor = float(getattr(after.scaling, "factor", 1.0))
    values: dict[str, object] = {
        "kind": NAMES.get(layer.rope_type),
        "own": getattr(layer.scaling, "factor", 1.0),
        "factor": factor,
        "target": target,
        "trained": lengths.before or lengths.reach,
    }
    if layer.scaling is None:
        clause = say(
            "YaRN, factor {factor:.6g} on {trained:,}: to {target:,}; prompts under {trained:,} "
            "get slightly worse",
            **values,
        )
    else:
        clause = say(
            "The file's own {kind} scaling, factor {factor:.6g} instead of {own:.6g}: to "
            "{target:,}; shorter prompts get slightly worse",
            **values,
        )
    stretch = target / (lengths.reach or target) if lengths.with_own else factor
    sureness, why = _sureness(config, layer, lengths, stretch, target)
    told = (
        *why,
        *reasons.declared(lengths),
        reasons.angles(layer, after, lengths, target),
        *reasons.windows_too(config),
    )
    # The types of scaling have the names of their methods.
    choice = Choice("extend", clause, sureness, told, after.rope_type, factor, longer)
    return replace(choice, lengths=lengths)


def _sureness(
    config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, stretch: float, target: int
) -> tuple[Sureness, list[Reason]]:
    """How sure an extension is without the makers' word on it, and what that rests on."""
    told = [] if lengths.own is None else [reasons.own(lengths)]
    if stretch > reasons.DOCUMENTED:
        return "guess", [reasons.far(stretch), *told]
    is_added = layer.scaling is None or lengths.with_own is False
    if not is_added:
        return "guess", [*told, reasons.stretched_on()]
    family = reasons.makers(config, stretch)
    if family:
        return "likely", [*family, *told]
    if stretch > reasons.UNDOCUMENTED:
        return "guess", [reasons.undocumented(stretch), *told]
    return "likely" if lengths.model else "guess", told
