"""GGUF files as the `gguf` package writes them, small enough for a test."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFWriter, RopeScalingType

SCALINGS = {one.value: one for one in RopeScalingType}


def written(
    folder: Path,
    architecture: str,
    counts: Mapping[str, int],
    rope: Mapping[str, Any] | None = None,
    tensors: Mapping[str, list[float]] | None = None,
    tokens: int = 0,
) -> bytes:
    """A file with metadata and a few tensors.

    Args:
        folder: Where it is written first.
        architecture: general.architecture.
        counts: Whole numbers, by the names behind the architecture's.
        rope: Numbers and words for the same.
        tensors: float32 tensors by name.
        tokens: Words of its vocabulary.
    """
    path = folder / "model.gguf"
    writer = GGUFWriter(path, architecture)
    writer.add_name("made up")
    for name, count in counts.items():
        writer.add_uint32(f"{architecture}.{name}", count)
    for name, value in (rope or {}).items():
        key = f"{architecture}.{name}"
        if isinstance(value, str):
            writer.add_string(key, value)
        elif isinstance(value, list):
            writer.add_array(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        else:
            writer.add_float32(key, value)
    if tokens:
        writer.add_token_list([f"word{i}" for i in range(tokens)])
    for name, values in (tensors or {}).items():
        writer.add_tensor(name, np.asarray(values, dtype=np.float32))
    writer.add_tensor("token_embd.weight", np.zeros((4, 8), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.read_bytes()
