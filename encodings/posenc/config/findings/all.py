"""Every finding about a config.json: one list of small functions, each a finding or None."""

from posenc.config.data import Config
from posenc.config.findings import fields, layers, lengths, loading, names, parts, scalings, windows
from posenc.config.findings.finding import Finding

FINDINGS = (
    *lengths.FINDINGS,
    *fields.FINDINGS,
    *loading.FINDINGS,
    *scalings.FINDINGS,
    *layers.FINDINGS,
    *names.FINDINGS,
    *windows.FINDINGS,
    *parts.FINDINGS,
)
SEVERITIES = ("error", "warning", "info")


def find(config: Config) -> tuple[Finding, ...]:
    """What is found, errors first."""
    found = [finding for judge in FINDINGS if (finding := judge(config)) is not None]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))
