"""The effects of a method, in sentences and in one row of numbers."""

import math
from collections.abc import Callable
from typing import Any

from advisor.comparing.outcome import Outcome
from advisor.comparing.task import Task
from pages.config.parameters import parameters
from posenc.scaling import Proportional
from posenc.study import DualChunk, LeakyReRoPE, ReRoPE, SelfExtend
from posenc.words import say
from ui.charts.methods import divisor, new_angles, title
from ui.words import _, number, plural, rounded

CROWDED = 0.9
"""Neighbours nearer than this share of what they were in training are a method's first price."""
SMALL = 0.005  # standard deviations of a logit: printed as nothing
SYMBOLS = {"factor": "k", "alpha": "α"}


def verdict(one: Outcome) -> str:
    """The method's effects at the target length and on short prompts, in Markdown."""
    sentences = [
        _frequencies(one),
        new_angles(one),
        _smallest(one),
        _short(one),
        _neighbours(one),
        _gain(one),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def price(one: Outcome) -> str:
    """The price at which a method reads this length, in a sentence of Markdown."""
    named = {"method": title(one.method.id)}
    told = []
    if one.resolution <= CROWDED:
        told.append(
            _(
                "**{method}** crowds neighbouring tokens: they are {times} times closer together "
                "than in training, measured straight across each pair's circle, which shrinks "
                "less than the angle.",
                times=rounded(1 / one.resolution, 3),
                **named,
            )
        )
    count = int(one.coverage.is_new.sum())
    if count:
        told.append(
            plural(
                "**{method}** leaves {count} pair with angles that training never showed.",
                "**{method}** leaves {count} pairs with angles that training never showed.",
                count,
                **named,
            )
        )
    if not told:
        kept = {"kept": one.changed.kept, "pairs": one.changed.turning}
        told.append(
            _(
                "**{method}** does neither: it keeps {kept} of {pairs} pairs as they were, and "
                "every angle was met in training.",
                **kept,
                **named,
            )
        )
    return " ".join(told)


def _frequencies(one: Outcome) -> str:
    """The method, its parameters, and what becomes of the frequencies or the distances."""
    named: dict[str, Any] = {"method": title(one.method.id), "settings": parameters(one)}
    remapping = one.rule.remapping
    if remapping is not None:
        told = REMAPPED.get(type(remapping), _remapped)
        return told(named | {"farthest": remapping.reach(one.task.target)})
    return _changed(one, named)


def _changed(one: Outcome, named: dict[str, Any]) -> str:
    slowing = one.changed
    least, most = slowing.least, slowing.most
    if slowing.woken:
        return _(
            "**{method}** ({settings}) turns {count} pairs that were at rest in training.",
            count=slowing.woken,
            **named,
        )
    if slowing.stopped:
        return _(
            "**{method}** ({settings}) stops the {count} slowest pairs, which then carry no "
            "position.",
            count=slowing.stopped,
            **named,
        )
    if slowing.kept == slowing.turning:
        return _("**{method}** ({settings}) leaves every pair as it was trained.", **named)
    if most < 1 - 1e-9:
        return _(
            "**{method}** ({settings}) turns every pair faster than in training, up to "
            "{times} times.",
            times=rounded(1 / least, 3),
            **named,
        )
    if most - least < 1e-9 * most:
        return _(
            "**{method}** ({settings}) slows every pair by a factor of {times}.",
            times=rounded(most, 3),
            **named,
        )
    if least < 1 - 1e-9:
        return _(
            "**{method}** ({settings}) turns some pairs up to {faster} times as fast and "
            "slows others up to {slower} times.",
            faster=rounded(1 / least, 3),
            slower=rounded(most, 3),
            **named,
        )
    if not slowing.kept:
        return _(
            "**{method}** ({settings}) slows every pair, by factors from {least} to {most}.",
            least=rounded(least, 3),
            most=rounded(most, 3),
            **named,
        )
    return _(
        "**{method}** ({settings}) keeps {kept} of {pairs} pairs and slows the slowest by a "
        "factor of {most}.",
        kept=slowing.kept,
        pairs=slowing.turning,
        most=rounded(most, 3),
        **named,
    )


def _remapped(named: dict[str, Any]) -> str:
    return _(
        "**{method}** ({settings}) keeps the frequencies and changes the distances: none is above "
        "{farthest:,.0f}.",
        **named,
    )


REMAPPED: dict[type, Callable[[dict[str, Any]], str]] = {
    ReRoPE: lambda named: _(
        "**{method}** ({settings}) keeps the frequencies and shows every distance beyond w as w: "
        "none is above {farthest:,.0f}.",
        **named,
    ),
    LeakyReRoPE: lambda named: _(
        "**{method}** ({settings}) keeps the frequencies and lets distances beyond w grow more "
        "slowly: none is above {farthest:,.0f}.",
        **named,
    ),
    SelfExtend: lambda named: _(
        "**{method}** ({settings}) keeps the frequencies and counts distances beyond W in groups: "
        "none is above {farthest:,.0f}.",
        **named,
    ),
    DualChunk: lambda named: _(
        "**{method}** ({settings}) keeps the frequencies and starts positions again in every "
        "chunk: no distance is above {farthest:,.0f}.",
        **named,
    ),
}
"""By the kind of a remapping."""


def _smallest(one: Outcome) -> str:
    symbol = SYMBOLS.get(one.task.knob(one.method), "")
    if not symbol or one.smallest == 1:
        return ""
    if one.smallest is None:
        return _("No {symbol} up to a million covers this length.", symbol=symbol)
    return _(
        "{symbol} = {value} is the smallest that covers this length.",
        symbol=symbol,
        value=_rounded_up(one.smallest),
    )


def _rounded_up(value: float) -> str:
    """At most one part in a hundred above: a factor that is rounded down no longer covers."""
    step = 10 ** (math.floor(math.log10(value)) - 2)
    return rounded(round(math.ceil(value * (1 - 1e-9) / step) * step, 6))


def _short(one: Outcome) -> str:
    length = one.task.prompt
    if one.short_cost < SMALL:
        return _("Prompts of up to {length:,} tokens are read as in training.", length=length)
    if abs(one.short_cost - one.turned_cost) > SMALL:
        return _(
            "A prompt of {length:,} tokens is changed too: its logits move by {cost:.2f} standard "
            "deviations, {angles:.2f} by the angles alone (unrelated logits differ by "
            "{unrelated:.2f}).",
            length=length,
            cost=one.short_cost,
            angles=one.turned_cost,
            unrelated=math.sqrt(2),
        )
    return _(
        "A prompt of {length:,} tokens is changed too: its logits move by {cost:.2f} standard "
        "deviations (unrelated logits differ by {unrelated:.2f}).",
        length=length,
        cost=one.short_cost,
        unrelated=math.sqrt(2),
    )


def _neighbours(one: Outcome) -> str:
    remapping = one.rule.remapping
    if isinstance(remapping, ReRoPE):
        return _(
            "Tokens more than {window:,} back cannot be told apart by position.",
            window=remapping.window,
        )
    if isinstance(remapping, SelfExtend) and remapping.group_size > 1:
        return _("Beyond W, tokens of one group of {size:,} look alike.", size=remapping.group_size)
    if one.resolution > 0.95:
        return ""
    return _(
        "Neighbouring tokens are {times} times closer together than in training, measured straight "
        "across each pair's circle, which shrinks less than the angle.",
        times=rounded(1 / one.resolution, 3),
    )


def _gain(one: Outcome) -> str:
    if abs(one.gain - 1) < SMALL:
        return ""
    return _(
        "Factors multiply the logits of its rotated channels by {times}, at every length.",
        times=rounded(one.gain, 3),
    )


def basis(task: Task) -> str:
    """Assumption behind all verdicts, where the file leaves room for another reading."""
    layer = task.layer
    if task.as_in_file or layer.scaling is None or isinstance(layer.scaling, Proportional):
        return ""
    sentences = [
        _(
            "All this assumes training on {length:,} tokens without scaling. If training was "
            "continued with the file's scaling, say so at *Training has shown*.",
            length=task.trained,
        )
    ]
    if layer.trained_length is None and task.trained == layer.original_length:
        guess = _(
            "The file gives no trained length apart from the declared one; set L₀ if you know."
        )
        sentences.insert(0, guess)
    return " ".join(sentences)


COLUMNS = {
    "fastest": (
        say("fastest pair ÷"),
        say("By how much pair 0 is slowed: 1 keeps neighbouring tokens as far apart as they were."),
    ),
    "slowest": (say("slowest pair ÷"), say("By how much the last pair is slowed.")),
    "new": (
        say("pairs with new angles"),
        say("Pairs that meet, within the target length, angles that training never showed."),
    ),
    "neighbours": (
        say("neighbours"),
        say("How far apart neighbouring tokens are, as a share of what training has shown."),
    ),
    "gain": (
        "A²·m",
        say(
            "What all logits of the rotated channels are multiplied by: the attention factor "
            "squared, and a factor of the softmax scale."
        ),
    ),
    "short": (
        say("short prompt"),
        say(
            "By how many standard deviations the logits of a short prompt move; two unrelated "
            "logits differ by 1.41. It does not say what a model loses by that."
        ),
    ),
}
"""The columns of `row`, by id: what they are called, and what they are."""


def row(one: Outcome) -> dict[str, str]:
    """The method's line of the table, by the ids of `COLUMNS`."""
    slowed = one.slowed
    return {
        "fastest": divisor(float(slowed[0])),
        "slowest": divisor(float(slowed[-1])),
        "new": f"{int(one.coverage.is_new.sum())}",
        "neighbours": number(one.resolution, ".2f"),
        "gain": number(one.reading.gain, ".4f"),
        "short": number(one.short_cost, ".2f"),
    }
