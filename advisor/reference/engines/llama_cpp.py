"""llama.cpp: a file without weights, by its own conversion, run with the flags.

The config.json is the changed one where the settings say that the model is to be converted again.
The file that is made of it gets one head and few channels, and llama.cpp makes the tensors that its
class for the architecture asks for. While the model runs, what goes into each rotation and what
comes out of it is compared.
"""

import argparse
import ctypes
import json
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from reference.engines.reader import Part, answer, filled

SOURCE = next(Path(sys.prefix, "source").glob("*/vendor/llama.cpp"))
sys.path[:0] = [str(SOURCE), str(SOURCE / "gguf-py")]

import gguf  # noqa: E402
import llama_cpp as llama  # noqa: E402
from conversion import ModelType, get_model_architecture, get_model_class  # noqa: E402
from llama_cpp._ggml import libggml_base_path  # noqa: E402

GGML = ctypes.CDLL(str(libggml_base_path / "libggml-base.so"))
OFFSETS = (1, 64, 4096, 2**18, 2**24)
FLOOR = 1e-3 / OFFSETS[-1]
"""Below this frequency float32 does not tell a tenth of a thousandth."""
SMALL = {
    "feed_forward_length": 32,
    "expert_feed_forward_length": 32,
    "expert_shared_feed_forward_length": 32,
    "expert_count": 4,
    "expert_used_count": 2,
    "expert_group_count": 1,
    "expert_group_used_count": 1,
    "attention.q_lora_rank": 16,
    "vocab_size": 64,
}
"""Widths in the place of the model's, none of which the rotation depends on."""
MISSING = {
    "{arch}.attention.layer_norm_rms_epsilon": 1e-6,
    "{arch}.attention.layer_norm_epsilon": 1e-6,
    **dict.fromkeys((f"xielu.{name}" for name in ("alpha_n", "alpha_p", "beta", "eps")), 1.0),
}
"""Keys that llama.cpp may ask for where the file here does not have what they come from."""


class Tensor(ctypes.Structure):
    """ggml_tensor, of ggml/include/ggml.h."""


Tensor._fields_ = [
    ("type", ctypes.c_int),
    ("buffer", ctypes.c_void_p),
    ("ne", ctypes.c_int64 * 4),
    ("nb", ctypes.c_size_t * 4),
    ("op", ctypes.c_int),
    ("op_params", ctypes.c_int32 * 16),
    ("flags", ctypes.c_int32),
    ("src", ctypes.POINTER(Tensor) * 10),
    ("view_src", ctypes.c_void_p),
    ("view_offs", ctypes.c_size_t),
    ("data", ctypes.c_void_p),
    ("name", ctypes.c_char * 64),
]


class NoTensors(ctypes.Structure):
    """gguf_init_params."""

    _fields_ = [("no_alloc", ctypes.c_bool), ("ctx", ctypes.c_void_p)]


GGML.gguf_init_from_file.argtypes = [ctypes.c_char_p, NoTensors]
GGML.gguf_init_from_file.restype = ctypes.c_void_p
GGML.gguf_free.argtypes = [ctypes.c_void_p]
GGML.ggml_op_name.argtypes = [ctypes.c_int]
GGML.ggml_op_name.restype = ctypes.c_char_p
GGML.ggml_nbytes.argtypes = [ctypes.c_void_p]
GGML.ggml_nbytes.restype = ctypes.c_size_t
ROPE = next(number for number in range(256) if GGML.ggml_op_name(number) == b"ROPE")
said: list[str] = []


@llama.llama_log_callback
def log(_level: int, words: bytes, _data: Any) -> None:
    """Keep what llama.cpp says."""
    said.append(words.decode(errors="replace"))


llama.llama_log_set(log, None)


def converted(file: dict[str, Any]) -> tuple[gguf.GGUFWriter, dict[str, Any]]:
    """The header that the conversion makes of a config.json, and its tables of factors."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(file), "utf-8")
        architecture = get_model_architecture(file, ModelType.TEXT)
        kind = get_model_class(architecture)
        kind.no_mtp = True
        out = Path(folder, "model.gguf")
        model = kind(Path(folder), gguf.LlamaFileType.ALL_F32, out)
        model = getattr(model, "impl", model)
        model.set_gguf_parameters()
        tables = {
            name: np.array(table, np.float32) for name, table in model.generate_extra_tensors()
        }
    return model.gguf_writer, tables


def small(header: dict[str, Any]) -> dict[str, Any]:
    """The header of a model with one head and few channels that turns as the file's does."""
    arch = header["general.architecture"].value
    short = {name.removeprefix(f"{arch}."): one for name, one in header.items()}
    heads = short["attention.head_count"].value
    most = max(heads) if isinstance(heads, list) else heads
    one_head = short["embedding_length"].value // most
    short["embedding_length"].value = (
        short["attention.key_length"].value if "attention.key_length" in short else one_head
    )
    for name in ("attention.head_count", "attention.head_count_kv", *SMALL):
        if name in short:
            to, was = SMALL.get(name, 1), short[name].value
            short[name].value = [to * (n > 0) for n in was] if isinstance(was, list) else to
    return header


