"""Judge every class of transformers, and write what came out to data/sweep.json.

python -m reference.sweep.record            all classes
python -m reference.sweep.record llama …    these alone, the others as they are recorded
"""

import json
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING

from reference.sweep.judge import verdict

FILE = Path(__file__).resolve().parents[3] / "data" / "sweep.json"


def main(names: list[str]) -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    rows: dict[str, Any] = json.loads(FILE.read_text())["classes"] if names else {}
    started = time.perf_counter()
    for name in names or list(CONFIG_MAPPING):
        rows[name] = verdict(name)
    write(rows)
    counts = Counter(row["verdict"] for row in rows.values())
    print(f"{dict(counts)} in {time.perf_counter() - started:.0f} s")


def write(rows: dict[str, Any]) -> None:
    """One line for each class, so that a difference can be read."""
    lines = [f"{json.dumps(n)}: {json.dumps(rows[n], ensure_ascii=False)}" for n in sorted(rows)]
    head = f'{{"transformers": "{transformers.__version__}",\n"classes": {{\n'
    FILE.write_text(head + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
