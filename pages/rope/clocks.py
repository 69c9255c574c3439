"""RoPE as clocks: each pair of channels is a hand that moves round with the position."""

from typing import Any

import numpy as np
import pandas as pd
import torch

from pages.rope.settings import LENGTHS, Encoding
from plots.clocks import clocks
from plots.figure import Figure
from posenc.quantity.sampling import even_positions
from posenc.rope.steps import tip_steps
from posenc.study import rope_freqs_cis, rope_wavelengths
from posenc.words import say
from ui import controls, screen
from ui.charts.moving import reported
from ui.charts.points import Coordinate, Point, PointField
from ui.words import _, number

KEY = "clocks"
HAND = "clocks_hand"
FRAMES = 96
START = 8
HEIGHTS = {4: 350, 8: 470}
"""Clocks at most to pixels of the picture: of one row, and of two."""
WORDS = {
    "back": say("Back 1"),
    "on": say("On 1"),
    "play": say("Play"),
    "pause": say("Pause"),
    "speed": say("Positions per second"),
    "position": say("Position"),
    "at": say("position {position}"),
    "dials": say("The pairs"),
    "dial": say("Pair {pair}, a turn in {count} positions"),
    "pair": say("pair {pair}"),
    "turn": say("turn in {count}"),
    "formula": say(
        "Pair {pair} at position {position}: the angle is {position} · {theta} = {angle}, and the "
        "tip stands at cos = {cos}, sin = {sin}."
    ),
    "rests": say("At position {position}, the hand of pair {pair} has made {turns} turns."),
}
"""Interface words of the browser side, by its names for them."""


def hear() -> None:
    """Copy what the player has reported into the control, before it is drawn."""
    report = reported(KEY)
    position = report.get("position")
    pair = report.get("pair")
    if all(isinstance(one, int) and 0 <= one < LENGTHS for one in (position, pair)):
        controls.put(HAND, f"{position}, {pair}")


def picture(s: Encoding) -> screen.Picture:
    """The clocks, one hand followed, the first positions in numbers."""
    pairs = np.linspace(0, s.pairs - 1, min(8, s.pairs)).round().astype(int)
    turns = rope_wavelengths(s.inv_freq).tolist()
    return screen.Picture(
        figures=[moving_clocks(s, pairs), first_tips(s, pairs)],
        readouts={
            _("pairs"): number(s.pairs),
            _("fastest pair turns in"): _("{count} positions", count=count(turns[0])),
            _("slowest pair turns in"): _("{count} positions", count=count(turns[-1])),
            _("pairs that turn fully within the length"): number(
                sum(turn <= s.length for turn in turns)
            ),
        },
    )


def moving_clocks(s: Encoding, pairs: np.ndarray) -> screen.MovingFigure:
    coordinates = (
        Coordinate(_("position"), range(s.length)),
        Coordinate(_("pair"), range(s.pairs)),
    )
    first = (min(START, s.length - 1), int(pairs[0]))
    field = PointField(HAND, say("hand"), coordinates, first, {})
    turns = [count(turn) for turn in rope_wavelengths(s.inv_freq[pairs]).tolist()]
    data = {
        "length": s.length,
        "theta": s.inv_freq.tolist(),
        "shown": pairs.tolist(),
        "turns": turns,
        "field": HAND,
        "first": field.write(first),
    }

    def settings(hand: Point) -> dict[str, Any]:
        return {**s.program, "position": hand[0], "pairs": pairs.tolist()}

    return screen.MovingFigure(
        key=KEY,
        alt=_(
            "Clocks, one for each of up to 8 pairs: the hand stands at the angle p·θ of the pair"
        ),
        words=WORDS,
        data=lambda hand: data | {"at": {"position": hand[0], "pair": hand[1]}},
        still=lambda hand: figure(s, pairs, turns, hand[0]),
        settings=settings,
        height=next(high for most, high in HEIGHTS.items() if len(pairs) <= most),
        field=field,
        steps=lambda hand: tip_steps(hand[0], hand[1], s.inv_freq),
        captions=[
            _(
                "{count} of {pairs} pairs, fastest first. The hand starts at the right and turns "
                "counterclockwise; its tip is exp(i p θ). Below a clock: positions for a full "
                "turn. A hand is drawn faint while it turns faster than the eye can follow.",
                count=len(pairs),
                pairs=s.pairs,
            )
        ],
        tables=lambda: tips(s, pairs),
    )


def named(pairs: np.ndarray) -> list[str]:
    return [_("pair {pair}", pair=i) for i in pairs]


def first_tips(s: Encoding, pairs: np.ndarray) -> screen.TableFigure:
    """The tips at three positions, as complex numbers are written."""
    tips = rope_freqs_cis(torch.arange(3), s.inv_freq[pairs]).tolist()
    words = [[f"{c:.5f}".replace("j", "i") for c in row] for row in tips]
    return screen.TableFigure(
        name=say("first positions"),
        frame=pd.DataFrame(words, columns=named(pairs)).rename_axis(_("position")),
        caption=_("`freqs_cis`, the tips of the hands, at the first positions:"),
    )


def tips(s: Encoding, pairs: np.ndarray) -> screen.Frames:
    """Where the tips stand at positions over the whole length."""
    positions = even_positions(s.length, FRAMES)
    hands = rope_freqs_cis(positions, s.inv_freq[pairs]).numpy()
    return {
        part: pd.DataFrame(tips, pd.Index(positions.numpy(), name=_("position")), named(pairs))
        for part, tips in ((_("real"), hands.real), (_("imaginary"), hands.imag))
    }


def figure(s: Encoding, pairs: np.ndarray, turns: list[str], position: int) -> Figure:
    """The clocks with plotly's own player, which begins at the hand: for the file of pictures."""
    positions = torch.cat((even_positions(s.length, FRAMES), torch.tensor([position]))).unique()
    theta = s.inv_freq[pairs]
    return clocks(
        positions.numpy(),
        [
            _("pair {pair}<br>turn in {positions}", pair=pair, positions=turn)
            for pair, turn in zip(pairs, turns, strict=True)
        ],
        lambda place: rope_freqs_cis(torch.tensor([place]), theta)[0].numpy(),
        title=_("Each pair of channels is a hand that turns with the position"),
        start=positions.tolist().index(position),
    )


def count(positions: float) -> str:
    """A number of positions, readable from 6.28 to 5,063,256."""
    return number(positions, ",.0f" if positions >= 100 else ".3g")