def written(path: Path, writer: gguf.GGUFWriter) -> str:
    """Write the small header; the name of its architecture."""
    (header,) = writer.kv_data
    small(header)
    arch = header["general.architecture"].value
    for name in [one for one in header if one.startswith("tokenizer.")]:
        del header[name]
    writer.add_tokenizer_model("none")
    writer.add_vocab_size(SMALL["vocab_size"])
    for name, value in MISSING.items():
        if name.format(arch=arch) not in header:
            writer.add_float32(name.format(arch=arch), value)
    writer.write_header_to_file(path)
    writer.write_kv_data_to_file()
    writer.close()
    return arch


def overrides(words: list[str]) -> Any:
    """--override-kv, as common/arg.cpp reads it."""
    out = (llama.llama_model_kv_override * (len(words) + 1))()
    for one, word in zip(out, words, strict=False):
        key, _, rest = word.partition("=")
        kind, _, value = rest.partition(":")
        one.key = key.encode()
        one.tag = ("int", "float", "bool", "str").index(kind)
        if kind == "int":
            one.value.val_i64 = int(value)
        elif kind == "float":
            one.value.val_f64 = float(value)
    return out


def parsed(text: str) -> argparse.Namespace:
    """The flags, as common/arg.cpp names them."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    kinds = {"none": 0, "linear": 1, "yarn": 2}
    parser.add_argument("--ctx-size", type=int, default=0)
    parser.add_argument("-np", type=int, default=1)
    parser.add_argument("--override-kv", action="append", default=[])
    parser.add_argument("--rope-scaling", type=kinds.__getitem__, default=-1)
    parser.add_argument("--rope-scale", type=lambda word: 1 / float(word), default=0.0)
    parser.add_argument("--rope-freq-base", type=float, default=0.0)
    parser.add_argument("--yarn-orig-ctx", type=int, default=0)
    parser.add_argument("--yarn-beta-fast", type=float, default=-1.0)
    parser.add_argument("--yarn-beta-slow", type=float, default=-1.0)
    return parser.parse_args(shlex.split(text))


class Watch:
    """What goes into the rotations of a model that runs, and what comes out."""

    def __init__(self) -> None:
        self.layer = -1
        self.given: Any = None
        self.found: dict[tuple[int, str], list[tuple[int, Any, Any, int, int]]] = {}
        self.offset = 0
        self.call = llama.ggml_backend_sched_eval_callback(self.see)

    def see(self, pointer: Any, asked: bool, _data: Any) -> bool:
        """One tensor of the graph, before and after it is computed."""
        tensor = ctypes.cast(pointer, ctypes.POINTER(Tensor)).contents
        is_turn = tensor.op == ROPE
        if asked or is_turn:
            number = re.search(rb"-(\d+)(?: |$)", tensor.name)
            self.layer = int(number[1]) if number else self.layer
        if is_turn and asked:
            self.given = row(tensor.src[0].contents, tensor.ne[0])
        elif is_turn:
            key = (self.layer, tensor.name.partition(b"-")[0].decode())
            told = (self.offset, self.given, row(tensor, tensor.ne[0]), *tensor.op_params[1:3])
            self.found.setdefault(key, []).append(told)
        return True


def row(tensor: Tensor, width: int) -> Any:
    """The first head's numbers at the first position."""
    numbers = ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float * width)).contents
    return np.array(numbers, np.float64)


def turned(seen: list[tuple[int, Any, Any, int, int]]) -> Part:
    """Frequencies and factor from a row before and after its rotation, at every position."""
    frequencies = np.zeros(0)
    factor = 1.0
    for offset, before, after, width, mode in seen:
        pairs = [
            one[:width].reshape(2, -1) if mode else one[:width].reshape(-1, 2).T
            for one in (before, after)
        ]
        first, then = (one[0] + 1j * one[1] for one in pairs)
        turn = then / first
        angles = np.angle(turn) / offset
        if not len(frequencies):
            frequencies = angles
        else:
            frequencies = np.where(frequencies * offset < 3, angles, frequencies)
        factor = float(np.abs(turn).max())
    return {"frequencies": frequencies.tolist(), "factor": factor, "floor": FLOOR}


