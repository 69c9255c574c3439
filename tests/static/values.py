"""What posenc computes for the tests of the JavaScript; `python -m tests.static.values` writes it.

`NAME.test.js` reads `NAME.json`, and `test_values.py` sees to it that the file is not out of date.
"""

import json
from pathlib import Path

import torch

from posenc import sinusoidal_table
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq

FOLDER = Path(__file__).parent


def waves() -> dict[str, object]:
    positions = [0, 1, 7, 127, 4095, 8191]
    table = sinusoidal_table(16, 8)
    return {
        "theta": sinusoidal_inv_freq(8).repeat_interleave(2).tolist(),
        "positions": positions,
        "rows": sinusoidal_at(torch.tensor(positions), 8).tolist(),
        "table": table.flatten().tolist(),
        "products": (table @ table[7]).tolist(),
    }


VALUES = {"waves": waves}

if __name__ == "__main__":
    for name, made in VALUES.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(made(), indent=1) + "\n")
