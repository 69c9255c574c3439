"""What to do so that a model reads a text of a given length: one sentence, how sure, and why."""

from dataclasses import dataclass, replace
from typing import Literal, cast

from posenc.checks import check_int
from posenc.config.engines.known import check_known
from posenc.config.engines.transformers.write import unchecked
from posenc.config.extend import covering_factor, extend_config
from posenc.config.families.all import UNKNOWN
from posenc.config.fields import LONGEST
from posenc.config.layers import OtherLayer, RopeLayer
from posenc.config.memory.cache import KINDS
from posenc.config.memory.cards import GIB
from posenc.config.memory.needs import Needs, needs
from posenc.config.memory.windows import widest_window
from posenc.config.rope import RopeConfig
from posenc.config.trained import YARN_ADDED, TrainedLengths, trained_lengths
from posenc.scaling.coverage import angle_coverage
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say, say_count

Verdict = Literal["unknown", "elsewhere", "windows", "reaches", "remove", "extend", "cannot"]
Sureness = Literal["sure", "likely", "guess", "none"]
DOCUMENTED = 4.0
"""Factor up to which makers document YaRN on a model that was not trained with it."""
UNITS = ((2**40, "TiB"), (GIB, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
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
}
"""What layers without rotation leave to do, by their encoding."""


@dataclass(frozen=True)
class Reason:
    """One thing that speaks for or against the decision.

    Attributes:
        code: Its name: "family", "no_length", "own", "own_unknown", "not_with_own", "makers",
            "angles", "new_angles", "far", "stretched_on", "windows", "window_too", "chunks",
            "dynamic", "lists" or "errors".
        text: A sentence.
    """

    code: str
    text: Sentence


@dataclass(frozen=True)
class Choice:
    """What to do with the rotary layers, without its cost.

    Attributes:
        verdict: "unknown": no advice; "elsewhere": the layers do not rotate; "windows": nothing to
            gain; "reaches": nothing to set; "remove": leave the file's scaling out; "extend": set
            `method` and `factor`; "cannot": no method that is known.
        clause: What to do with the numbers, without a full stop.
        sureness: "sure", "likely", "guess", or "none" where no advice is given.
        reasons: Why, and why no surer.
        method: Id of `METHODS`; "" where nothing is set.
        factor: Of the method.
        config: What to export: the file, or the file changed; None where nothing may be.
        layer_types: Keys of `config.rotary` that the choice is about.
        lengths: The trained lengths of the first of them.
    """

    verdict: Verdict
    clause: Sentence
    sureness: Sureness
    reasons: tuple[Reason, ...] = ()
    method: str = ""
    factor: float | None = None
    config: RopeConfig | None = None
    layer_types: tuple[str, ...] = ()
    lengths: TrainedLengths | None = None


@dataclass(frozen=True)
class Decision:
    """What to do so that a model reads a text of `target` tokens.

    Attributes:
        target: L, tokens.
        choice: What to set.
        needs: What that length costs; None where the cache cannot be told.
        missing: Why it cannot; "" otherwise.
    """

    target: int
    choice: Choice
    needs: Needs | None
    missing: str

    @property
    def sentence(self) -> Sentence:
        """The whole of it in one sentence, with the numbers."""
        clause = self.choice.clause
        if self.needs is None or self.choice.verdict == "unknown":
            return say("{clause}.", clause=clause)
        size, unit = in_unit(self.needs.cache)
        return say(
            "{clause}; the cache takes {size:.1f} {unit} in {kind}.",
            clause=clause,
            size=size,
            unit=unit,
            kind=self.needs.cache_kind,
        )


def in_unit(count: int) -> tuple[float, str]:
    """Bytes in the largest unit of which there is about one: 12.0 and "GiB"."""
    size, unit = next(((size, unit) for size, unit in UNITS if count >= 0.1 * size), UNITS[-1])
    return count / size, unit


def decide(
    config: RopeConfig,
    target: int | None = None,
    cache_kind: str = "bfloat16",
    weight_kind: str = "bfloat16",
    batch: int = 1,
) -> Decision:
    """What to do so that a model reads a text of `target` tokens.

    Args:
        config: A model's configuration.
        target: L, tokens; None is the length that the file reaches by itself.
        cache_kind: One of `CACHE_BITS`.
        weight_kind: One of `WEIGHT_BITS`.
        batch: Texts at once.

    Returns:
        The `Decision`; `choice.config` is what to write for an engine.

    Raises:
        ValueError: If there is neither a target nor a length in the file, or a number is out of
            range.
    """
    length = target or config.reach
    if length is None:
        raise ValueError(say("max_position_embeddings is not in the file: set a target length."))
    check_int("target_length", length, 1, maximum=LONGEST)
    choice = choose(config, length)
    try:
        return Decision(length, choice, needs(config, length, cache_kind, weight_kind, batch), "")
    except ValueError as error:
        return Decision(length, choice, None, str(error))


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
    if not is_known(config):
        return _unknown(config)
    if not config.rotary:
        return _elsewhere(config, target)
    keys = tuple(key for key in config.rotary if KINDS.get(key) not in ("window", "chunk"))
    window = widest_window(config)
    shown = trained_lengths(config, next(iter(config.rotary))).shown
    if not keys or (window is not None and shown is not None and window <= shown):
        return _only_windows(config, target, window)
    choice = _choose_for(config, keys, target)
    extra = [_errors(config)] if choice.verdict != "cannot" else []
    reasons = (*choice.reasons, *(one for one in extra if one is not None))
    sureness = "guess" if any(one.code == "errors" for one in reasons) else choice.sureness
    return replace(choice, reasons=reasons, sureness=sureness, layer_types=keys)


def is_known(config: RopeConfig) -> bool:
    """Whether it is known how the layers rotate."""
    if config.family is UNKNOWN:
        return False
    try:
        check_known(config)
    except ValueError:
        return False
    return all(str(layer.encoding) != "unknown" for layer in config.layers.values())


def _unknown(config: RopeConfig) -> Choice:
    kind = config.model_type or say("no model_type")
    return Choice(
        "unknown",
        say("No advice: how the layers of this model ({kind}) rotate is not known", kind=kind),
        "none",
        (
            Reason(
                "family",
                say(
                    "The numbers below are those of plain RoPE, which may not be what this "
                    "model computes; nothing is written for an engine."
                ),
            ),
        ),
    )


def _elsewhere(config: RopeConfig, target: int) -> Choice:
    layer = next(iter(config.layers.values()))
    assert isinstance(layer, OtherLayer)
    clause = ELSEWHERE.get(layer.encoding)
    rows = layer.max_length
    if layer.encoding == "learned" and rows is not None and target <= rows:
        clause = say(
            "Nothing to set: the learned table has {rows:,} rows, and {target:,} are asked for",
            rows=rows,
            target=target,
        )
    return Choice(
        "elsewhere",
        clause or say("No method for rotary positions applies: these layers do not rotate"),
        "sure",
        config=config,
    )


def _only_windows(config: RopeConfig, target: int, window: int | None) -> Choice:
    """Nothing to gain: no distance is longer than the window."""
    declared = max(config.reach or 0, target)
    layers = {
        key: replace(one, max_length=declared) if isinstance(one, RopeLayer) else one
        for key, one in config.layers.items()
    }
    clause = say("No scaling: every layer that rotates sees a window only, at any length")
    if window is not None:
        clause = say(
            "No scaling: every layer that rotates sees a window of {window:,} tokens, so that no "
            "distance is above {last:,} at any length",
            window=window,
            last=window - 1,
        )
    told = say("A scaling would only make neighbours harder to tell apart.")
    fresh = config if declared == config.reach else _fresh(replace(config, layers=layers))
    return Choice("windows", clause, "sure", (Reason("windows", told),), config=fresh)


def _choose_for(config: RopeConfig, keys: tuple[str, ...], target: int) -> Choice:
    """For layers that rotate and see everything."""
    layer, lengths = config.rotary[keys[0]], trained_lengths(config, keys[0])
    if lengths.reach is None:
        return Choice(
            "cannot",
            say("No advice: the file does not say how long the training was"),
            "none",
            (Reason("no_length", say("Give max_position_embeddings, or the trained length.")),),
            lengths=lengths,
        )
    before = lengths.before
    if lengths.with_own is False and before is not None and target <= before:
        return _remove(config, keys, lengths, target)
    if isinstance(layer.scaling, DynamicNTK):
        return _dynamic(config, layer, lengths, target)
    if target <= lengths.reach:
        return _reaches(config, layer, lengths, target)
    if isinstance(layer.scaling, LongRoPE):
        return _lists(lengths)
    return _extend(config, keys, lengths, target)


def _reaches(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    factor = getattr(layer.scaling, "factor", None)
    told: dict[str, object] = {"target": target, "before": lengths.before, "own": lengths.own}
    if lengths.own is None:
        clause = say(
            "Nothing to set: {target:,} tokens are within the {length:,} of the file",
            target=target,
            length=lengths.reach,
        )
        chunks = _chunks(config, target)
        if chunks is None:
            return Choice("reaches", clause, "sure", config=config, lengths=lengths)
        return Choice("reaches", clause, "guess", (chunks,), config=config, lengths=lengths)
    told |= {"kind": NAMES[layer.rope_type], "factor": _shown(factor or 1.0)}
    clause = say("Nothing to set: the file's own {kind} scaling reaches {own:,} tokens", **told)
    reasons = [_own(lengths)]
    if lengths.with_own is False:
        clause = say(
            "Nothing to set: the file's own {kind}, factor {factor} on {before:,}, reaches "
            "{own:,}; prompts under {before:,} lose a little",
            **told,
        )
        if (factor or 1.0) <= DOCUMENTED:
            reasons.append(_makers())
    elif lengths.before is not None and target <= lengths.before:
        clause = say(
            "Nothing to set: {target:,} tokens are within the first training of {before:,}, and "
            "the file's own {kind} scaling stays on",
            **told,
        )
    documented = lengths.with_own or any(one.code == "makers" for one in reasons)
    return Choice(
        "reaches",
        clause,
        "sure" if documented else "likely",
        tuple(reasons),
        "declared",
        factor,
        config,
        lengths=lengths,
    )


def _chunks(config: RopeConfig, target: int) -> Reason | None:
    """What a file with Dual Chunk Attention rests on beyond its chunks."""
    chunks = config.dual_chunk
    if chunks is None or target <= chunks.chunk_length + chunks.local_window:
        return None
    told = say(
        "Beyond {length:,} tokens this rests on Dual Chunk Attention, which few engines have.",
        length=chunks.chunk_length + chunks.local_window,
    )
    return Reason("chunks", told)


def _makers() -> Reason:
    told = say(
        "The makers document YaRN up to factor {most:g} for models of this family.",
        most=DOCUMENTED,
    )
    return Reason("makers", told)


def _own(lengths: TrainedLengths) -> Reason:
    """Whether the model was trained with the scaling in its file."""
    if lengths.with_own:
        return Reason("own", say("The makers trained the model with the scaling in its file."))
    if lengths.with_own is False:
        return Reason(
            "not_with_own",
            say(
                "The makers did not train with the scaling in this file: they give it as an "
                "addition for long texts, and short ones lose a little."
            ),
        )
    return Reason(
        "own_unknown",
        say(
            "The file does not say whether the model was trained with its scaling; if somebody "
            "added it, short texts lose a little."
        ),
    )


def _remove(
    config: RopeConfig, keys: tuple[str, ...], lengths: TrainedLengths, target: int
) -> Choice:
    """A scaling that was added for texts longer than this one."""
    layers = {
        **config.layers,
        **{
            key: replace(config.rotary[key], scaling=None, max_length=lengths.before)
            for key in keys
        },
    }
    clause = say(
        "No scaling, without the one in the file: {target:,} tokens are within the {trained:,} of "
        "the training",
        target=target,
        trained=lengths.before,
    )
    fresh = _fresh(replace(config, layers=layers))
    return Choice("remove", clause, "sure", (_own(lengths),), "none", 1.0, fresh, lengths=lengths)


def _dynamic(config: RopeConfig, layer: RopeLayer, lengths: TrainedLengths, target: int) -> Choice:
    before = cast(int, lengths.before)
    if target <= before:
        return _reaches(config, layer, lengths, target)
    clause = say(
        "Nothing to set: the file's dynamic scaling follows the text beyond {trained:,} tokens, "
        "to {target:,}",
        trained=before,
        target=target,
    )
    told = say(
        "Engines that fix one base when they load the model read short texts with it, and keys in "
        "the cache keep the base of the length at which they were made."
    )
    reasons = (Reason("dynamic", told), _angles(layer, layer, lengths, target))
    factor = cast(DynamicNTK, layer.scaling).factor
    return Choice("reaches", clause, "guess", reasons, "declared", factor, config, lengths=lengths)


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
    layer, extended = config.rotary[keys[0]], config
    for key in keys:
        extended = _stretched(extended, key, lengths, target)
    after = extended.rotary[keys[0]]
    factor = float(getattr(after.scaling, "factor", 1.0))
    told: dict[str, object] = {
        "factor": _shown(factor),
        "target": target,
        "trained": lengths.before or lengths.reach,
    }
    if layer.scaling is None:
        clause = say(
            "YaRN, factor {factor} on {trained:,}: to {target:,}; prompts under {trained:,} lose "
            "a little",
            **told,
        )
    else:
        clause = say(
            "The file's own {kind} scaling, factor {factor} instead of {own}: to {target:,}; "
            "shorter prompts lose a little",
            kind=NAMES[layer.rope_type],
            own=_shown(float(getattr(layer.scaling, "factor", 1.0))),
            **told,
        )
    reasons = [_angles(layer, after, lengths, target)]
    stretch = target / (lengths.reach or target) if lengths.with_own else factor
    sureness = _sureness(config, layer, lengths, stretch, reasons)
    if _has_windows(config):
        reasons.append(
            Reason(
                "window_too",
                say("The layers with a window share the scaling and have nothing to gain from it."),
            )
        )
    method = "yarn" if layer.scaling is None else "declared"
    return Choice(
        "extend", clause, sureness, tuple(reasons), method, factor, extended, lengths=lengths
    )


def _sureness(
    config: RopeConfig,
    layer: RopeLayer,
    lengths: TrainedLengths,
    stretch: float,
    reasons: list[Reason],
) -> Sureness:
    """How sure an extension is; what it rests on is added to the reasons."""
    documented = (config.model_type or "").startswith(YARN_ADDED)
    is_yarn = layer.scaling is None or isinstance(layer.scaling, YaRN)
    if documented and is_yarn and stretch <= DOCUMENTED and lengths.with_own is not True:
        reasons.append(_makers())
        return "sure"
    if lengths.own is not None:
        reasons.append(_own(lengths))
    if stretch > DOCUMENTED:
        reasons.append(
            Reason(
                "far",
                say(
                    "{times} times as far as the training: more than the {most:g} times that "
                    "makers document without further training.",
                    times=_shown(stretch),
                    most=DOCUMENTED,
                ),
            )
        )
        return "guess"
    if layer.scaling is None:
        return "likely"
    reasons.append(
        Reason(
            "stretched_on",
            say("No source is known here for this scaling with a larger factor."),
        )
    )
    return "guess"


def _stretched(config: RopeConfig, key: str, lengths: TrainedLengths, target: int) -> RopeConfig:
    """The layers with the smallest factor that covers the target."""
    layer = config.rotary[key]
    scaling = layer.scaling
    if scaling is None or isinstance(scaling, YaRN):
        return extend_config(config, key, "yarn", target)
    assert isinstance(scaling, Linear | Llama3 | Proportional)
    reach = cast(int, lengths.reach)
    changed = replace(scaling, factor=scaling.factor * covering_factor(target, reach))
    layers = {
        name: replace(one, max_length=target) if isinstance(one, RopeLayer) else one
        for name, one in config.layers.items()
    }
    own = replace(layer, scaling=changed, max_length=target)
    return _fresh(replace(config, layers={**layers, key: own}))


def _fresh(config: RopeConfig) -> RopeConfig:
    """The configuration as it is read back from the file that is written."""
    return RopeConfig.from_hf(unchecked(config))


def _angles(before: RopeLayer, after: RopeLayer, lengths: TrainedLengths, target: int) -> Reason:
    """How many pairs meet angles that training did not show."""
    keeps = lengths.with_own or isinstance(before.scaling, Proportional)
    shown = before if keeps else replace(before, scaling=None)
    length = max(lengths.shown or 2, 2)
    seen, _ = shown.frequencies(length)
    meets, _ = after.frequencies(target)
    new = int(angle_coverage(seen, length, max(target, 2), meets).is_new.sum())
    if not new:
        return Reason(
            "angles",
            say(
                "No pair of channels meets an angle that a training of {length:,} tokens did not "
                "show.",
                length=length,
            ),
        )
    return Reason(
        "new_angles",
        say_count(
            "{count} pair of channels meets angles that a training of {length:,} tokens did not "
            "show.",
            "{count} pairs of channels meet angles that a training of {length:,} tokens did not "
            "show.",
            new,
            length=length,
        ),
    )


def _has_windows(config: RopeConfig) -> bool:
    """Whether layers with a window share the frequencies of those that see everything."""
    return len(config.rotary) == 1 and "window" in {KINDS.get(w) for w in config.layer_types}


def _errors(config: RopeConfig) -> Reason | None:
    """The findings that are errors."""
    count = sum(finding.severity == "error" for finding in config.findings)
    if not count:
        return None
    return Reason(
        "errors",
        say_count(
            "The file has {count} error among its findings: mend it first.",
            "The file has {count} errors among its findings: mend them first.",
            count,
        ),
    )


def _shown(factor: float) -> str:
    return f"{factor:.6g}"
