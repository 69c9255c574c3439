"""CoPE: positions counted by gates, from a text to one score."""

from typing import Any

import streamlit as st
import torch

from pages.cope import counting
from pages.cope import pictures as counting_pictures
from pages.cope.counting import Counted
from ui import controls, screen
from ui.charts.matrix import Shown, matrix
from ui.controls import device
from ui.text import controls as live_controls
from ui.text import live

START: dict[str, Any] = {
    "text": "Sam sat down. Ann left. Then it rained. Who left?",
    "gates": "separators",
    "separators": ". ? !",
    "max_positions": 64,
}
LIST = "red, green, blue; one, two, three; cat, dog, cow"
PRESETS = {
    "Count sentences": START,
    "Count commas": START | {"text": LIST, "separators": ","},
    "Random gates": START | {"gates": "random projections"},
    "All gates open": START | {"gates": "all open"},
    "A low cap": START | {"gates": "all open", "max_positions": 6},
}
MAX_CHARS = 20_000

CODE = """\
ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={head_dim}, num_heads=1, head_dim={head_dim})
q, k, v = model.project(model.embed(ids).to(**place))
scores = attend(q, k, v, mask="causal", trace=True).masked[0, 0]
{gate_logits}positions = cope_positions(gate_logits, {max_positions})
positions = positions.masked_fill(scores == -torch.inf, torch.nan)

tokens = Axis("token", len(ids))
quantity = Computed(positions, "p", tokens, tokens)
"""
FROM_SCORES = "gate_logits = scores  # the gates read the same scores as the attention\n"
FROM_KEYS = """\
is_open = torch.zeros(len(ids), dtype=torch.bool, device="{device}")
is_open[{opens}] = True
gate_logits = scores.masked_fill(is_open, torch.inf).masked_fill(~is_open, -torch.inf)
gate_logits = gate_logits.masked_fill(scores == -torch.inf, -torch.inf)
"""


def main() -> None:
    """Read the controls, count the positions, place the pictures."""
    lesson = screen.header("cope")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, gates, separators, max_positions = read_controls()
    opens = counting.open_keys(settings.tokens.texts, gates, separators)
    view = None
    with right, screen.guard():
        counted = counting.count(settings, opens, max_positions)
        shown = show_positions(settings, counted)
        tables = {"positions": screen.view_frame(shown.view)}
        tables |= counting_pictures.show_gates(settings, counted, shown.cell)
        tables |= counting_pictures.show_row(settings, counted, shown.cell)
        code = snippet(settings, opens, max_positions, shown)
        view = screen.ScreenView(lambda: tables, code)
    screen.notice(lesson)
    screen.tabs(lesson, view)


def read_controls() -> tuple[live.AttentionSettings, str, str, int]:
    """Settings of the attention, which gates open, on what, and the number of positions."""
    text = controls.text(
        "text", "Text", START["text"], max_chars=MAX_CHARS, help="What the gates read."
    )
    gates = controls.choice(
        "gates",
        "Gates open on",
        counting.GATES,
        help="g in the formula. Separators: each gate is 1 on them and 0 elsewhere, as a trained "
        "head could learn. Random projections: σ(q·k / √d), as before training.",
    )
    separators = controls.line(
        "separators",
        "Separators",
        START["separators"],
        max_chars=40,
        help="Tokens that open the gates, with spaces between them.",
    )
    max_positions = controls.number(
        "max_positions", "Positions", 64, 2, 4096,
        help="Number of position embeddings; 64 in several of the paper's runs. "
        "max_positions − 1 is the cap.",
    )  # fmt: skip
    with st.expander("More"):
        cut = live_controls.tokenizer()
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        chosen_device = device.picker()
    settings = live.AttentionSettings(cut(text), "nope", True, 1, head_dim, seed, chosen_device)
    return settings, gates, separators or "", max_positions


def show_positions(settings: live.AttentionSettings, counted: Counted) -> Shown:
    """The large picture, and how it differs from counting tokens."""
    future = counted.future
    shown = matrix(
        live.quantity(
            counted.positions.masked_fill(future, torch.nan),
            settings.tokens,
            "position p",
            signed=False,
            explain=counted.position_steps,
        ),
        key="positions",
        title="Position p: gates summed from key j to query i",
        alt="Heatmap of contextual positions: they grow from the diagonal to the left wherever a "
        "gate opens",
        default_cell=live.default_cell(settings.length),
        clicks=counting_pictures.CLICKS,
    )
    plain = counting.plain_positions(counted)
    cap = counted.cope.max_positions - 1
    clamped = int((counted.uncapped > cap).masked_fill(future, False).sum())
    difference = (counted.uncapped - plain).masked_fill(future, 0).abs().max().item()
    screen.readouts(
        {
            "p there": "masked" if future[shown.cell] else f"{shown.value:.4g}",
            "i − j + 1 there": "masked" if future[shown.cell] else f"{plain[shown.cell]:.0f}",
            "largest difference": f"{difference:.4g}",
            f"cells at the cap, {cap}": f"{clamped:,} of {int((~future).sum()):,}",
        },
        help={"largest difference": "Between p and i − j + 1 over all cells, before the cap."},
    )
    st.caption(
        f"Queries, keys and the position embeddings are random numbers from the seed; no model is "
        f"trained. Scores computed in {counted.milliseconds:.1f} ms on {settings.device.type}."
    )
    return shown


def snippet(
    settings: live.AttentionSettings, opens: list[int] | None, max_positions: int, shown: Shown
) -> str:
    """The positions by `posenc` alone."""
    from_keys = FROM_KEYS.format(opens=opens, device=settings.device.type)
    return (
        CODE.format(
            **live.code_fields(settings),
            gate_logits=FROM_SCORES if opens is None else from_keys,
            max_positions=max_positions,
        )
        + shown.code()
    )


main()
