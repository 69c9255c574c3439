"""mlx-lm: the file with the fields pasted into it, and the model's own class, lazily made.

Its rope turns ones at ever farther positions; each pair tells its frequency at the farthest one
that it reaches in less than half a turn.
"""

from typing import Any

import mlx.core as mx
from mlx_lm.utils import _get_classes

from reference.engines.reader import Part, answer, filled

OFFSETS = (1, 64, 4096, 2**18, 2**24)
FLOOR = 1e-3 / OFFSETS[-1]
"""Below this frequency float32 does not tell a tenth of a thousandth."""
NAMES = ("rope", "rotary_emb", "rotary_pos_emb")


def measured(rope: Any) -> Part:
    """Frequencies and factor of a rope, from what it does to ones."""
    width = getattr(rope, "dims", None) or getattr(rope, "dim", None) or 2 * len(rope._freqs)
    found, factor = [0.0] * (width // 2), 1.0
    # Some classes are of neighbouring pairs and do not say so: where does the first number go?
    first = rope((mx.arange(width) == 0).astype(mx.float32).reshape(1, 1, 1, width), offset=1)
    is_next = bool(first.reshape(-1)[1] != 0)
    for offset in OFFSETS:
        out = rope(mx.ones((1, 1, 1, width)), offset=offset).reshape(-1)
        two = out.reshape(-1, 2).T if is_next else out.reshape(2, -1)
        angles = mx.arctan2(two[1] - two[0], two[0] + two[1]).tolist()
        for pair, angle in enumerate(angles):
            if offset == 1 or found[pair] * offset < 3:
                found[pair] = angle / offset
        factor = float(mx.sqrt((two**2).sum(0) / 2).max())
    return {"frequencies": found, "factor": factor, "floor": FLOOR}


def built(file: dict[str, Any]) -> Any:
    """The model of a file."""
    kind, arguments = _get_classes(file)
    return kind(arguments.from_dict(file))


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The rotary parts of the model's own class."""
    model = filled(built, case)
    made: dict[int, Part] = {}
    parts = []
    for path, module in model.named_modules():
        if path.rpartition(".")[2] in NAMES and type(module).__name__ != "NoPE":
            told = repr(sorted((k, str(v)) for k, v in {**vars(module), **module}.items()))
            part = made.setdefault(hash(told), measured(module))
            parts.append({"path": path, **part})
    return {
        "class": f"{type(model).__module__.rpartition('.')[2]}.{type(model).__name__}",
        "parts": parts,
    }


if __name__ == "__main__":
    answer(read)
