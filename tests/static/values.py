"""What posenc computes for the tests of the JavaScript; `python -m tests.static.values` writes it.

`NAME.test.js` reads `NAME.json`, and `test_values.py` sees to it that the file is not out of date.
"""

import json
from pathlib import Path

import torch

from posenc import relative_position_ids, rope_inv_freq, sinusoidal_table, t5_bucket
from posenc.rope.score import rope_score_at_distance
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


def rotation() -> dict[str, object]:
    """A head of 8 pairs whose content makes all of them agree one word back; Llama 2's far arcs."""
    inv_freq, _ = rope_inv_freq(16, 1000.0)
    key = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(8)
    query = torch.stack((torch.cos(-inv_freq), torch.sin(-inv_freq)), -1).flatten()
    scores = rope_score_at_distance(query, key, inv_freq, torch.arange(32), "interleaved")
    row = torch.tensor([0.5403, 1.0, 0.5403], dtype=torch.float64)
    llama, _ = rope_inv_freq(128, 10000.0)
    return {
        "theta": inv_freq.tolist(),
        "scores": scores.tolist(),
        "row": row.tolist(),
        "shares": row.softmax(-1).tolist(),
        "llama_theta": llama.tolist(),
        "widest": (4095 * llama).tolist(),
        "angles": (6000 * llama).remainder(2 * torch.pi).tolist(),
    }


VALUES = {"rotation": rotation, "waves": waves, "distances": distances}

if __name__ == "__main__":
    for name, made in VALUES.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(made(), indent=1) + "\n")
