"""What to set so that a model reads a text of a given length."""

from dataclasses import replace
from typing import cast

from posenc.config.choosing import reasons
from posenc.config.choosing.change import declaring, fresh, same, stretched, without_scaling
from posenc.config.choosing.choice import Choice, Reason, Sureness
from posenc.config.choosing.lengths import TrainedLengths, trained_lengths
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.config.memory.cache import KINDS
from posenc.config.memory.windows import widest_window
from posenc.config.rope import RopeConfig
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
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

OWN_PLACES = say(
    "Its class takes the base or the share of rotated channels from places of its own, so that a "
    "scaling written here could be read otherwise."
)


def choose(config: RopeConfig, target: int) -> Choice:
    """What to set so that a model reads `target` tokens.

    The smallest factor that covers the target: a static scaling acts on short texts as well, and
    the more the larger it is. YaRN for files without scaling: it leaves the fast pairs as they
    are, every engine has it, and the makers who document a way for their models document this
    one. A file's own scaling is stretched on, since its model may be trained with it.

    Args:
        config: A model's configuration.
        target: L, tokens.

    Returns:
        The `Choice`.

    Source: Peng et al. 2023, section 4, arXiv:2309.00071; the model cards of Qwen2.5 and Qwen3.
    """
    if not config.is_known:
        return _unknown(config)
    if config.family.own_form:
        return _not_written(config)
    if not config.rotary:
        return _elsewhere(config, target)
    keys = tuple(key for key in config.rotary if KINDS.get(key) not in ("window", "chunk"))
    window = widest_window(config)
    lengths = trained_lengths(config, next(iter(config.rotary)))
    if not keys or (window is not None and window <= (lengths.shown or 0)):
        return _only_windows(config, lengths, target, window)
    choice = _choose_for(config, keys, target)
    if choice.verdict == "cannot":
        return choice
    wrong = reasons.errors(config)
    sureness: Sureness = "guess" if wrong else choice.sureness
    told = (*choice.reasons, *wrong)
    return replace(choice, reasons=told, sureness=sureness, layer_types=keys)


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
    return Choice("elsewhere", clause, "sure", config=config)


def _only_windows(
    config: RopeConfig, lengths: TrainedLengths, target: int, window: int | None
) -> Choice:
    """Nothing to gain: no distance is longer than the window."""
    clause = say("No scaling: every layer that rotates sees a window only, at any length")
    if window is not None:
        clause = say(
            "No scaling: every layer that rotates sees a window of {window:,} tokens, so that no "
            "distance is above {last:,} at any length",
            window=window,
            last=window - 1,
        )
    harm = say("A scaling would only make neighbours harder to tell apart.")
    told = (Reason("windows", harm), *reasons.beyond_training(lengths, target))
    longer = config
    if target > (config.reach or 0):
        longer = fresh(declaring(config, target))
    return Choice("windows", clause, "sure", told, config=longer, lengths=lengths)


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
    if lengths.with_own is False and before is not None and target <= before:
        return _remove(config, keys, lengths, target)
    if target <= lengths.reach:
        return _reaches(config, layer, lengths, target)
    if isinstance(layer.scaling, DynamicNTK):
        return _dynamic(config, layer, lengths, target)
    if isinstance(layer.scaling, LongRoPE):
        return _lists(lengths)
    return _extend(config, keys, lengths, target)


def _reaches(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    if lengths.own is None:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {length:,} of the file",
            target=target,
            length=lengths.reach,
        )
        told = reasons.chunks(config, target)
        sureness: Sureness = "guess" if told else "sure"
        told += reasons.beyond_training(lengths, target)
        return Choice("reaches", clause, sureness, tuple(told), config=config, lengths=lengths)
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
            "{own:,}; prompts under {before:,} lose a little",
            **values,
        )
    elif lengths.before is not None and target <= lengths.before:
        clause = say(
            "Nothing to set: {target:,} tokens are within the first training of {before:,}, and "
            "the file's own {kind} scaling stays on",
            **values,
        )
    shorter = reasons.beyond_training(lengths, target)
    told = [reasons.own(lengths), *reasons.published(config)]
    if lengths.with_own:
        sureness = "likely" if shorter else "sure"
        told += shorter
    else:
        told += reasons.makers(config, factor or 1.0)
        sureness = "sure" if reasons.is_documented(config, target) else "likely"
    choice = Choice("reaches", clause, sureness, tuple(told), "declared", factor, config)
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
    return Choice("remove", clause, "sure", told, "none", 1.0, shorter, lengths=lengths)


def _dynamic(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    clause = say(
        "Nothing to set: the file's dynamic scaling follows the text beyond {trained:,} tokens, "
        "to {target:,}",
        trained=lengths.before,
        target=target,
    )
    told = say(
        "Engines that fix one base when they load the model read short texts with it, and keys in "
        "the cache keep the base of the length at which they were made."
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
    told = say("Longer texts need new lists and further training.")
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
            "lose a little",
            **values,
        )
    else:
        clause = say(
            "The file's own {kind} scaling, factor {factor:.6g} instead of {own:.6g}: to "
            "{target:,}; shorter prompts lose a little",
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
    """How sure an extension is, and what that rests on."""
    told = reasons.published(config)
    if lengths.with_own is not True and reasons.is_documented(config, target):
        return "sure", told
    if lengths.own is not None:
        told.insert(0, reasons.own(lengths))
    if stretch > reasons.DOCUMENTED:
        return "guess", [reasons.far(stretch), *told]
    if layer.scaling is None or lengths.with_own is False:
        return "likely", [*reasons.makers(config, stretch), *told]
    return "guess", [*told, reasons.stretched_on()]
