"""Scores of one head before and after position, side by side on one scale."""

from posenc import PositionalEncoding
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.words import say
from ui import screen
from ui.charts.panels import CELLS, Panel
from ui.text import live
from ui.words import _, translate

ONE, BOTH = "stage", "both"
BY_ROTATION = {ONE: say("Attention"), BOTH: say("Before and after RoPE")}
BY_ANOTHER = {ONE: say("Attention"), BOTH: say("Before and after position")}
NAMES = {
    "content": say("before: q·k / √d"),
    "scaled": say("after position"),
    "logits": say("after position, with the mask"),
}
ROTATED = say("after RoPE: (Rq)·(Rk) / √d")


def stages(attention: AttentionRows) -> tuple[str, str]:
    """The stages without and with position; a bias is added behind the mask."""
    is_added = type(attention.encoding).bias is not PositionalEncoding.bias
    return "content", "logits" if is_added else "scaled"


def figure(
    attention: AttentionRows,
    head: int,
    *,
    title: str,
    labels: tuple[str, ...] | None,
    cell: tuple[int, int],
) -> screen.PanelsFigure:
    """Both in one picture; a cell of one of them is followed."""
    before, after = stages(attention)
    names = NAMES | ({"scaled": ROTATED} if attention.rotates else {})
    panels = [
        Panel(
            tag,
            translate(names[stage]),
            AttentionStage(attention, stage, head, live.STAGES[stage], labels=labels),
        )
        for tag, stage in (("before", before), ("after", after))
    ]
    return screen.PanelsFigure(
        key="both",
        title=title,
        alt=_("Two heatmaps of one head's scores, before and after position, on one scale"),
        panels=panels,
        height=440,
        columns=2,
        cell=cell,
        tag="after",
        caption=_(
            "On the diagonal both are equal: query and key turn by the same angle there. Every "
            "other score has changed with the distance of its two tokens."
        )
        if attention.rotates
        else "",
    )


CODE = """\
stages = [
    AttentionStage(attention, stage, head={head}, name=stage) for stage in ("{before}", "{after}")
]
values = torch.stack([view(stage, cells={cells}).values for stage in stages])
"""


def snippet(attention: AttentionRows, head: int) -> str:
    """Lines that draw both from an attention."""
    before, after = stages(attention)
    return CODE.format(head=head, before=before, after=after, cells=CELLS)
