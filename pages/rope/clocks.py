"""RoPE as clocks: each pair of channels is a hand that moves round with the position."""

import numpy as np
import pandas as pd
import streamlit as st
import torch

from pages.rope.settings import RopeSettings
from plots.clocks import PER_ROW, clocks, mark_tip
from posenc import rope_freqs_cis, rope_wavelengths
from posenc.quantity.sampling import even_positions
from posenc.rope.steps import tip_steps
from posenc.words import say
from ui import screen
from ui.charts.component import Cell, chart
from ui.charts.follow import follow
from ui.charts.points import Coordinate, Point, PointField
from ui.words import _, number

FRAMES, START = 96, 8


def show(s: RopeSettings) -> screen.ScreenView:
    """The clocks, one hand followed, the first positions in numbers."""
    pairs = np.linspace(0, len(s.inv_freq) - 1, min(8, len(s.inv_freq))).round().astype(int)
    positions = even_positions(s.length, FRAMES)
    start = min(START, len(positions) - 1)
    turns = rope_wavelengths(s.inv_freq).tolist()
    theta = s.inv_freq[pairs]
    figure = clocks(
        positions.numpy(),
        theta.numpy(),
        [_("pair {pair}<br>turn in {positions}", pair=i, positions=count(turns[i])) for i in pairs],
        lambda position: rope_freqs_cis(torch.tensor([position]), theta)[0].numpy(),
        title=_("Each pair of channels is a hand that turns with the position"),
        start=start,
    )
    alt = _("Clocks, one for each of up to 8 pairs: the hand stands at the angle p·θ of the pair")
    picture = st.container()
    st.caption(
        _(
            "{count} of {pairs} pairs, fastest first. The hand starts at the right and turns "
            "counterclockwise; its tip is exp(i p θ). Below a clock: positions for a full turn.",
            count=len(pairs),
            pairs=len(s.inv_freq),
        )
    )
    field = hand_field(s, positions.tolist(), pairs.tolist(), int(positions[start]))
    place, pair = hand = field.choose()
    steps = tip_steps(place, pair, s.inv_freq)
    follow(steps, key="clocks", place=field.words(hand))
    if pair in pairs:
        tip = complex(steps[-2].value, steps[-1].value)
        figure = mark_tip(figure, int(np.flatnonzero(pairs == pair)[0]), tip)
    with picture:
        chart(figure, key="clocks", alt=alt, rev=f"{s.length} {len(pairs)}")
    screen.readouts(
        {
            _("pairs"): number(len(s.inv_freq)),
            _("fastest pair turns in"): _("{count} positions", count=count(turns[0])),
            _("slowest pair turns in"): _("{count} positions", count=count(turns[-1])),
            _("pairs that turn fully within the length"): number(
                sum(turn <= s.length for turn in turns)
            ),
        }
    )
    names = [_("pair {pair}", pair=i) for i in pairs]
    first = rope_freqs_cis(torch.arange(3), s.inv_freq[pairs]).tolist()
    words = [[f"{c:.5f}".replace("j", "i") for c in row] for row in first]  # not words
    st.markdown(_("`freqs_cis`, the tips of the hands, at the first positions:"))
    st.dataframe(pd.DataFrame(words, columns=names).rename_axis(_("position")))
    body = (
        f"inv_freq = inv_freq[{pairs.tolist()}]\n"
        "print(rope_freqs_cis(torch.arange(3), inv_freq))\n"
        f"values = rope_freqs_cis(torch.tensor({positions[start]}), inv_freq).imag\n"
    )

    def tables() -> dict[str, pd.DataFrame]:
        hands = rope_freqs_cis(positions, s.inv_freq[pairs]).numpy()
        return {
            part: screen.curve_frame(
                _("position"), positions.tolist(), dict(zip(names, tips.T.tolist(), strict=True))
            )
            for part, tips in ((_("real"), hands.real), (_("imaginary"), hands.imag))
        }

    return screen.ScreenView(tables, s.code + body)


def hand_field(s: RopeSettings, positions: list[int], pairs: list[int], start: int) -> PointField:
    """Which hand is followed; by default the first that is drawn."""

    def tip(clicked: Cell, now: Point) -> Point | None:
        if clicked.frame >= len(positions):
            return None
        hand = min(PER_ROW * clicked.curve + clicked.col, len(pairs) - 1)
        return positions[clicked.frame], pairs[hand]

    coordinates = (
        Coordinate(_("position"), range(s.length)),
        Coordinate(_("pair"), range(len(s.inv_freq))),
    )
    default = start, pairs[0]
    return PointField("clocks_hand", say("hand"), coordinates, default, {"clocks": tip})


def count(positions: float) -> str:
    """A number of positions, readable from 6.28 to 5,063,256."""
    return number(positions, ",.0f" if positions >= 100 else ".3g")
