"""Probable mistakes in a setting that was typed: the wrong way round, twice, or short."""

import math

from advisor.findings.finding import Finding, ratio
from advisor.units.convert import OF_BASE, RopeUnits, Unit, alpha_for_length, convert_units
from posenc.words import Sentence, say

# Released α stay far below, released bases far above: a number beyond is one in the other unit.
LARGEST_ALPHA = 5000.0
SMALLEST_BASE = 100.0


def probably_meant(unit: Unit, value: float) -> tuple[Unit, float] | None:
    """The setting that a number out of its usual range stands for; None where it looks right.

    A frequency scale is at most 1 and a factor at least 1: each is the other's inverse. An α of
    thousands is a base, a base below 100 is an α.
    """
    if (unit == "freq_scale" and value > 1) or (unit in ("factor", "compress") and value < 1):
        return unit, 1 / value
    if unit == "alpha" and value >= LARGEST_ALPHA:
        return "base", value
    if unit == "base" and value <= SMALLEST_BASE:
        return "alpha", value
    return None


def units_findings(
    setting: RopeUnits, target_length: int, *typed: tuple[Unit, float]
) -> tuple[Finding, ...]:
    """Facts about a setting that are worth a reader's time, errors first.

    Args:
        setting: What `convert_units` made of it.
        target_length: L, tokens that are to be read.
        typed: Unit and number of each setting, as it was typed.
    """
    found = [_wrong_way_round(setting, unit, value) for unit, value in typed]
    found += [_below_trained_base(setting, typed), _twice(setting), _short(setting, target_length)]
    order = ("error", "warning", "info")
    present = [finding for finding in found if finding is not None]
    return tuple(sorted(present, key=lambda finding: order.index(finding.severity)))


def _wrong_way_round(setting: RopeUnits, unit: Unit, value: float) -> Finding | None:
    meant = probably_meant(unit, value)
    if meant is None:
        return None
    name, number = meant
    message = _looks_mistaken(setting, unit, value)
    return Finding("wrong_way_round", "error", (unit,), message, _write(name, number))


def _looks_mistaken(setting: RopeUnits, unit: Unit, value: float) -> Sentence:
    told = {
        "value": ratio(value),
        "base": _base(setting.base),
        "trained_base": _base(setting.trained_base),
    }
    if unit == "alpha":
        return say(
            "alpha {value} looks like a base: it makes the base {base}, and the model was trained "
            "with {trained_base}.",
            **told,
        )
    if unit == "base":
        return say(
            "base {value} looks like an α: it makes the base {base}, and the model was trained "
            "with {trained_base}.",
            **told,
        )
    return say(
        "{unit} {value} is the wrong way round: it turns every pair {times:.6g} times faster, so "
        "that {short:,.0f} tokens use up the angles of all {trained:,} trained ones. A factor is "
        "at least 1, a frequency scale at most 1, and each is 1 divided by the other.",
        unit=unit,
        value=ratio(value),
        times=1 / setting.factor,
        short=setting.trained_length * setting.factor,
        trained=setting.trained_length,
    )


def _write(unit: Unit, value: float) -> Sentence:
    if unit == "freq_scale":
        return say(
            "Write freq_scale {scale}, or factor {factor}.",
            scale=ratio(value),
            factor=ratio(1 / value),
        )
    if unit in OF_BASE:
        return say("Write {unit} {value}.", unit=unit, value=ratio(value))
    return say(
        "Write {unit} {factor}, or freq_scale {scale}.",
        unit=unit,
        factor=ratio(value),
        scale=ratio(1 / value),
    )


def _below_trained_base(
    setting: RopeUnits, typed: tuple[tuple[Unit, float], ...]
) -> Finding | None:
    """The words of a lost rope_theta."""
    units = tuple(unit for unit, value in typed if unit in OF_BASE)
    if setting.base >= setting.trained_base * (1 - 1e-9) or not units:
        return None
    if any(probably_meant(unit, value) for unit, value in typed):
        return None
    return Finding(
        "below_trained_base",
        "error",
        units,
        say(
            "The base {base} is below the {trained_base} of the training: the slowest pair turns "
            "{times:.4g} times faster than it ever did. Near tokens look "
            "nearly as they did; the further apart two stand, the more angles are wrong.",
            base=_base(setting.base),
            trained_base=_base(setting.trained_base),
            times=1 / setting.alpha,
        ),
        say(
            "Write base {trained_base:.10g} (α 1), or more to read further.",
            trained_base=setting.trained_base,
        ),
    )


def _twice(setting: RopeUnits) -> Finding | None:
    """Linear and NTK-aware scaling together multiply."""
    factor = setting.factor
    alpha = setting.alpha
    if factor <= 1.0001 or alpha <= 1.0001:
        return None
    same = abs(math.log(factor / alpha)) < 0.1
    values = {"factor": factor, "alpha": alpha, "both": factor * alpha}
    message = say(
        "The factor and the α both act: the fastest pair is slowed {factor:.4g} times, the "
        "slowest {factor:.4g} · {alpha:.4g} = {both:.4g} times.",
        **values,
    )
    if same:
        message = say(
            "{both_act} The two numbers say the same extension, so it is applied twice.",
            both_act=message,
        )
    return Finding(
        "linear_and_ntk",
        "error" if same else "warning",
        ("factor", "alpha"),
        message,
        say(
            "Keep one: factor {factor:.4g} (linear) or α {alpha:.4g} (NTK-aware), unless the model "
            "was trained with both.",
            **values,
        ),
    )


def _short(setting: RopeUnits, target_length: int) -> Finding | None:
    """The setting does not bring the target's angles into the trained range."""
    trained = setting.trained_length
    reach = setting.reach
    if setting.factor < 1 or setting.alpha < 1 or reach >= target_length * (1 - 1e-6):
        return None
    factor = target_length / trained
    remedy = say("For the target take factor {factor:.4g} and no α.", factor=factor)
    if setting.factor == 1:
        alpha = alpha_for_length(setting.head_dim, setting.trained_base, trained, target_length)
        remedy = say(
            "For the target take factor {factor:.4g} and no α, or α {alpha:.4g} and no factor.",
            factor=factor,
            alpha=alpha,
        )
    return Finding(
        "short_of_target",
        "warning",
        ("target_length",),
        say(
            "Up to {reach:,} tokens no pair meets an angle that training never showed; the target "
            "is {target:,}.",
            reach=math.floor(reach),
            target=target_length,
        ),
        remedy,
    )


def corrected(setting: RopeUnits, *typed: tuple[Unit, float]) -> RopeUnits | None:
    """The setting with every number as it was probably meant; None if all look right.

    Raises:
        ValueError: If two of them then contradict each other.
    """
    meant = [probably_meant(unit, value) or (unit, value) for unit, value in typed]
    if meant == list(typed):
        return None
    (unit, value), *rest = meant
    return convert_units(
        unit,
        value,
        head_dim=setting.head_dim,
        trained_base=setting.trained_base,
        trained_length=setting.trained_length,
        also=rest[0] if rest else None,
    )


def _base(value: float) -> str:
    """A base in words: 25,366 or 1,000,000."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.4g}"
