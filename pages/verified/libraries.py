"""How far posenc is from other libraries, as the tests have recorded it."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch

from exhibits.two_ways.steps import largest_steps
from pages.verified import bars
from posenc.catalogue import CATALOGUE
from posenc.quantity.step import Step
from posenc.words import Sentence, say
from ui import controls, screen
from ui.controls import device
from ui.words import _, translate

MEASURES = {
    "all": say("all"),
    "float64": say("float64 or exact"),
    "float32": say("float32 angles"),
}
FLOAT64 = 1e-12  # within this bound: float64 on both sides, or no arithmetic
RECORDED = """\
# What the tests in tests/parity found; python -m tests.parity.record computes it anew.
largest = {{
{lines}}}
values = torch.tensor(list(largest.values()))
for name, difference in largest.items():
    print(f"{{difference:8.1e}}  {{name}}")
"""


@dataclass(frozen=True, kw_only=True)
class Settings:
    device: torch.device = device.device(under="")
    measure: str = controls.entry(
        controls.choice,
        say("Comparisons"),
        MEASURES,
        help=say(
            "Libraries that compute in float64 agree with posenc up to rounding; most libraries "
            "build their angles in float32."
        ),
    )

    @property
    def rows(self) -> list[dict[str, Any]]:
        rows = bars.record()["comparisons"]
        if self.measure == "all":
            return list(rows)
        return [row for row in rows if (row["bound"] <= FLOAT64) == (self.measure == "float64")]


def picture(s: Settings) -> screen.Picture:
    """The largest difference of each encoding, and all comparisons."""
    largest: dict[str, float] = {}
    for row in s.rows:
        name = row["encoding"]
        largest[name] = max(largest.get(name, 0.0), row["largest"])
    names = list(largest)

    def steps(_curve: int, bar: int) -> tuple[Step, ...]:
        return largest_steps(
            {compared(r): r["largest"] for r in s.rows if r["encoding"] == names[bar]}
        )

    caption = _(
        "No bar means equal to the last bit. For frequencies the difference is relative to the "
        "frequency."
    )
    if missing := not_compared():
        missing_words = _("Not compared with another library: {names}.", names=", ".join(missing))
        caption += f"\n\n{missing_words}"
    figure = bars.bars(
        "recorded",
        list(largest.values()),
        [in_language(name) for name in names],
        _("Largest difference to another library, per encoding"),
        steps,
        table=say("largest difference"),
        caption=caption,
    )
    powers = {_("largest difference"): bars.POWERS, _("bound"): bars.POWERS}
    table = screen.TableFigure(
        name=say("comparisons"), frame=comparisons(s.rows), indexed=False, formats=powers
    )
    lines = "".join(f"    {name!r}: {value!r},\n" for name, value in largest.items())
    return screen.Picture(
        figures=[figure, table, bars.counts(), *bars.versions(s.device)],
        code=RECORDED.format(lines=lines),
    )


def in_language(text: str) -> str:
    """A text of the record in the reader's language."""
    return translate(Sentence(text, {}))


def not_compared() -> list[str]:
    """Encodings of the catalogue that no library was compared with."""
    found = {row["encoding"].partition(",")[0] for row in bars.record()["comparisons"]}
    return [translate(e.title) for e in CATALOGUE.values() if e.title not in found]


def compared(row: dict[str, Any]) -> str:
    """A comparison in words: what, and whose code."""
    return _(
        "{what}, {reference} of {package}",
        what=in_language(row["what"]),
        reference=in_language(row["reference"]).partition(",")[0],
        package=row["package"],
    )


def comparisons(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            _("encoding"): in_language(row["encoding"]),
            _("compared"): in_language(row["what"]),
            _("largest difference"): row["largest"],
            _("bound"): row["bound"],
            _("cases"): row["cases"],
            _("library"): row["package"],
            _("reference"): in_language(row["reference"]),
            _("measured"): _("relative") if row["relative"] else _("absolute"),
            _("why not zero"): in_language(row["reason"]),
        }
        for row in rows
    )
