"""What will happen with a method, in sentences and in one row of numbers."""

import math

import torch

from pages.config.methods import Method
from posenc import DualChunk, LeakyReRoPE, Proportional, ReRoPE, SelfExtend
from posenc.reading.formula import neighbour_change
from ui.controls.task import Task, number

SMALL = 0.005  # standard deviations of a logit: printed as nothing


def verdict(method: Method, task: Task) -> str:
    """What will happen at the target length and to short prompts, in Markdown."""
    sentences = [
        f"**{method.name}** ({method.rule.settings}) {_frequencies(method, task)}.",
        _angles(method, task),
        _smallest(method),
        _short(method, task),
        _neighbours(method, task),
        _gain(method, task),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _frequencies(method: Method, task: Task) -> str:
    remapping = method.rule.remapping
    if remapping is not None:
        farthest = f"{remapping.reach(task.target):,.0f}"
        return f"keeps the frequencies and {_REMAPPED[type(remapping)]}: none above {farthest}"
    before = task.trained_reading(task.shown).inv_freq
    after = method.reading.inv_freq
    woken, stopped = (
        int(((before == 0) & (after > 0)).sum()),
        int(((before > 0) & (after == 0)).sum()),
    )
    if woken:
        return f"turns {woken} pairs that the model was trained with at rest"
    if stopped:
        return f"stops the {stopped} slowest pairs, which then carry no position"
    slowed = (before / after)[after > 0]
    if len(slowed) == 0 or bool(((slowed - 1).abs() < 1e-9).all()):
        return "leaves every pair as it was trained"
    least, most = float(slowed.min()), float(slowed.max())
    if most < 1 - 1e-9:
        return f"turns every pair faster than in training, up to {number(1 / least, 3)} ×"
    if most - least < 1e-9 * most:
        return f"slows every pair {number(most, 3)} ×"
    if least < 1 - 1e-9:
        faster = f"turns some pairs up to {number(1 / least, 3)} × faster"
        return f"{faster} and slows others up to {number(most, 3)} ×"
    kept = int(((slowed - 1).abs() < 1e-9).sum())
    if not kept:
        return f"slows every pair, by {number(least, 3)} × to {number(most, 3)} ×"
    return f"keeps {kept} of {len(slowed)} pairs and slows the slowest {number(most, 3)} ×"


_REMAPPED = {
    ReRoPE: "shows every distance beyond w as w",
    LeakyReRoPE: "lets distances beyond w grow more slowly",
    SelfExtend: "counts distances beyond W in groups",
    DualChunk: "starts positions anew in every chunk",
}


def _angles(method: Method, task: Task) -> str:
    is_new = method.coverage.is_new
    count = int(is_new.sum())
    if count == 0:
        return f"Within {task.target:,} tokens no pair meets an angle that training never showed."
    past = float(method.coverage.excess[is_new].max())
    meets, goes = ("1 pair meets", "goes") if count == 1 else (f"{count} pairs meet", "go")
    far = f" and {goes} up to {number(past, 3)} × as far as in training" if past > 1 else ""
    return f"Within {task.target:,} tokens {meets} angles that training never showed{far}."


def _smallest(method: Method) -> str:
    if method.rule.knob is None:
        return ""
    symbol = method.rule.knob[0]
    if method.smallest is None:
        return f"No {symbol} up to a million covers this length."
    if method.smallest == 1:
        return ""
    return f"{symbol} = {_rounded_up(method.smallest)} is the smallest that covers this length."


def _rounded_up(value: float) -> str:
    """At most one part in a hundred above: a factor that is rounded down no longer covers."""
    step = 10 ** (math.floor(math.log10(value)) - 2)
    return number(round(math.ceil(value * (1 - 1e-9) / step) * step, 6))


def _short(method: Method, task: Task) -> str:
    if method.short_cost < SMALL:
        return f"Prompts of up to {task.prompt:,} tokens are read as in training."
    turned = ""
    if abs(method.short_cost - method.turned_cost) > SMALL:
        turned = f", {method.turned_cost:.2f} by the angles alone"
    return (
        f"A prompt of {task.prompt:,} tokens pays: its logits move by {method.short_cost:.2f} "
        f"standard deviations{turned} (unrelated logits differ by 1.41)."
    )


def resolution(method: Method, task: Task) -> float:
    """How far neighbouring tokens are apart, as a share of what training has shown."""
    one, target = torch.tensor([1]), task.target
    before = neighbour_change(
        task.trained_reading(task.shown), one, max(task.shown, 3), width=task.width
    )
    after = neighbour_change(method.reading, one, target, width=task.width)
    shares = (after / method.reading.gain) / (before / task.trained_reading(task.shown).gain)
    return float(shares.nan_to_num(1.0, 1.0, 1.0))


def _neighbours(method: Method, task: Task) -> str:
    remapping = method.rule.remapping
    if isinstance(remapping, ReRoPE):
        return f"Tokens more than {remapping.window:,} back cannot be told apart by position."
    if isinstance(remapping, SelfExtend) and remapping.group_size > 1:
        return f"Beyond W, tokens of one group of {remapping.group_size:,} look alike."
    share = resolution(method, task)
    if share > 0.95:
        return ""
    return f"Neighbouring tokens are {share:.2f} × as far apart as in training."


def _gain(method: Method, task: Task) -> str:
    before = task.trained_reading(task.shown).gain
    share = method.reading.gain / before if before else 1.0
    if abs(share - 1) < SMALL:
        return ""
    return f"Factors change all its logits {number(share, 3)} ×, at every length."


def basis(task: Task) -> str:
    """What all verdicts rest on, where the file leaves room for another reading."""
    layer = task.layer
    if task.as_in_file or layer.scaling is None or isinstance(layer.scaling, Proportional):
        return ""
    guess = ""
    if layer.trained_length is None and task.trained == layer.original_length:
        guess = "The file gives no trained length apart from the declared one; set L₀ if you know. "
    return (
        f"{guess}All this is judged by a training of {task.trained:,} tokens without scaling. If "
        "the model was trained further with the file's scaling, say so at *Training has shown*."
    )


COLUMNS = {
    "fastest pair ÷": "By how much pair 0 is slowed: 1 keeps neighbouring tokens as far apart as "
    "they were.",
    "slowest pair ÷": "By how much the last pair is slowed.",
    "pairs with new angles": "Pairs that meet, within the target length, angles that training "
    "never showed.",
    "neighbours": "How far apart neighbouring tokens are, as a share of what training has shown.",
    "A²·m": "What all logits of the rotated channels are multiplied by: the attention factor "
    "squared, and a factor of the softmax scale.",
    "short prompt": "By how many standard deviations the logits of a short prompt move; two "
    "unrelated logits differ by 1.41.",
}
"""What the columns of `row` are."""


def row(method: Method, task: Task) -> dict[str, str]:
    """The method's line of the table."""
    slowed = task.frequencies(task.unscaled, None)[0] / method.reading.inv_freq
    return {
        "fastest pair ÷": _divisor(float(slowed[0])),
        "slowest pair ÷": _divisor(float(slowed[-1])),
        "pairs with new angles": f"{int(method.coverage.is_new.sum())}",
        "neighbours": f"{resolution(method, task):.2f}",
        "A²·m": f"{method.reading.gain:.4f}",
        "short prompt": f"{method.short_cost:.2f}",
    }


def _divisor(slowed: float) -> str:
    return number(slowed) if math.isfinite(slowed) else "at rest"
