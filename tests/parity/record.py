"""Run every comparison and every golden case, and write what came out to data/verified.json.

python -m tests.parity.record
"""

import json
import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.parity.comparisons import COMPARISONS

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "data" / "verified.json"
# All but test_record.py, which judges the file that is about to be written.
TESTS = [
    str(path)
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if path.name != "test_record.py"
]
TESTS += [str(ROOT / "tests" / "posenc" / "test_golden.py")]
ROW = ("encoding", "what", "package", "reference", "cases", "largest", "bound", "relative")


def golden_counts() -> dict[str, Any]:
    """How many reference cases there are, have an adapter, and are known wrong on purpose."""
    from tests.posenc.test_golden import CASES, FORMULAS

    covered = [case for case in CASES if case["formula"] in FORMULAS]
    wrong = [case for case in covered if case["kind"] == "not_equal"]
    counts = {"cases": len(CASES), "covered": len(covered), "known_wrong": len(wrong)}
    return {**counts, "by_formula": dict(sorted(Counter(c["formula"] for c in covered).items()))}


def comparison_rows() -> list[dict[str, Any]]:
    """The comparisons as plain rows."""
    return [{name: getattr(row, name) for name in (*ROW, "reason")} for row in COMPARISONS.values()]


def main() -> None:
    """Write the file, unless a test fails or a comparison was not met."""
    # In this process, so that the rows are counted here.
    if pytest.main(["-q", "-p", "no:cacheprovider", *TESTS]) != 0:
        raise SystemExit("A test failed: nothing is written.")
    idle = [name for name, row in COMPARISONS.items() if row.cases == 0]
    if idle:
        raise SystemExit(f"No test has used {', '.join(idle)}: nothing is written.")
    packages = {row.package for row in COMPARISONS.values()} | {"torch", "numpy"}
    record = {
        "python": platform.python_version(),
        "versions": {name: version(name) for name in sorted(packages)},
        "golden": golden_counts(),
        "comparisons": comparison_rows(),
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
