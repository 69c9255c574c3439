"""A benchmark's report: its table, printed and in a file, and all numbers beside it."""

import json
from collections.abc import Iterable
from pathlib import Path


def markdown(header: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    lines = [list(header)]
    lines += [["---"] * len(lines[0]), *(list(row) for row in body)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def keep(out: Path, text: str, record: object) -> None:
    """Print the table and write it, and the record as JSON under the same name."""
    print(text)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text + "\n")
    numbers = json.dumps(record, indent=1, ensure_ascii=False)
    out.with_suffix(".json").write_text(numbers + "\n")
