"""Choices beyond what a file reaches: YaRN, or its own scaling with a larger factor."""

from dataclasses import replace

from posenc.config.choosing import reasons
from posenc.config.choosing.change import same, stretched
from posenc.config.choosing.choice import NAMES, Choice, Reason, Sureness
from posenc.config.choosing.lengths import TrainedLengths
from posenc.config.layers import RopeLayer
from posenc.config.rope import RopeConfig
from posenc.words import say


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
    choice = Choice(
        "extend",
        clause=clause,
        sureness=sureness,
        reasons=told,
        method=after.rope_type,
        factor=factor,
        config=longer,
    )
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
