"""A benchmark's report: its table, printed and in a file, and all numbers beside it."""

import json
from pathlib import Path


def keep(out: Path, text: str, record: object) -> None:
    """Print the table and write it, and the record as JSON under the same name."""
    print(text)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text + "\n")
    numbers = json.dumps(record, indent=1, ensure_ascii=False)
    out.with_suffix(".json").write_text(numbers + "\n")
