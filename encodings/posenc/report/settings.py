"""What to tell each engine, as a part of the document."""

from typing import Any

from posenc.config.engines.all import ENGINES, provenance
from posenc.config.engines.engine import Serving
from posenc.config.facts import mark
from posenc.config.rope import RopeConfig
from posenc.report.patch import Changed
from posenc.words import say


def settings_of(before: RopeConfig, changed: Changed, serving: Serving) -> dict[str, Any]:
    """The settings of the file, or of the file changed so that it reaches the target."""
    config = changed.config
    notes = list(changed.notes)
    known = {finding.code for finding in before.findings}
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
        "mark": mark(name, config, before),
        "tried": provenance(config, name, before),
    }
    if changed.is_open:
        return {**out, "text": "", "notes": [], "refused": None}
    try:
        written = config.settings(name, before, serving)
    except ValueError as error:
        return {**out, "text": None, "notes": [], "refused": str(error)}
    return {**out, "text": written.text, "notes": list(written.notes), "refused": None}
