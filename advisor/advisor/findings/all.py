"""Every finding about a config.json: one list of small functions, each a finding or None."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

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
} - {"base_missing"}
"""Findings that say themselves what a class makes of a file."""
FIRST = ("unknown_family", "read_as_asked", "positions_unknown")
SEVERITIES = ("error", "warning", "info")
OWNERS = (
    *("window_needs_no_scaling", "scaling_missing", "scaling_edited"),
    "longrope_declared_edited",
    *("trained_length_against_makers", "trained_length_missing", "two_trained_lengths"),
    *("qwen3_length", "original_above_declared"),
    *("dynamic_length_multiplied", "dynamic_ignores_trained_length"),
    *("factor_against_lengths", "llama3_length_raised", "declared_above_trained"),
    *("declared_below_reach", "linear_length_multiplied"),
)
"""Findings whose remedies write the two lengths and the factor, those that know most in front."""


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
        sorted(
            _with_one_owner(found),
            key=lambda one: (one.code not in FIRST, SEVERITIES.index(one.severity)),
        )
    )


def _with_one_owner(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of those that mend lengths the one that knows most, as grave as the gravest.

    Two remedies for the same lengths, each counted from the others as they stand, would contradict
    each other; what is left is found again once the first is written.
    """
    told = list(found)
    mending = [one for one in told if one.code in OWNERS and one.remedy]
    if mending:
        owner = min(mending, key=lambda one: OWNERS.index(one.code))
        gravest = min((one.severity for one in mending), key=SEVERITIES.index)
        yield replace(owner, severity=gravest)
    yield from (one for one in told if one not in mending)
