"""Cache that llama.cpp's server reserves, read from its log, run by hand.

    PYTHONPATH=encodings:advisor python -m reference.planners.llama_cpp           # prints a table
    PYTHONPATH=encodings:advisor python -m reference.planners.llama_cpp --write   # and records it

Needs xllamacpp, gguf and transformers. The server is started on a file of zeros with the layers,
heads and window of the model as transformers reads it, and with 32 channels a head: a number of
the log is worth as many times more as the model's heads are wider.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from reference.planners.reserved import FILE, layers, text, text_config

MODELS = {"Llama-3.1-8B": "llama", "Qwen3-8B": "qwen3", "Gemma-3-12B": "gemma3"}
"""With llama.cpp's words for their architectures."""
SETTINGS: tuple[dict[str, Any], ...] = ({"kind": "q8_0"}, {"kind": "q4_0"}, {"batch": 4})
TITLES = {"llama.cpp": False, "llama.cpp --swa-full": True}
LENGTH = 8192
CHANNELS, HIDDEN, WORDS = 32, 64, 259
BUFFER = re.compile(r"KV buffer size = +([\d.]+) MiB")
SERVER = """
import os
import xllamacpp
given = xllamacpp.CommonParams()
given.model.path, kind = {path!r}, xllamacpp.ggml_type.GGML_TYPE_{kind}
given.cache_type_k = given.cache_type_v = kind
given.n_ctx, given.n_parallel, given.swa_full = {context}, {batch}, {full}
given.kv_unified = given.warmup = given.fit_params = False
given.verbosity = 5
server = xllamacpp.Server(given)
os._exit(0)  # its end may wait for ever
"""


def write(path: Path, model: str) -> None:
    """A file of zeros of the model's shape."""
    import gguf

    arch = MODELS[model]
    config = text_config(model)
    heads, shared = config.num_attention_heads, config.num_key_value_heads
    file = gguf.GGUFWriter(path, arch)
    file.add_context_length(LENGTH)
    file.add_embedding_length(HIDDEN)
    file.add_block_count(config.num_hidden_layers)
    file.add_feed_forward_length(HIDDEN)
    file.add_head_count(heads)
    file.add_head_count_kv(shared)
    file.add_key_length(CHANNELS)
    file.add_value_length(CHANNELS)
    file.add_layer_norm_rms_eps(1e-6)
    if arch == "gemma3":
        file.add_sliding_window(config.sliding_window)
    file.add_tokenizer_model("llama")
    file.add_token_list([b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % i for i in range(256))])
    file.add_token_scores([0.0] * WORDS)
    file.add_token_types([2, 3, 3, *[6] * 256])
    shapes = {"token_embd": (WORDS, HIDDEN), "output_norm": (HIDDEN,), "output": (WORDS, HIDDEN)}
    norms = ["attn_norm", "ffn_norm"]
    if arch == "gemma3":
        norms += ["post_attention_norm", "post_ffw_norm"]
    for number in range(config.num_hidden_layers):
        each: dict[str, tuple[int, ...]] = dict.fromkeys(norms, (HIDDEN,))
        if arch != "llama":
            each |= {"attn_q_norm": (CHANNELS,), "attn_k_norm": (CHANNELS,)}
        each |= {"attn_q": (heads * CHANNELS, HIDDEN), "attn_output": (HIDDEN, heads * CHANNELS)}
        each |= dict.fromkeys(("attn_k", "attn_v"), (shared * CHANNELS, HIDDEN))
        each |= dict.fromkeys(("ffn_gate", "ffn_up", "ffn_down"), (HIDDEN, HIDDEN))
        shapes |= {f"blk.{number}.{name}": shape for name, shape in each.items()}
    for name, shape in shapes.items():
        file.add_tensor(f"{name}.weight", np.zeros(shape, np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def reserved(path: Path, model: str, full: bool, kind: str = "F16", batch: int = 1) -> int:
    """Bytes that the log names, for heads as wide as the model's."""
    code = SERVER.format(
        path=str(path), kind=kind.upper(), context=batch * LENGTH, batch=batch, full=full
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    found = [float(one) for one in BUFFER.findall(done.stderr + done.stdout)]
    width = layers(text_config(model))[0]["width"]
    return round(sum(found) * 2**20 * width / CHANNELS)


def main() -> None:
    """Start the server for every model and setting."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in MODELS:
            path = Path(folder) / f"{model}.gguf"
            write(path, model)
            for said in SETTINGS:
                for title, full in TITLES.items():
                    row = {"model": model, "length": LENGTH, "title": title, **said}
                    rows.append(row | {"bytes": reserved(path, model, full, **said)})
                    print(rows[-1])
    if "--write" in sys.argv:
        known = json.loads(FILE.read_text("utf-8"))
        run = known["llama_cpp"]
        kept = [row for row in run["rows"] if not {"kind", "batch"} & {*row}]
        run["rows"] = kept + rows
        FILE.write_text(text(known), "utf-8")


if __name__ == "__main__":
    main()
