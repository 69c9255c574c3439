"""The bias of one head."""

from pages.alibi.settings import MODES, Settings
from posenc.alibi.window import alibi_window
from posenc.words import say
from ui import screen
from ui.words import _, number, plural, translate


def picture(s: Settings) -> screen.Picture:
    """The matrix of the chosen head, and how far the head sees."""
    window = int(alibi_window(s.slopes, s.length)[s.head])

    matrix = screen.MatrixFigure(
        key="bias",
        quantity=s.bias(s.slope, s.length),
        title=_(
            "ALiBi bias of head {head}, slope {slope:.6g}, {mode}",
            head=s.head,
            slope=s.slope,
            mode=translate(MODES[s.mode]),
        ),
        alt=_(
            "Heatmap of the ALiBi bias of head {head}: 0 on the diagonal, falling into the past",
            head=s.head,
        ),
        cell=(min(s.length - 1, 40), min(s.length - 1, 10)),
        table=say("bias"),
        settings={"num_heads": s.num_heads, "head": s.head, **s.future_keys},
    )
    return screen.Picture(
        figures=[matrix],
        readouts={
            _("slope"): number(s.slope, ".6g"),
            _("last query: 90% of flat attention within"): plural(
                "{count:,} token", "{count:,} tokens", window
            ),
            _("bias at the far end"): number(-s.slope * (s.length - 1), ".4g"),
        },
    )
