"""Frequencies of releases 4 of transformers from the older fields, run by hand, each by itself.

The tests run with one release, 5.23. For another one, in an environment that has it and torch:

    pip install "transformers==4.51.*" numpy
    export PYTHONPATH=encodings:advisor
    python -m reference.engines.old_transformers       # prints a table
    python -m reference.engines.old_transformers --write  # records it

For every known model, as it is and extended to four times its trained length by every method, the
file with the older fields is loaded and the frequencies of the release's own rotary class are
compared with ours. `tests/parity/test_old_transformers.py` holds what is written today against
what was run: data/old_transformers.json.
"""

import copy
import datetime
import hashlib
import importlib
import inspect
import json
import math
import sys
from pathlib import Path
from typing import Any

import torch

from advisor import RopeConfig, known_models
from posenc.scaling import DynamicNTK, LongRoPE
from reference.engines.cases import BOUND, configs

FILE = Path(__file__).resolve().parents[3] / "data" / "old_transformers.json"
# GPT-J turns by a table of sines; ChatGLM's code comes with its weights.
LEFT_OUT = ("gptj", "codegen", "chatglm")


def cases() -> dict[tuple[str, str], RopeConfig]:
    """Every known model that rotates, as it is and extended, by model and method."""
    every = configs(1) | configs(4)
    return {
        case: config
        for case, config in every.items()
        if config.source["model_type"] not in LEFT_OUT
    }


def older_file(config: RopeConfig) -> dict[str, Any] | str:
    """The file with the older fields, or why there is none."""
    try:
        return config.to_hf("old")
    except ValueError as refused:
        return str(refused)


def digest(written: dict[str, Any]) -> str:
    """A short name for exactly this file."""
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()[:16]


def theirs(written: dict[str, Any], layer_type: str, length: int | None) -> tuple[Any, float]:
    """Frequencies and attention factor by the release's own code."""
    from transformers import CONFIG_MAPPING
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = CONFIG_MAPPING[written["model_type"]].from_dict(copy.deepcopy(written))
    config = config.get_text_config()
    if layer_type == "sliding_attention":
        # As the models make their second rotary class: Gemma 3, ModernBERT, OLMo 3 (the same base).
        local = ("rope_local_base_freq", "local_rope_theta", "rope_theta")
        config.rope_theta = next(getattr(config, name) for name in local if hasattr(config, name))
        config.rope_scaling = None
    scaling = getattr(config, "rope_scaling", None) or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if length is not None:
        return ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
    family = config.model_type.removesuffix("_text")
    module = importlib.import_module(f"transformers.models.{family}.modeling_{family}")
    others = ("Vision", "Unpadded")  # ModernBERT's is for flash-attn, whose class it imports
    names = [n for n in vars(module) if n.endswith("RotaryEmbedding") and n != "RotaryEmbedding"]
    made = getattr(module, next(n for n in names if not any(word in n for word in others)))
    given = {}
    if "base" in inspect.signature(made).parameters:  # ModernBERT up to 4.51
        base = getattr(config, "rope_theta", None) or config.global_rope_theta
        given = {"dim": config.hidden_size // config.num_attention_heads, "base": base}
    rotary = made(config=config, **given)
    return rotary.inv_freq, float(getattr(rotary, "attention_scaling", 1.0))


def difference(config: RopeConfig, written: dict[str, Any]) -> float:
    """The largest relative difference of frequencies and factors, over all layers."""
    worst = 0.0
    for key, layer in config.rotary.items():
        depends = isinstance(layer.scaling, DynamicNTK | LongRoPE)
        longer = [(layer.max_length or 0) + 1] if depends else []
        for length in (None, *longer):
            ours, our_factor = layer.frequencies(length)
            inv_freq, factor = theirs(written, key, length)
            moving = ours > 0
            apart = (inv_freq.double() - ours).abs()[moving] / ours[moving]
            worst = max(worst, float(apart.max()), abs(factor / our_factor - 1))
            if bool((inv_freq[~moving] != 0).any()):
                return math.inf
    return worst


def outcome(config: RopeConfig) -> dict[str, Any]:
    """One row: "same", "differs", "refused" by us, or "not loaded" by the release."""
    written = older_file(config)
    if isinstance(written, str):
        return {"outcome": "refused", "why": written}
    try:
        found = difference(config, written)
    except Exception as error:
        # Another release: what it does not know it says in its own ways.
        return {"outcome": "not loaded", "file": digest(written), "why": f"{error!r}"[:160]}
    word = "same" if found <= BOUND else "differs"
    return {"outcome": word, "file": digest(written), "difference": found}


def unread() -> dict[str, float]:
    """Llama 3.1's slowest pair by rope_parameters: ours, and what the release makes of it."""
    config = RopeConfig.from_hf(known_models()["Llama-3.1-8B"].config)
    inv_freq, _ = theirs(config.to_hf("new"), "all", None)
    return {"ours": float(config.rotary["all"].frequencies()[0][-1]), "theirs": float(inv_freq[-1])}


def main() -> None:
    """Print the table; with --write, record it under the release."""
    import transformers

    rows = [
        {"model": model, "method": method, **outcome(config)}
        for (model, method), config in cases().items()
    ]
    for row in rows:
        detail = row.get("why", f"{row.get('difference', 0):.1e}")
        print(f"{row['model']:32} {row['method']:10} {row['outcome']:10} {detail}")
    counts = {
        word: sum(row["outcome"] == word for row in rows)
        for word in ("same", "differs", "refused", "not loaded")
    }
    print(transformers.__version__, counts)
    if "--write" in sys.argv:
        record = json.loads(FILE.read_text()) if FILE.exists() else {}
        record[transformers.__version__] = {
            "ran": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "torch": torch.__version__,
            "counts": counts,
            "rope_parameters": unread(),
            "rows": rows,
        }
        FILE.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
