"""The first heads side by side, and the slope of each head."""

from pages.alibi.settings import Settings
from posenc.alibi.steps import alibi_slope_steps
from posenc.words import say
from ui import screen
from ui.charts.panels import Panel
from ui.words import _, number, translate

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
            say("head {head}, slope {slope}", head=h, slope=short(slope)),
            s.bias(slope, length),
        )
        for h, slope in enumerate(s.slopes[:PANELS].tolist())
    ]
    return screen.PanelsFigure(
        key="heads",
        title=_(
            "ALiBi bias of the first {heads} heads, first {length} tokens, on one scale",
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


def short(slope: float) -> str:
    """A slope in a few letters: a power of two as a fraction, any other in three digits."""
    return f"1/{1 / slope:.0f}" if 1 / slope % 1 == 0 else translate(number(slope, ".3g"))


def slopes(s: Settings) -> screen.BarsFigure:
    return screen.BarsFigure(
        key="slopes",
        alt=_("Bars of the slope of each head on a logarithmic axis"),
        values=s.slopes,
        name=_("slope"),
        title=_("ALiBi slope of each head"),
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
