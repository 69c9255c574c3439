"""Choosing the settings with which a model reads a text of a given length."""

from dataclasses import replace
from typing import cast

from posenc.config.choosing import reasons
from posenc.config.choosing.change import fresh, same, stretched
from posenc.config.choosing.choice import NAMES, Choice, Reason, Sureness
from posenc.config.choosing.elsewhere import elsewhere, not_written, only_windows, unknown
from posenc.config.choosing.lengths import TrainedLengths, trained_lengths
from posenc.config.choosing.makers import makers_word
from posenc.config.choosing.own import dynamic, either, is_open, lists, reaches, remove
from posenc.config.choosing.repair import as_argument, repaired, seeing_all, with_lost_base
from posenc.config.known_models import lost_base
from posenc.config.layers import RopeLayer
from posenc.config.memory.cache import widest_window
from posenc.config.rope import RopeConfig
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.words import Sentence, say

WITHOUT_A_WORD = ("makers", "undocumented", "stretched_on", "own_unknown")
"""Reasons that count only where the makers say nothing of this very setting."""
DOUBTS = ("read_as_asked", "base_missing", "base_against_known")
"""Findings beside which nothing is more than a guess."""


def choose(config: RopeConfig, target: int) -> Choice:
    """Choose the settings with which a model reads `target` tokens.

    The smallest factor that covers the target: a static scaling acts on short texts as well, and
    the more the larger it is. YaRN for files without scaling: it leaves the fast pairs as they
    are, most engines have it, and the makers who document a way for their models document this
    one. A file's own scaling is stretched on, since its model may be extended with it; where it
    is not the one that the makers released or document, theirs comes first.

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
        return unknown(config)
    if config.family.own_form:
        return not_written(config)
    if not config.rotary:
        return _judged(elsewhere(config, target), config, config, target)
    lost = lost_base(config)
    turning = config if lost is None else fresh(config.turning(base=lost[1]))
    right, tell = repaired(turning, target)
    choice = as_argument(tell(_for_rotary(right, target)), right)
    if lost is not None:
        choice = with_lost_base(choice, *lost)
    return _judged(choice, config, right, target)


def _judged(choice: Choice, config: RopeConfig, right: RopeConfig, target: int) -> Choice:
    """The choice with what makers and others say of it, and as sure as that allows."""
    if choice.config is None:
        return choice
    lengths = choice.lengths
    # With the makers' scaling stretched on, the file may turn like that of a later model.
    is_beyond = lengths is not None and lengths.with_own and target > (lengths.reach or target)
    known = makers_word(choice.config, target) if target and not is_beyond else None
    why = [one for one in choice.reasons if known is None or one.code not in WITHOUT_A_WORD]
    told = (*reasons.makers_said(right, known, target), *why)
    told = (*told, *reasons.published(right), *reasons.errors(config, choice.config))
    codes = {one.code for one in told}
    sureness = choice.sureness
    if known is not None:
        sureness = "likely" if {"contradicted", "wrapped"} & codes or known.caution else "sure"
    doubts = [one for one in config.findings if one.code in DOUBTS and one.severity != "info"]
    told = (*(Reason(one.code, cast(Sentence, one.message)) for one in doubts), *told)
    if (doubts or {"errors", "restored"} & codes) and sureness != "setting":
        sureness = "guess"
    if sureness == "setting" and any(one.code == "read_as_asked" for one in doubts):
        sureness = "guess"
    return replace(choice, sureness=sureness, known=known, reasons=told)


def _for_rotary(config: RopeConfig, target: int) -> Choice:
    """For a file whose layers rotate."""
    lengths = trained_lengths(config, next(iter(config.rotary)))
    window = widest_window(config)
    keys = seeing_all(config)
    # A window wider than the texts of the training leaves distances to a scaling.
    is_narrow = window is not None and window <= (lengths.before or lengths.reach or 0)
    if is_narrow or (window is None and not keys):
        return only_windows(config, lengths, target, window)
    keys = keys or tuple(config.rotary)
    return replace(_for_all_seeing(config, keys, target), layer_types=keys)


def _for_all_seeing(config: RopeConfig, keys: tuple[str, ...], target: int) -> Choice:
    """For layers that rotate and see everything."""
    layer = config.rotary[keys[0]]
    lengths = trained_lengths(config, keys[0])
    before = lengths.before
    if lengths.reach is None:
        return Choice(
            "cannot",
            say("No advice: the file does not say how long the training was"),
            "none",
            (Reason("no_length", say("Give max_position_embeddings, or the trained length.")),),
            lengths=lengths,
        )
    if is_open(layer, lengths, target):
        return either(config, layer, lengths, target)
    if lengths.with_own is False and before is not None and target <= before:
        return remove(config, keys, lengths, target)
    if target <= lengths.reach:
        return reaches(config, layer, lengths, target)
    if isinstance(layer.scaling, DynamicNTK):
        return dynamic(config, layer, lengths, target)
    if isinstance(layer.scaling, LongRoPE):
        return lists(lengths)
    return extend(config, keys, lengths, target)


def extend(
    config: RopeConfig, keys: tuple[str, ...], lengths: TrainedLengths, target: int
) -> Choice:
    """Beyond what the file reaches: YaRN, or the file's own scaling with a larger factor."""
    layer = config.rotary[keys[0]]
    longer = config
    for key in keys:
        longer = stretched(longer, key, lengths, target)
    after = same(longer, keys[0])
    factor = float(getattr(after.scaling, "factor", 1.0))
    values: dict[str, object] = {
        "kind": NAMES.get(layer.rope_type),
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
            "The file's own {kind} scaling, {larger}: to {target:,}; shorter prompts get slightly "
            "worse",
            larger=reasons.larger(
                float(getattr(layer.scaling, "factor", 1.0)), factor, lengths.before
            ),
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
    method = after.rope_type
    return Choice("extend", clause, sureness, told, method, factor, longer, lengths=lengths)


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
