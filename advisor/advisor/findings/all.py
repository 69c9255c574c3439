"""Every finding about a config.json: one list of small functions, each a finding or None."""

from advisor.data import Config
from advisor.findings import (
    asked,
    fields,
    glm,
    heads,
    layers,
    loading,
    names,
    parts,
    released,
    scalings,
    windows,
)
from advisor.findings.finding import Finding, judges
from advisor.findings.lengths import factors, trained

MODULES = (
    asked,
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
)
FINDINGS = tuple(one for module in MODULES for one in judges(module))
FIRST = ("unknown_family", "read_as_asked", "positions_unknown")
SEVERITIES = ("error", "warning", "info")


def find(config: Config) -> tuple[Finding, ...]:
    """All findings, errors first; an unknown family comes before everything else."""
    found = [finding for judge in FINDINGS if (finding := judge(config)) is not None]
    return tuple(
        sorted(found, key=lambda one: (one.code not in FIRST, SEVERITIES.index(one.severity)))
    )
