"""The first picture of a text by the real model: `python -m benchmarks.first_picture`.

The peer is one bare pass of transformers alone over the same text, with its fastest attention. A
ratio is the time of everything that Live attention shows at once (all heads at a glance with their
habits, one head with every stage, next tokens, bits) over that.
"""

from typing import Any

import torch
from transformers import AutoModelForCausalLM

from benchmarks.timing import interleaved, ratio
from models.files.find import installed
from models.files.gguf import converted
from models.forward import forward
from models.glance import glance
from models.home import Home
from models.opened import Model, open_model

TEXT = "The animal didn't cross the street because it was too tired. " * 40
LENGTHS = (16, 20, 128, 512)
HEAD = 5


def first_picture(model: Model, ids: list[int]) -> torch.Tensor:
    """What is shown of a text at once: the attention of one head in the middle."""
    seen = glance(model, ids).seen
    seen.bits()
    seen.next_tokens(5)
    rows = seen.attention(len(model.layers) // 2)
    return rows.trace(torch.arange(len(ids))).weights[0, min(HEAD, model.heads - 1)]


def measure(model: Model, plain: Any, ids: list[int], seconds: float) -> dict[str, Any]:
    """Milliseconds of both, and the ratio with its quartiles; of our bare pass as well."""
    tokens = torch.tensor([ids])

    def bare() -> object:
        with torch.inference_mode():
            return plain(tokens, use_cache=False).logits

    taken = interleaved(
        {
            "picture": lambda: first_picture(model, ids),
            "pass": lambda: forward(model, ids, kept_bytes=0).logits(0, len(ids)),
            "transformers": bare,
        },
        torch.device("cpu"),
        seconds,
    )
    peer = taken["transformers"]
    return {
        "tokens": len(ids),
        "milliseconds": {name: 1000 * sorted(all_)[len(all_) // 2] for name, all_ in taken.items()},
        "picture / transformers": ratio(taken["picture"], peer),
        "pass / transformers": ratio(taken["pass"], peer),
    }


def main() -> None:
    """Measure the installed model and print a line for each length."""
    torch.set_num_threads(1)
    found = installed()
    if found is None:
        raise SystemExit("no model is installed: unset POSENC_NO_MODEL and run make install-dev")
    folder = converted(found.path, Home.from_environment())
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    model = open_model(found)
    ids = model.tokens(TEXT).ids
    for length in LENGTHS:
        print(measure(model, plain, ids[:length], 0.02))


if __name__ == "__main__":
    main()
