"""Every class of transformers: whether its config.json is read as its own code computes it."""

import json
from collections import Counter
from dataclasses import dataclass

import pandas as pd

from pages.verified.bars import DATA
from posenc.words import say
from ui import controls, screen
from ui.words import _, number, translate

VERDICTS = {
    "all": say("all"),
    "exact": say("exact"),
    "not rotary": say("not rotary"),
    "by axes": say("by axes of an image"),
    "unknown": say("unknown"),
    "differs": say("differs"),
    "raises": say("refused"),
}
CODE = """\
# What the sweep found; python -m reference.sweep.record computes it anew.
import json
from collections import Counter
from pathlib import Path
classes = json.loads(Path("data/sweep.json").read_text())["classes"]
counts = Counter(row["verdict"] for row in classes.values())
order = ("exact", "not rotary", "by axes", "unknown", "differs", "raises")
values = torch.tensor([counts[name] for name in order if counts[name]])
print(counts)
"""


@dataclass(frozen=True, kw_only=True)
class Settings:
    verdict: str = controls.entry(
        controls.choice,
        say("Verdict"),
        VERDICTS,
        help=say("What came out for a class of transformers."),
    )


def picture(s: Settings) -> screen.Picture:
    """How many classes came out how, and each of them."""
    sweep = json.loads((DATA / "sweep.json").read_text("utf-8"))
    classes = sweep["classes"]
    verdicts = Counter(row["verdict"] for row in classes.values())
    counts = {translate(VERDICTS[name]): verdicts[name] for name in VERDICTS if verdicts[name]}
    title = _("Classes by verdict")
    chart = screen.BarsFigure(
        key="families",
        alt=_("Bars: {title}", title=title),
        values=[*counts.values()],
        name=_("classes"),
        title=title,
        x_title="",
        y_title=_("classes"),
        ticks=[*counts],
    )
    words = screen.WordsFigure(
        _(
            "Each of the {count} configuration classes of transformers {version}, but for the few "
            "that have no defaults, was built with them (some with a value of a released file, "
            "where the defaults cannot be run), written as a config.json and read by posenc. "
            "*Exact* means that in a tiny model that was run the same layers turn, the same "
            "channels form pairs, and frequencies, factor and softmax scale agree; where the table "
            "says that no model was run, the frequencies alone were compared. *Not rotary*, that "
            "no layer turns and posenc says what is used instead; *by axes*, that an image tower "
            "turns by row and column as read here; *unknown*, that posenc says it does not know, "
            "or that the class has no defaults.",
            count=len(classes),
            version=sweep["transformers"],
        )
    )
    frame = pd.DataFrame(
        {
            _("model type"): name,
            _("verdict"): translate(VERDICTS[row["verdict"]]),
            _("read as"): row.get("read", ""),
            _("model run"): row["ran"],
            _("why"): row["reason"],
        }
        for name, row in classes.items()
        if s.verdict in ("all", row["verdict"])
    )
    table = screen.TableFigure(name=say("model families"), frame=frame, indexed=False)
    return screen.Picture(
        figures=[chart, words, table],
        readouts={label: number(count) for label, count in counts.items()},
        code=CODE,
    )
