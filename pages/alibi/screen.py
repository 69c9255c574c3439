"""ALiBi and its family: slopes, bias matrices, the window that each head sees."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from pages.alibi import family as alibi_family
from pages.alibi import slope_lists
from plots.lines import Series, bars, lines
from posenc import alibi_slopes
from posenc.alibi.picture import ALiBiBias, ALiBiTwoSided
from posenc.alibi.steps import alibi_flat_weight_steps, alibi_slope_steps, alibi_window_steps
from posenc.alibi.window import alibi_flat_weights, alibi_window
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.curve import curve_chart
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.words import _, number, plural

PRESETS = {
    "heads_8": {"num_heads": 8, "length": 64, "mode": "causal"},
    "bloom": {"num_heads": 112, "length": 2048, "mode": "causal"},
    "mpt": {"num_heads": 32, "length": 2048, "mode": "causal"},
    "baichuan2": {"num_heads": 40, "length": 4096, "mode": "causal"},
    "encoder": {"num_heads": 12, "length": 512, "mode": "symmetric"},
}
PRESET_LABELS = {
    "heads_8": say("8 heads"),
    "bloom": say("BLOOM-176B (112 heads)"),
    "mpt": say("MPT-7B (32 heads)"),
    "baichuan2": say("Baichuan2-13B (40 heads)"),
    "encoder": say("Encoder, 12 heads"),
}
PICTURES = {
    "bias": say("Bias"),
    "heads": say("Heads"),
    "slopes": say("Slopes"),
    "window": say("Window"),
    "family": say("Family"),
}
MODES = {
    "causal": say("causal"),
    "symmetric": say("symmetric"),
    "asymmetric": say("asymmetric"),
}
PANELS, PANEL_LENGTH, CURVE_POINTS = 8, 32, 1024
MOST_WEIGHTS = 1 << 20  # that a notebook adds up


@dataclass(frozen=True)
class AlibiSettings:
    """What the controls say."""

    num_heads: int
    head: int
    length: int
    mode: str
    future: float
    """What the slope is multiplied by after the query; asymmetric mode."""

    def bias(self, slope: float, length: int) -> ALiBiBias | ALiBiTwoSided:
        """The bias of a head with this slope."""
        if self.mode == "asymmetric":
            return ALiBiTwoSided(slope, self.future * slope, length)
        return ALiBiBias(slope, length, symmetric=self.mode == "symmetric")

    def code(self, slope: str, length: int) -> str:
        """Python that makes the same bias of a slope by that name."""
        if self.mode == "asymmetric":
            return f"ALiBiTwoSided({slope}, {self.future} * {slope}, {length})"
        return f"ALiBiBias({slope}, {length}, symmetric={self.mode == 'symmetric'})"

    @property
    def future_keys(self) -> dict[str, Any]:
        """What of the future is shown, for a notebook."""
        return {"mode": self.mode, "future": self.future}

    @property
    def slopes(self) -> Tensor:
        return alibi_slopes(self.num_heads)

    @property
    def slope(self) -> float:
        return self.slopes[self.head].item()


def bias_view(s: AlibiSettings) -> screen.ScreenView:
    notebooks.computed("bias", num_heads=s.num_heads, head=s.head, **s.future_keys)
    shown = matrix(
        s.bias(s.slope, s.length),
        key="bias",
        title=_("Bias of head {head}, slope {slope:.6g}", head=s.head, slope=s.slope),
        alt=_(
            "Heatmap of the ALiBi bias of head {head}: 0 on the diagonal, falling with distance",
            head=s.head,
        ),
        default_cell=(min(s.length - 1, 40), min(s.length - 1, 10)),
    )
    window = int(alibi_window(s.slopes, s.length)[s.head])
    screen.readouts(
        {
            _("slope"): number(s.slope, ".6g"),
            _("90 % of flat attention within"): plural(
                "{count:,} token", "{count:,} tokens", window
            ),
            _("bias at the far end"): number(-s.slope * (s.length - 1), ".4g"),
            _("computed in"): _("{time:.1f} ms", time=shown.milliseconds),
        }
    )
    code = (
        f"slope = alibi_slopes({s.num_heads})[{s.head}].item()\n"
        f"bias = {s.code('slope', s.length)}\n"
        f"{shown.code('bias')}"
        "print(slope, values)\n"
    )
    return screen.ScreenView(lambda: {say("bias"): screen.view_frame(shown.view)}, code)


def heads_view(s: AlibiSettings) -> screen.ScreenView:
    length = min(s.length, PANEL_LENGTH)
    shown = s.slopes[:PANELS]
    panels = [
        Panel(
            f"{h}",
            say("head {head}, slope {slope:.4g}", head=h, slope=slope),
            s.bias(slope, length),
        )
        for h, slope in enumerate(shown.tolist())
    ]
    title = _(
        "The first {heads} heads, first {length} tokens, on one scale",
        heads=len(panels),
        length=length,
    )
    alt = _("Small heatmaps of the bias of each head on one colour scale")
    notebooks.computed("heads", num_heads=s.num_heads, length=length, **s.future_keys)
    notebooks.computed("slopes", num_heads=s.num_heads)
    views, _place = follow_panels(
        [PanelFigure("heads", title, alt, panels, height=460)],
        key="panels",
        default=(min(20, length - 1), min(10, length - 1)),
    )
    figure = bars(
        s.slopes.numpy(),
        title=_("Slope of each head"),
        x_title=_("head h"),
        y_title=_("slope (per token)"),
        log_y=True,
    )
    alt = _("Bars of the slope of each head on a logarithmic axis")
    curve_chart(
        figure,
        lambda _, head: alibi_slope_steps(s.num_heads, head),
        key="slopes",
        alt=alt,
        names=[_("slope")],
        places=(0, s.num_heads - 1),
        x_name=_("head"),
        default=(0, s.num_heads - 1),
        height=340,
    )
    code = (
        f"slopes = alibi_slopes({s.num_heads})\n"
        f"values = view({s.code('slopes[0].item()', length)}).values\n"
        "print(slopes, values)\n"
    )
    frames = {name: screen.view_frame(v) for name, v in views.items()}
    slopes = screen.curve_frame(_("head"), range(s.num_heads), {_("slope"): s.slopes.numpy()})
    return screen.ScreenView(lambda: frames | {say("slopes"): slopes}, code)


def slopes_view(s: AlibiSettings) -> screen.ScreenView:
    return slope_lists.show(s.num_heads)


def window_view(s: AlibiSettings) -> screen.ScreenView:
    distances = torch.arange(min(s.length, CURVE_POINTS))
    weights = alibi_flat_weights(s.slopes[:PANELS], distances, s.length).numpy()
    curves = {_("head {head}", head=h): weights[h] for h in range(len(weights))}
    figure = lines(
        distances.numpy(),
        [Series(name, y) for name, y in curves.items()],
        title=_("Attention of the last query when all scores are equal"),
        x_title=_("distance i − j (tokens)"),
        y_title=_("share of attention"),
        log_y=True,
        y_range=(1e-5, 1),
    )
    sizes = {"num_heads": s.num_heads, "length": s.length}
    if s.length <= MOST_WEIGHTS:
        notebooks.computed("window", **sizes, count=len(distances))
    notebooks.computed("windows", **sizes)
    alt = _("Curves of attention share against distance, one for each head")
    curve_chart(
        figure,
        lambda h, distance: alibi_flat_weight_steps(s.slopes[h].item(), distance, s.length),
        key="window",
        alt=alt,
        names=list(curves),
        places=(0, len(distances) - 1),
        x_name=_("distance"),
        default=(0, min(4, len(distances) - 1)),
        rev=f"{s.length}",
    )
    windows = alibi_window(s.slopes, s.length)
    figure = bars(
        windows.numpy(),
        title=_("Tokens that hold 90 % of a head's flat attention"),
        x_title=_("head h"),
        y_title=_("tokens"),
        log_y=True,
        y_range=(1, 1.2 * windows.max().item()),
    )
    curve_chart(
        figure,
        lambda _, head: alibi_window_steps(s.slopes[head].item(), s.length),
        key="windows",
        alt=_("Bars of the window of each head"),
        names=[_("tokens")],
        places=(0, s.num_heads - 1),
        x_name=_("head"),
        default=(0, s.head),
        height=340,
    )
    code = (
        f"slopes = alibi_slopes({s.num_heads})\n"
        f"print(alibi_window(slopes, {s.length}))\n"
        f"distances = torch.arange({len(distances)})\n"
        f"values = alibi_flat_weights(slopes[:{PANELS}], distances, {s.length})\n"
    )
    heads = screen.curve_frame(_("head"), range(s.num_heads), {_("window"): windows.numpy()})
    attention = screen.curve_frame(_("distance"), distances.tolist(), curves)
    return screen.ScreenView(lambda: {say("attention"): attention, say("windows"): heads}, code)


def family_view(s: AlibiSettings) -> screen.ScreenView:
    return alibi_family.show(s.num_heads, s.head, s.length)


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls and place the chosen picture."""
    left, right = screen.columns(lesson)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        settings = read()
    shown = None
    with right:
        picture = controls.picture(PICTURES)
        with screen.guard():
            shown = DRAW[picture](settings)
    return shown


