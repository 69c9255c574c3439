"""Checks of the tasks on encodings that add something: to the words, or to the scores."""

import torch

from exhibits.homework.check import TaskResult
from exhibits.homework.settings import Settings
from posenc.alibi.formula import alibi_slopes
from posenc.alibi.window import alibi_window
from posenc.attention.formula import attend
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import RandomProjections, randomise
from posenc.rope.formula import rope_wavelengths
from posenc.sinusoidal.formula import SINUSOIDAL_LAYOUTS, sinusoidal_inv_freq
from posenc.t5.formula import t5_bucket
from posenc.words import say

WORDS = 5
ROUNDING = 1e-6
HEADS = 32
TEXT = 4096
WINDOW = (115, 130)
COLUMNS = 16
TURN = 0.01
FAR = (200, 400)
NEAR = (5, 6)
BUCKETS = 32
BACK = 10
HALF = (0.49, 0.51)


def order_without_encoding(s: Settings) -> TaskResult:
    """Why position: the order of the words matters, and no encoding says so."""
    encoding = s.one_of("encoding", CATALOGUE, "nope")
    causal = s.switch("causal", False)
    change = _reversed(encoding, causal)
    said = say(
        "Tried on five made-up words: in reverse order, the numbers of a word change by up to "
        "{change:.2g}.",
        change=change,
    )
    if change <= ROUNDING:
        said = say("Tried on five made-up words: in reverse order, no number of a word changes.")
    if encoding != "nope":
        return TaskResult(
            False,
            say("{said} But an encoding is chosen; the task is without one.", said=said),
        )
    return TaskResult(change > ROUNDING, said)


@torch.no_grad()
def _reversed(name: str, causal: bool) -> float:
    """Largest change of a word's output when five words are reversed."""
    model = RandomProjections(seed=0, d_model=8, num_heads=1, head_dim=8)
    encoding = randomise(CATALOGUE[name].build(ModelShape(8, 1, 8, WORDS)), seed=0).double()
    x = model.embed(list(range(WORDS))).double()
    outputs = []
    for words in (x, x.flip(1)):
        q, k, v = model.project(encoding.embed(words, torch.arange(WORDS)))
        outputs.append(attend(q, k, v, encoding, mask="causal" if causal else None))
    return float((outputs[0] - outputs[1].flip(2)).abs().max())


def one_turn(s: Settings) -> TaskResult:
    """Absolute: the slowest wave makes one full turn within the table."""
    columns = s.whole("d_model", 64, 1, 8192)
    length = s.whole("length", 128, 1, 100_000_000)
    base = s.number("base", 10000.0, 1.001, 1e12)
    layout = s.one_of("layout", SINUSOIDAL_LAYOUTS, "interleaved")
    if columns < COLUMNS:
        return TaskResult(
            False,
            say(
                "The table has {columns} columns and needs at least {least}.",
                columns=columns,
                least=COLUMNS,
            ),
        )
    slowest = float(rope_wavelengths(sinusoidal_inv_freq(columns, base, layout))[-1])  # type: ignore[arg-type]
    turns = length / slowest
    said = say(
        "The slowest wave needs {slowest:,.1f} positions for a turn and makes {turns:.3f} turns "
        "in {length:,} positions.",
        slowest=slowest,
        turns=turns,
        length=length,
    )
    return TaskResult(abs(turns - 1) <= TURN, said)


def far_buckets(s: Settings) -> TaskResult:
    """Relative: a T5 decoder with 32 buckets tells two far distances apart."""
    bidirectional = s.switch("bidirectional", True)
    buckets = s.whole("num_buckets", 32, 4, 1024)
    nearest = (buckets // 2 if bidirectional else buckets) // 2 + 1
    largest = s.whole("t5_max_distance", max(128, nearest), nearest, 1_000_000)
    back = -torch.tensor([*FAR, *NEAR])
    found = t5_bucket(back, bidirectional, buckets, largest).tolist()
    said = say(
        "With {count} buckets, distances {far_0} and {far_1} fall into buckets {a} and {b}, "
        "distances {near_0} and {near_1} into {c} and {d}.",
        count=buckets,
        far_0=FAR[0],
        far_1=FAR[1],
        near_0=NEAR[0],
        near_1=NEAR[1],
        **dict(zip("abcd", found, strict=True)),
    )
    if bidirectional:
        said = say("{said} But this is an encoder: it looks to both sides.", said=said)
    is_met = found[0] != found[1] and found[2] != found[3]
    return TaskResult(is_met and not bidirectional and buckets <= BUCKETS, said)


def head_with_window(s: Settings) -> TaskResult:
    """ALiBi: the head of 32 that sees so far."""
    heads = s.whole("num_heads", 8, 1, 256)
    head = s.whole("head", 0, 0, heads - 1)
    length = s.whole("length", 64, 4, 2**27)
    slope = alibi_slopes(heads)[head]
    window = int(alibi_window(slope[None], length)[0])
    said = say(
        "Head {head} of {heads} has the slope {slope:.4g}. The last of {length:,} tokens "
        "gives nine tenths of its flat attention to the nearest {window:,}.",
        head=head,
        heads=heads,
        slope=float(slope),
        length=length,
        window=window,
    )
    is_met = heads == HEADS and length == TEXT and WINDOW[0] <= window <= WINDOW[1]
    return TaskResult(is_met, said)


def half_arrives(s: Settings) -> TaskResult:
    """Forget gates: all alike, they let half of a key ten tokens back arrive."""
    gates = s.one_of("gates", ("separators", "constant", "random"), "separators")
    gate = s.number("gate", 0.95, 0.001, 0.999)
    arrives = gate**BACK
    said = say("Ten gates of {gate:.4g} let {arrives:.1%} through.", gate=gate, arrives=arrives)
    if gates != "constant":
        return TaskResult(False, say("{said} But the gates are not all alike.", said=said))
    return TaskResult(HALF[0] <= arrives <= HALF[1], said)
