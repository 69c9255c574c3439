"""Every finding about a config.json: one list of small functions, each a finding or None."""

from typing import TYPE_CHECKING

from posenc.config.findings import fields as rope_findings_fields
from posenc.config.findings import layers as rope_findings_layers
from posenc.config.findings import lengths as rope_findings_lengths
from posenc.config.findings import loading as rope_findings_loading
from posenc.config.findings.finding import Finding

if TYPE_CHECKING:
    from posenc.config.data import RopeConfig

FINDINGS = (
    *rope_findings_lengths.FINDINGS,
    *rope_findings_fields.FINDINGS,
    *rope_findings_loading.FINDINGS,
    *rope_findings_layers.FINDINGS,
)
SEVERITIES = ("error", "warning", "info")


def find(config: "RopeConfig") -> tuple[Finding, ...]:
    """What is found, errors first."""
    found = [finding for judge in FINDINGS if (finding := judge(config)) is not None]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))
