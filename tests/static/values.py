"""What posenc computes for the tests of the JavaScript; `python -m tests.static.values` writes it.

`NAME.test.js` reads `NAME.json`, and `test_values.py` sees to it that the file is not out of date.
"""

import json
from pathlib import Path

import torch

from posenc import relative_position_ids, sinusoidal_table, t5_bucket
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.transformer_xl.formula import relative_sinusoid

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


def distances() -> dict[str, object]:
    back = torch.arange(160)
    buckets = {
        f"buckets_{buckets}_{most}": t5_bucket(-back, False, buckets, most).tolist()
        for buckets, most in ((32, 128), (16, 64))
    }
    numbers = torch.linspace(-1, 1, 32, dtype=torch.float64)
    lengths = [1, 16, 128, 512]
    return {
        "rows_4": relative_position_ids(16, 16, 4).tolist(),
        "rows_15": relative_position_ids(16, 16, 15).tolist(),
        **buckets,
        "edges": t5_bucket_lower_edges(bidirectional=False).tolist(),
        "sinusoids": relative_sinusoid(torch.tensor([0, 1, 15, 4000]), 16).tolist(),
        "numbers": numbers.tolist(),
        "lengths": lengths,
        "shares": [
            torch.zeros(32, dtype=torch.float64).index_add(0, of, numbers[of].softmax(0)).tolist()
            for of in (t5_bucket(-torch.arange(length), False) for length in lengths)
        ],
    }


VALUES = {"waves": waves, "distances": distances}

if __name__ == "__main__":
    for name, made in VALUES.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(made(), indent=1) + "\n")