def read() -> AlibiSettings:
    """Draw the controls."""
    num_heads = controls.number(
        "num_heads",
        _("Heads n"),
        8,
        1,
        256,
        help=_("n in the formula; 32 in MPT-7B, 112 in BLOOM-176B."),
    )
    head = controls.number(
        "head", _("Head h"), 0, 0, num_heads - 1, help=_("The head that is drawn large, from 0.")
    )
    length = controls.powers(
        "length",
        _("Length"),
        64,
        4,
        2**27,
        help=_("Tokens in the picture; 2048 in BLOOM's training."),
    )
    mode = controls.choice(
        "mode",
        _("Future keys"),
        MODES,
        help=_(
            "Causal: hidden, as in decoders. Symmetric: minus slope times |i − j|, as in most "
            "encoders. Asymmetric: another slope after the query than before it."
        ),
    )
    future = 2.0
    if mode == "asymmetric":
        future = controls.number(
            "future",
            _("Future slope ÷ slope"),
            2.0,
            0.0,
            64.0,
            step=0.5,
            help=_("1 is the symmetric form; with 0, keys after the query lose nothing."),
        )
    return AlibiSettings(num_heads, head, length, mode, future)


DRAW: dict[str, Callable[[AlibiSettings], screen.ScreenView]] = {
    "bias": bias_view,
    "heads": heads_view,
    "slopes": slopes_view,
    "window": window_view,
    "family": family_view,
}
screen.show("alibi", draw)
