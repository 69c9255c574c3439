"""Every finding has a broken file that shows it, and a mended one that does not."""

import re

import pytest

from advisor import Finding, RopeConfig, known_models
from advisor.findings.all import FINDINGS, OF_CLASS, SEVERITIES
from posenc.words import Sentence
from tests.advisor.files import LLAMA, read, rows
from tests.kinds import known

BROKEN = rows(__file__, "broken.txt")
WORTH_KNOWING = rows(__file__, "worth_knowing.txt")


def codes(config: RopeConfig, *severities: str) -> list[str]:
    return [f.code for f in config.findings if f.severity in (severities or SEVERITIES)]


def is_told_well(finding: Finding) -> bool:
    """Fields that can be looked up, and short sentences with numbers that are numbers."""
    told = (finding.message, finding.remedy)
    assert finding.severity in SEVERITIES
    assert finding.fields
    assert all(field and " " not in field for field in finding.fields)
    assert all(isinstance(one, Sentence) and one.endswith(".") for one in told if one)
    assert not any(re.search(r"\b\d{4,} (trained )?tokens", one) for one in told)
    return finding.message != "" and len(finding.message) < 400 and "nan" not in finding.message


@pytest.mark.parametrize(("code", "broken", "mended"), BROKEN)
def test_a_broken_file_shows_exactly_its_finding(code: str, broken: str, mended: str) -> None:
    config = read(broken)
    assert codes(config, "error", "warning") == [code]
    assert codes(read(mended), "error", "warning") == []
    assert all(map(is_told_well, config.findings))
    assert all(one.remedy for one in config.findings if one.code == code)


@pytest.mark.parametrize(("code", "shows", "does_not"), WORTH_KNOWING)
def test_what_is_worth_knowing_is_said(code: str, shows: str, does_not: str) -> None:
    config = read(shows)
    assert codes(config, "error", "warning") == []
    assert code in codes(config, "info")
    assert code not in codes(read(does_not))
    assert all(map(is_told_well, config.findings))


@pytest.mark.parametrize(
    "row", rows(__file__, "found.txt"), ids=lambda row: f"{row[1]} in {row[0]}"
)
def test_what_is_found(row: list[str]) -> None:
    file, code, severity, words = row
    found = {one.code: one for one in read(file).findings}
    assert (found[code].severity if code in found else "not") == severity
    assert severity == "not" or words in f"{found[code].message} {found[code].remedy}"


def test_every_finding_is_tested() -> None:
    assert {code for code, *_ in BROKEN + WORTH_KNOWING} == {
        judge.code for judge in (*FINDINGS, *OF_CLASS)
    }
    assert len(FINDINGS) == len({judge.code for judge in FINDINGS})


def test_known_models_have_neither_error_nor_warning() -> None:
    found = {name: codes(known(name), "error", "warning") for name in known_models()}
    assert {name: one for name, one in found.items() if one} == {
        # Trained with 262144 tokens at most, as its makers say, it declares 40 times as many.
        "Llama-4-Scout": ["declared_above_trained"],
        # Declares 128,000, and its model card says 32,768.
        "Qwen2.5-VL-7B": ["declared_above_trained"],
    }


# Released files that name no base, and the bases of their code.
@pytest.mark.parametrize(
    ("file", "bases"),
    [
        ('{"model_type":"falcon","hidden_size":4544,"num_attention_heads":71}', [1e4]),
        ('{"model_type":"nomic_bert","n_embd":768,"rotary_emb_base":1000}', [1000]),
        ('{"model_type":"minicpm","hidden_size":2304,"num_attention_heads":36}', [1e4]),
        ("Gemma-3-12B, no rope_theta", [1e4, 1e6]),
        ("Gemma-3-12B, no rope_theta, no rope_local_base_freq", [1e4, 1e6]),
    ],
)
def test_a_file_is_not_asked_for_a_base_its_code_never_had(file: str, bases: list[float]) -> None:
    config = read(file)
    assert codes(config, "error", "warning") == []
    assert [layer.base for layer in config.rotary.values()] == bases


def test_errors_come_first() -> None:
    expected = ["factor_against_lengths", "two_types", "yarn_acts_on_short_texts"]
    assert codes(read('a Llama, yarn 2 on 32768, type "linear"')) == expected


def test_a_reach_from_a_guessed_length_is_not_advised() -> None:
    expected = ["trained_length_missing", "yarn_acts_on_short_texts"]
    assert codes(read("a Llama, yarn 4")) == expected


def test_the_fields_that_contradict_each_other_are_named() -> None:
    first = read("a Llama, yarn 2 on 32768").findings[0]
    original, longest = "original_max_position_embeddings", "max_position_embeddings"
    assert first.fields == ("rope_scaling.factor", f"rope_scaling.{original}", longest)


def test_rotary_fields_without_rotation_are_not_judged() -> None:
    bert = read("BERT-base, rope_theta=1e6, rope_parameters=true")
    assert codes(bert, "error", "warning") == []


def test_findings_are_worked_out_once(monkeypatch) -> None:
    config = RopeConfig.from_hf(LLAMA)
    first = config.findings
    monkeypatch.setattr("advisor.rope.find", None)
    assert config.findings is first
