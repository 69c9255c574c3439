"""Two findings of one report never write different values into one field."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest

from advisor import Finding, RopeConfig, known_models
from advisor.findings.all import OWNERS
from advisor.known_models import KnownModel
from tests.kinds import KINDS, KNOWN

DECLARED = "max_position_embeddings"
ORIGINAL = "original_max_position_embeddings"
WRITTEN = re.compile(r"\b([a-z_]+)(?:: | to )(\d+(?:\.\d+)?)")
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
SCALINGS: list[dict[str, Any] | None] = [
    None,
    {"rope_type": "yarn", "factor": 4.0},
    {"rope_type": "dynamic", "factor": 4.0},
    {"rope_type": "llama3", "factor": 4.0, **LLAMA3},
]


def written(finding: Finding) -> dict[str, float]:
    """Fields and the numbers that a remedy writes into them; of two ways the first."""
    told = finding.remedy.split(", or ")[0]
    return {name: float(value) for name, value in WRITTEN.findall(told)}


def text_part(file: dict[str, Any]) -> dict[str, Any]:
    """The part of a file that describes the model that writes text."""
    named = ("text_config", "thinker_config", "llm_config")
    inner = next((file[name] for name in named if isinstance(file.get(name), dict)), None)
    return file if inner is None else text_part(inner)


def edited(model: KnownModel, times: float) -> Iterator[dict[str, Any]]:
    """The model's file at another declared length, with scalings on several lengths."""
    length = RopeConfig.from_hf(model.config).reach or 4096
    for scaling in SCALINGS:
        for original in (None, 0.5, 1) if scaling else (None,):
            file = copy.deepcopy(dict(model.config))
            part = text_part(file)
            part[model.text.own_name(DECLARED)] = int(length * times)
            if scaling is not None:
                counted = {} if original is None else {ORIGINAL: int(length * original)}
                part.pop("rope_parameters", None)
                part["rope_scaling"] = {**scaling, **counted}
            yield file


def mended(file: dict[str, Any], values: dict[str, float]) -> dict[str, Any]:
    """The file with these numbers in its fields of lengths."""
    file = copy.deepcopy(file)
    part = text_part(file)
    for name, value in values.items():
        where = part["rope_scaling"] if name in (ORIGINAL, "factor") else part
        where[name] = value if name == "factor" else int(value)
    return file


def owner(file: dict[str, Any]) -> dict[str, float]:
    """What the one finding that mends lengths writes; it alone, and nothing else writes them."""
    findings = RopeConfig.from_hf(file).findings
    writing = [one for one in findings if {DECLARED, ORIGINAL, "factor"} & {*written(one)}]
    assert len(writing) <= 1, [(one.code, one.remedy) for one in writing]
    assert sum(one.code in OWNERS and bool(one.remedy) for one in findings) <= 1
    return written(writing[0]) if writing else {}


@pytest.mark.parametrize("times", [0.5, 2])
@pytest.mark.parametrize("names", KNOWN, ids=KINDS)
def test_one_finding_owns_a_conflict_of_lengths(names: list[str], times: float) -> None:
    count = 0
    for name in names:
        for file in edited(known_models()[name], times):
            try:
                values = owner(file)
            except ValueError:
                continue  # a sentence: what is refused has no findings
            if not values:
                continue
            # What it writes stands: the next reading does not write it otherwise.
            again = owner(mended(file, values))
            assert all(again.get(field, value) == value for field, value in values.items()), (
                name,
                file,
                values,
                again,
            )
            count += 1
    assert count > 2 * len(names)
