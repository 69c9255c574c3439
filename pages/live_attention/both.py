"""Scores of one head before and after position, and what lies between, side by side."""

from posenc import PositionalEncoding
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.words import say
from ui import screen
from ui.charts.panels import CELLS, Panel
from ui.text import live
from ui.words import _, translate

ONE, BOTH = "stage", "both"
STAGES = say("Stage by stage")
BY_ROTATION = {BOTH: say("Before and after RoPE"), ONE: STAGES}
BY_ANOTHER = {BOTH: say("Before and after position"), ONE: STAGES}
NAMES = {
    "content": say("before, qᵢ · kⱼ / √d"),
    "scaled": say("after position"),
    "logits": say("after position, with the mask"),
    "position": say("change"),
}
BY_ROPE = {"scaled": say("after RoPE, Rᵢqᵢ · Rⱼkⱼ / √d")}


def stages(attention: AttentionRows) -> tuple[str, str, str]:
    """The stages without and with position, and their difference; a bias stands behind the mask."""
    is_added = type(attention.encoding).bias is not PositionalEncoding.bias
    return "content", "logits" if is_added else "scaled", "position"


def figure(
    attention: AttentionRows,
    head: int,
    *,
    title: str,
    labels: tuple[str, ...] | None,
    cell: tuple[int, int],
) -> screen.PanelsFigure:
    """All in one picture; a cell of one of them is followed."""
    names = NAMES | (BY_ROPE if attention.rotates else {})
    panels = [
        Panel(
            tag,
            translate(names[stage]),
            AttentionStage(attention, stage, head, live.STAGES[stage], labels=labels),
            is_apart=tag == "change",
        )
        for tag, stage in zip(("before", "after", "change"), stages(attention), strict=True)
    ]
    return screen.PanelsFigure(
        key="both",
        title=title,
        alt=_("Heatmaps of one head's scores before and after position, and of the difference"),
        panels=panels,
        height=340,
        columns=3,
        cell=cell,
        tag="after",
        caption=_(
            "On the diagonal, where a token meets itself, query and key stand at one position. "
            "The mask comes later: the first two panels show all pairs. The third, their "
            "difference where the mask allows a pair, has colours of its own; its name says how "
            "far they reach."
        )
        if attention.rotates
        else "",
    )


CODE = """\
stages = [
    AttentionStage(attention, stage, head={head}, name=stage)
    for stage in ("{before}", "{after}", "{change}")
]
values = torch.stack([view(stage, cells={cells}).values for stage in stages])
"""


def snippet(attention: AttentionRows, head: int) -> str:
    """Lines that draw both from an attention."""
    before, after, change = stages(attention)
    return CODE.format(head=head, before=before, after=after, change=change, cells=CELLS)
