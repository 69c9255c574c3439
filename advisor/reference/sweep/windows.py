"""Where transformers' classes hold to a window that a file gives: in the mask, in the cache.

python -m reference.sweep.windows writes advisor/advisor/families/window_read.json: for each class
with a causal language model that knows no kinds of layers, a tiny model without trained weights is
given sliding_window: 4 and run in one pass, and token by token with its cache. "mask" is whether
the first token is out of sight of the last one in the pass; "cache", whether decoding gives other
numbers than the pass.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, PreTrainedConfig

from advisor.families.classes import default
from advisor.memory.sizes import class_defaults
from reference.sweep.judge import MORE
from reference.sweep.tiny import shrunk

FILE = Path(__file__).resolve().parents[2] / "advisor/families/window_read.json"
WINDOW = 4
LAYERS = 2
TOKENS = 24  # the first of them is out of reach of two layers with this window
SEEN = 1e-5  # what is not float32's rounding


def observed(config: PreTrainedConfig) -> dict[str, bool]:
    """Whether the mask and the cache of the class's model hold to sliding_window: 4."""
    config.sliding_window = WINDOW
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    tokens = torch.randint(5, 60, (1, TOKENS))
    other = tokens.clone()
    other[0, 0] = tokens[0, 0] % 50 + 6
    with torch.no_grad():
        whole = model(tokens, use_cache=False).logits[0, -1]
        moved = model(other, use_cache=False).logits[0, -1] - whole
        cache = None
        for at in range(TOKENS):
            answer = model(tokens[:, at : at + 1], past_key_values=cache, use_cache=True)
            cache = answer.past_key_values
        decoded = answer.logits[0, -1] - whole
    return {
        "mask": moved.abs().max().item() < SEEN,
        "cache": decoded.abs().max().item() > SEEN,
    }


def rows() -> dict[str, dict[str, Any]]:
    """What was observed, by model type; without classes that have kinds of layers."""
    found: dict[str, dict[str, Any]] = {}
    for model_type in class_defaults():
        if model_type not in CONFIG_MAPPING:
            continue
        if CONFIG_MAPPING[model_type] not in AutoModelForCausalLM._model_mapping:
            continue
        try:
            more = {"num_hidden_layers": LAYERS, **MORE.get(model_type, {})}
            config = shrunk(default(model_type), more)
            if getattr(config, "layer_types", None) is None:
                found[model_type] = observed(config)
                print(model_type, found[model_type], flush=True)
        except Exception as error:  # what cannot be made so small is not recorded
            print(model_type, type(error).__name__, flush=True)
    return found


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows().items())
    )
    FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")
