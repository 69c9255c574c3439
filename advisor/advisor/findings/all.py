"""Every finding about a config.json: one list of small functions, each a finding or None."""

from advisor.data import Config
from advisor.findings import (
    asked,
    fields,
    heads,
    layers,
    loading,
    names,
    released,
    scalings,
    windows,
)
from advisor.findings.finding import Finding, judges
from advisor.findings.kinds import drafts, glm, indexers, parts, quantised
from advisor.findings.lengths import factors, trained

MODULES = (
    trained,
    factors,
    released,
    fields,
    heads,
    loading,
    scalings,
    layers,
    glm,
    names,
    windows,
    parts,
    drafts,
    quantised,
    indexers,
)
FINDINGS = tuple(one for module in MODULES for one in judges(module))
OF_CLASS = judges(asked)
TELL_OF_IT = {
    one.code for module in (fields, glm, heads, layers, loading) for one in judges(module)
}
"""Findings that say themselves what a class makes of a file."""
FIRST = ("unknown_family", "read_as_asked", "positions_unknown")
SEVERITIES = ("error", "warning", "info")


def find(config: Config) -> tuple[Finding, ...]:
    """All findings, errors first; an unknown family comes before everything else.

    The class of transformers is asked where nothing here says already that it reads the file
    otherwise.
    """
    found = [finding for judge in FINDINGS if (finding := judge(config)) is not None]
    told = [one for one in found if one.severity == "error" or one.code in TELL_OF_IT]
    if all(one.severity == "info" for one in told):
        found += [finding for judge in OF_CLASS if (finding := judge(config)) is not None]
    return tuple(
        sorted(found, key=lambda one: (one.code not in FIRST, SEVERITIES.index(one.severity)))
    )
