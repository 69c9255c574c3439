"""Settings for each engine, as a part of the document."""

from typing import Any

from posenc.config.engines.all import ENGINES, answer, provenance
from posenc.config.engines.engine import Serving, Written
from posenc.config.facts import mark
from posenc.config.findings import released
from posenc.config.findings.finding import judges
from posenc.config.rope import RopeConfig
from posenc.report.patch import Changed
from posenc.words import say

AGAINST_RELEASED = {one.code for one in judges(released)}


def settings_of(before: RopeConfig, changed: Changed, serving: Serving) -> dict[str, Any]:
    """The settings of the file, or of the file changed so that it reaches the target."""
    config = changed.config
    notes = list(changed.notes)
    # That it differs from the released file is what was asked for.
    known = {finding.code for finding in before.findings} | AGAINST_RELEASED
    notes += [
        say("{message} {remedy}", message=finding.message, remedy=finding.remedy)
        for finding in config.findings
        if finding.severity != "info" and finding.code not in known
    ]
    return {
        "of": changed.of,
        "engines": [_written(name, changed, before, serving) for name in ENGINES],
        "notes": notes,
    }


def _written(name: str, changed: Changed, before: RopeConfig, serving: Serving) -> dict[str, Any]:
    """One engine: its text and notes, or why there are none."""
    engine = ENGINES[name]
    config = changed.config
    out = {
        "id": engine.id,
        "title": engine.title,
        "place": engine.place,
        "language": engine.language,
        "versions": engine.versions,
        "sources": engine.sources,
    }
    told: dict[str, Any] = {"text": None, "notes": [], "refused": None}
    if changed.is_open:
        told |= {"mark": mark(name, config, before), "text": ""}
    else:
        told["mark"], given = answer(config, name, before, serving)
        if isinstance(given, Written):
            told |= {"text": given.text, "notes": list(given.notes)}
        else:
            told["refused"] = str(given)
    return {**out, "tried": provenance(config, name, before), **told}
