"""Fields written today are those that were run with releases 4 of transformers."""

import json
from collections import Counter

import pytest

from reference.engines.cases import BOUND
from reference.engines.old_transformers import FILE, cases, digest, older_file

RECORD = json.loads(FILE.read_text())


def test_the_releases_that_were_run() -> None:
    # One that takes YaRN's factor from the lengths, and the last one before rope_parameters.
    assert [version.rsplit(".", 1)[0] for version in RECORD] == ["4.51", "4.57"]
    for release in RECORD.values():
        assert len(release["ran"]) == 10
        assert release["torch"]


@pytest.mark.parametrize("version", RECORD)
def test_what_was_loaded_is_what_is_written(version: str) -> None:
    """Run `python -m reference.engines.old_transformers --write` again where this fails."""
    now = cases()
    rows = {(row["model"], row["method"]): row for row in RECORD[version]["rows"]}
    # New models are run when the command is run next; what was run stays true.
    assert rows.keys() <= now.keys()
    assert len({model for model, _ in rows}) >= 60
    for case, row in rows.items():
        written = older_file(now[case])
        if row["outcome"] == "refused":
            assert written == row["why"]
        else:
            assert not isinstance(written, str), case
            assert digest(written) == row["file"], case


@pytest.mark.parametrize("version", RECORD)
def test_whatever_is_loaded_is_read_as_it_was_meant(version: str) -> None:
    release = RECORD[version]
    counts = Counter(row["outcome"] for row in release["rows"])
    assert {word: counts[word] for word in release["counts"]} == release["counts"]
    assert counts["differs"] == 0
    assert counts["same"] >= 230
    for row in release["rows"]:
        if row["outcome"] == "same":
            assert 0 <= row["difference"] <= BOUND
        elif row["outcome"] == "not loaded":
            # Loudly: an unknown class, or one that takes fewer fields.
            assert row["why"].startswith(("KeyError", "ValueError"))


def test_releases_4_do_not_read_the_new_fields() -> None:
    for release in RECORD.values():
        found = release["rope_parameters"]
        # The class's base, 10000, instead of 500000 slowed by 8.
        assert found["theirs"] == pytest.approx(10000 ** (-126 / 128), rel=1e-5)
        assert found["ours"] == pytest.approx(500000 ** (-126 / 128) / 8, rel=1e-5)
