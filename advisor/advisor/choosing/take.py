"""A method of one's own choice in the place of the advice."""

from advisor.choosing.change import counted, from_trained, same, without_scaling
from advisor.choosing.choice import Choice, reason
from advisor.choosing.choose import choose
from advisor.choosing.lengths import TrainedLengths, trained_lengths
from advisor.choosing.reasons import stretch
from advisor.comparing.layer import RopeLayer
from advisor.extend import EXTENSIONS, extend_config
from advisor.rope import RopeConfig
from posenc.checks import check_choice
from posenc.scaling.methods import METHODS
from posenc.words import Sentence, say

METHODS_TO_TAKE = ("declared", "none", *EXTENSIONS)
"""Ids of `METHODS` that can be taken in the place of the advice."""


def take(config: RopeConfig, method: str, target: int) -> Choice:
    """A method of one's own choice.

    Returns:
        The `Choice`; the advice where that is the same, or where it is not known how layers
        rotate.

    Raises:
        ValueError: If the method cannot be had for this file and target, as where no layer
            rotates and sees everything.
    """
    check_choice("method", method, METHODS_TO_TAKE)
    advised = choose(config, target)
    if method in EXTENSIONS and advised.verdict in ("windows", "elsewhere"):
        raise ValueError(
            f"{METHODS[method].title} cannot be taken for this file: it changes nothing that its "
            f"layers need. {advised.clause}."
        )
    far = next((one.text for one in advised.reasons if one.code == "not_shown"), None)
    if method in EXTENSIONS and far is not None:
        raise ValueError(
            f"{METHODS[method].title} cannot be taken for {target:,} tokens. {advised.clause}. "
            f"{far}"
        )
    if not advised.layer_types or method == advised.method:
        return advised
    keys = advised.layer_types
    taken = config
    if method == "none":
        taken = without_scaling(config, keys, target)
    elif method != "declared":
        taken = counted(config, keys)
        for key in keys:
            trained = trained_lengths(config, key)
            if advised.verdict == "cannot" and trained.before is None:
                raise ValueError(f"{advised.clause}.")
            taken = extend_config(from_trained(taken, key, trained.before), key, method, target)
    before = config.rotary[keys[0]]
    after = same(taken, keys[0])
    lengths = trained_lengths(config, keys[0])
    advice = reason("advised", "Advised is: {clause}.", clause=advised.clause)
    return Choice(
        "taken",
        clause=_clause(method, before, after, lengths, target),
        sureness="guess",
        reasons=(stretch.angles(before, after, lengths, target), advice),
        method=method,
        factor=getattr(after.scaling, "factor", None),
        config=taken,
        layer_types=keys,
        lengths=lengths,
    )


def _clause(
    method: str, before: RopeLayer, after: RopeLayer, lengths: TrainedLengths, target: int
) -> Sentence:
    values: dict[str, object] = {
        "method": METHODS[method].title,
        "target": target,
        "trained": lengths.before or lengths.reach,
        "factor": getattr(after.scaling, "factor", 1.0),
    }
    if method == "declared":
        return say("The file as it is: to {target:,}", **values)
    if method == "none":
        return say("No scaling: to {target:,}", **values)
    if after.base != before.base:
        return say(
            "With {method}: base {base:,.0f} instead of {own:,.0f}, to {target:,}",
            base=after.base,
            own=before.base,
            **values,
        )
    return say("With {method}: factor {factor:.6g} on {trained:,}, to {target:,}", **values)
