"""RoPE as clocks: each pair of channels is a hand that moves round with the position."""

import numpy as np
import pandas as pd
import streamlit as st
import torch

from pages.rope.settings import RopeSettings
from plots.clocks import clocks
from plots.figure import Figure
from posenc import rope_freqs_cis, rope_wavelengths
from posenc.quantity.sampling import even_positions
from posenc.rope.steps import tip_steps
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.follow import follow
from ui.charts.moving import moving, reported
from ui.charts.points import Coordinate, PointField
from ui.words import _, number, translate

KEY, HAND = "clocks", "clocks_hand"
FRAMES, START = 96, 8
HEIGHT = 470
LAST = 2**27  # of all positions on this screen
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
"""What the browser's half says, by its names there."""


def hear() -> None:
    """Copy what the player has reported into the control, before it is drawn."""
    report = reported(KEY)
    if report is None:
        return
    position, pair = report.get("position"), report.get("pair")
    if all(isinstance(one, int) and 0 <= one < LAST for one in (position, pair)):
        controls.put(HAND, f"{position}, {pair}")


def show(s: RopeSettings) -> screen.ScreenView:
    """The clocks, one hand followed, the first positions in numbers."""
    pairs = np.linspace(0, len(s.inv_freq) - 1, min(8, len(s.inv_freq))).round().astype(int)
    turns = rope_wavelengths(s.inv_freq).tolist()
    first = min(START, s.length - 1)
    picture = st.container()
    st.caption(
        _(
            "{count} of {pairs} pairs, fastest first. The hand starts at the right and turns "
            "counterclockwise; its tip is exp(i p θ). Below a clock: positions for a full turn. A "
            "hand is drawn faint while it turns faster than the eye can follow.",
            count=len(pairs),
            pairs=len(s.inv_freq),
        )
    )
    coordinates = (
        Coordinate(_("position"), range(s.length)),
        Coordinate(_("pair"), range(len(s.inv_freq))),
    )
    field = PointField(HAND, say("hand"), coordinates, (first, int(pairs[0])), {})
    place, pair = chosen = field.choose()
    notebooks.computed(KEY, **s.head, position=place, pairs=pairs.tolist())
    follow(tip_steps(place, pair, s.inv_freq), key=KEY, place=field.words(chosen))
    with picture:
        draw(s, pairs.tolist(), (place, pair), f"{first}, {pairs[0]}")
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
    tips = rope_freqs_cis(torch.arange(3), s.inv_freq[pairs]).tolist()
    words = [[f"{c:.5f}".replace("j", "i") for c in row] for row in tips]
    st.markdown(_("`freqs_cis`, the tips of the hands, at the first positions:"))
    st.dataframe(pd.DataFrame(words, columns=names).rename_axis(_("position")))

    def tables() -> dict[str, pd.DataFrame]:
        positions = even_positions(s.length, FRAMES)
        hands = rope_freqs_cis(positions, s.inv_freq[pairs]).numpy()
        return {
            part: screen.curve_frame(
                _("position"), positions.tolist(), dict(zip(names, tips.T.tolist(), strict=True))
            )
            for part, tips in ((_("real"), hands.real), (_("imaginary"), hands.imag))
        }

    return screen.ScreenView(tables)


def draw(s: RopeSettings, pairs: list[int], hand: tuple[int, int], first: str) -> None:
    """Hand the frequencies to the player.

    Args:
        s: The settings.
        pairs: Which are drawn.
        hand: Position and pair that are followed.
        first: What the field says when nobody has chosen.
    """
    turns = [count(turn) for turn in rope_wavelengths(s.inv_freq[pairs]).tolist()]
    alt = _("Clocks, one for each of up to 8 pairs: the hand stands at the angle p·θ of the pair")
    data = {
        "alt": alt,
        "told": {name: translate(text) for name, text in WORDS.items()},
        "at": {"position": hand[0], "pair": hand[1]},
        "length": s.length,
        "theta": s.inv_freq.tolist(),
        "shown": pairs,
        "turns": turns,
        "field": HAND,
        "first": first,
    }
    still = figure(s, pairs, turns, hand[0])
    moving("clocks", data, key=KEY, height=HEIGHT, still=still)


def figure(s: RopeSettings, pairs: list[int], turns: list[str], position: int) -> Figure:
    """The clocks with plotly's own player, which begins at the hand: for the file of pictures."""
    positions = torch.cat((even_positions(s.length, FRAMES), torch.tensor([position]))).unique()
    theta = s.inv_freq[pairs]
    return clocks(
        positions.numpy(),
        theta.numpy(),
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
