"""data/sweep.json: every class of the pinned transformers is judged, and is judged so today."""

import json
from dataclasses import replace
from typing import Any

import pytest
import transformers
from transformers import CONFIG_MAPPING

from advisor import RopeConfig
from advisor.families.classes import default
from reference.sweep.classes import plain
from reference.sweep.judge import differences, ran, summary, verdict
from reference.sweep.mutate import compared
from reference.sweep.record import FILE
from reference.sweep.tiny import shrunk

RECORD = json.loads(FILE.read_text("utf-8"))
CLASSES: dict[str, dict[str, Any]] = RECORD["classes"]
# A few seconds' worth of models; the command that writes the record runs them all.
SAMPLE = [name for name, row in sorted(CLASSES.items()) if row["ran"]][25::27]


def test_every_class_of_the_pinned_release_is_judged() -> None:
    assert RECORD["transformers"] == transformers.__version__
    new = sorted(set(CONFIG_MAPPING) - set(CLASSES))
    assert not new, f"run python -m reference.sweep.record {' '.join(new)}"
    assert not set(CLASSES) - set(CONFIG_MAPPING)


@pytest.mark.filterwarnings("ignore")
def test_every_class_is_read_as_it_was_judged() -> None:
    for name, row in CLASSES.items():
        if "read" in row:
            config = RopeConfig.from_hf(plain(default(name)))
            assert summary(config) == row["read"], f"run the record for {name} anew"
            assert config.is_known == ("unknown family" not in row["read"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_class_is_judged_so_today(name: str) -> None:
    assert verdict(name) == CLASSES[name]


@pytest.mark.filterwarnings("ignore")
def test_the_judge_sees_every_kind_of_mistake() -> None:
    small = shrunk(default("llama4_text"), {})
    truth, layers = ran(small), small.num_hidden_layers
    right = RopeConfig.from_hf(plain(small))
    assert differences(right, truth, layers) == []
    turning = right.rotary["rope"]
    for wrong in (
        {"layout": "half"},
        {"base": turning.base * 1.00001},
        {"rotary_dim": turning.rotary_dim - 2},
        {"softmax_multiplier": 1.001},
    ):
        layer = replace(turning, **wrong)
        config = replace(right, layers={**right.layers, "rope": layer})
        assert differences(config, truth, layers) != [], wrong
    assert differences(replace(right, keys=("rope",) * layers), truth, layers) != []


@pytest.mark.filterwarnings("ignore")
def test_a_changed_file_is_read_as_its_own_code_reads_it() -> None:
    counts, wrong = compared(150, seed=1)
    assert counts["agree"] > 125
    assert wrong == []
