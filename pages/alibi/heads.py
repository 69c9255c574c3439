"""The first heads side by side, and the slope of each head."""

from pages.alibi.settings import Settings
from posenc.alibi.steps import alibi_slope_steps
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.words import _

PANELS = 8
PANEL_LENGTH = 32


def picture(s: Settings) -> screen.Picture:
    """Small matrices on one scale, and bars of the slopes."""
    length = min(s.length, PANEL_LENGTH)
    return screen.Picture(figures=[first_heads(s, length), slopes(s)])


def first_heads(s: Settings, length: int) -> screen.PanelsFigure:
    panels = [
        Panel(
            f"{h}",
            say("head {head}, slope {slope:.4g}", head=h, slope=slope),
            s.bias(slope, length),
        )
        for h, slope in enumerate(s.slopes[:PANELS].tolist())
    ]
    return screen.PanelsFigure(
        key="heads",
        title=_(
            "Bias of the first {heads} heads, first {length} tokens, on one scale",
            heads=len(panels),
            length=length,
        ),
        alt=_("Small heatmaps of the bias of each head on one colour scale"),
        panels=panels,
        height=460,
        field="panels",
        cell=(min(20, length - 1), min(10, length - 1)),
        settings={"num_heads": s.num_heads, "length": length, **s.future_keys},
    )


def slopes(s: Settings) -> screen.BarsFigure:
    return screen.BarsFigure(
        key="slopes",
        alt=_("Bars of the slope of each head on a logarithmic axis"),
        values=s.slopes,
        name=_("slope"),
        title=_("Slope of each head"),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        log_y=True,
        steps=lambda _curve, head: alibi_slope_steps(s.num_heads, head),
        x_name=_("head"),
        point=(0, s.head),
        table=say("slopes"),
        settings={"num_heads": s.num_heads},
        height=340,
    )