def load(path: Path, arch: str, tables: dict[str, Any], flags: argparse.Namespace) -> Any:
    """The model of a header, with numbers by chance, and with ones where it has no table."""
    left = {*tables}
    chance = np.random.default_rng(1).normal(0, 0.1, 1 << 20).astype(np.float32)

    @llama.llama_model_set_tensor_data_t
    def fill(pointer: int, _data: Any) -> None:
        tensor = ctypes.cast(pointer, ctypes.POINTER(Tensor)).contents
        name = tensor.name.decode()
        size = GGML.ggml_nbytes(pointer) // 4
        if name in tables:
            numbers = tables[name].reshape(-1)
            left.discard(name)
        elif "rope_f" in name or "norm" in name:
            numbers = np.ones(size, np.float32)
        else:
            numbers = np.resize(chance, size)
            numbers = -np.abs(numbers) if "ssm_a" in name else numbers
        ctypes.memmove(tensor.data, numbers.ctypes.data, 4 * size)

    given = llama.llama_model_default_params()
    changes = overrides(flags.override_kv)
    given.kv_overrides = changes
    header = GGML.gguf_init_from_file(str(path).encode(), NoTensors(True, None))
    model = llama.llama_model_init_from_user(header, fill, None, given)
    GGML.gguf_free(header)
    if not model:
        raise RuntimeError(complaint())
    if left:
        raise RuntimeError(f"wrong number of tensors: the class does not read {left.pop()}")
    return model


def context_of(model: Any, flags: argparse.Namespace, watch: Watch, is_long: bool) -> Any:
    """A context with the flags; only what a table for long texts needs has to be reserved."""
    given = llama.llama_context_default_params()
    first = llama.llama_model_n_ctx_train(model)
    length = flags.ctx_size or first
    given.n_ctx = length if is_long else min(length, 256)
    given.n_batch = given.n_ubatch = 32
    given.n_threads = given.n_threads_batch = 1
    given.rope_scaling_type = flags.rope_scaling
    given.rope_freq_base, given.rope_freq_scale = flags.rope_freq_base, flags.rope_scale
    given.yarn_orig_ctx = flags.yarn_orig_ctx
    given.yarn_beta_fast, given.yarn_beta_slow = flags.yarn_beta_fast, flags.yarn_beta_slow
    given.cb_eval = watch.call
    return llama.llama_init_from_model(model, given)


def run(context: Any, watch: Watch) -> None:
    """One token at every position, each alone."""
    batch = llama.llama_batch_init(1, 0, 1)
    memory = llama.llama_get_memory(context)
    for offset in OFFSETS:
        watch.offset = offset
        if memory:
            llama.llama_memory_clear(memory, True)
        batch.n_tokens = 1
        batch.token[0], batch.pos[0] = 1, offset
        batch.n_seq_id[0], batch.seq_id[0][0], batch.logits[0] = 1, 0, 1
        if llama.llama_decode(context, batch):
            raise RuntimeError(complaint())
    llama.llama_batch_free(batch)


def complaint() -> str:
    """What llama.cpp said of what it does not do."""
    found = [line.strip() for line in said if re.search("error|fail|missing|not found", line)]
    return found[0] if found else "llama.cpp said nothing"


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The rotations of every layer, the window and the length that a slot gets."""
    said.clear()
    flags = parsed(case["text"])
    writer, tables = filled(converted, case | {"text": ""})
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "small.gguf")
        arch = written(path, writer)
        model = load(path, arch, tables, flags)
    context = context_of(model, flags, watch, "long" in " ".join(tables))
    if not context:
        raise RuntimeError(complaint())
    run(context, watch)
    length = min(flags.ctx_size // flags.np, llama.llama_model_n_ctx_train(model))
    window = llama.llama_model_n_swa(model)
    llama.llama_free(context)
    llama.llama_model_free(model)
    parts = [
        {"path": f"layers.{layer}.{name}", **turned(seen)}
        for (layer, name), seen in watch.found.items()
    ]
    return {"class": arch, "length": length, "window": window, "parts": parts}


if __name__ == "__main__":
    answer(read)
