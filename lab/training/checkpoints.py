"""Weights on disk: safetensors with the run in its metadata, written whole or not at all."""

import json
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks import corpus
from lab.training.loop import new_model

DATA = Path(__file__).resolve().parent.parent.parent / "data" / "lab"
"""Folder of what ships: checkpoints, and what was measured of them."""
LARGEST = 4 << 30  # bytes of a checkpoint that is opened


@dataclass(frozen=True)
class Checkpoint:
    """A trained model with what is known of its training."""

    spec: RunSpec
    model: LanguageModel
    facts: dict[str, Any]
    """Versions, corpus hash, last losses, seconds."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a power cut, meets the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)  # half a file on a full disk
        raise


def versions() -> dict[str, Any]:
    """Versions and settings that also decide the bits of a result."""
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "machine": platform.machine(),
        "threads": torch.get_num_threads(),
    }


def facts_of(spec: RunSpec, model: LanguageModel) -> dict[str, Any]:
    """Facts about a run that do not depend on its losses: versions, size, and the text it read."""
    facts = {**versions(), "parameters": model.size}
    if spec.task == "text":
        text = corpus.corpus(spec.corpus)
        facts |= {"corpus": text.source, "corpus_sha256": text.sha256}
    return facts


def save_checkpoint(
    path: Path, spec: RunSpec, model: LanguageModel, facts: dict[str, Any], dtype: torch.dtype
) -> None:
    """Write the weights in `dtype`; float16 halves the file and costs no measurable loss."""
    weights = {name: value.detach().to(dtype) for name, value in model.state_dict().items()}
    metadata = {"spec": json.dumps(spec.to_dict()), "facts": json.dumps(facts)}
    write_whole(path, save(weights, metadata))


def load_checkpoint(
    path: Path, untrained: Callable[[RunSpec], LanguageModel] = new_model
) -> Checkpoint:
    """Read what `save_checkpoint` wrote; the weights become float32.

    Args:
        path: The file.
        untrained: Makes the model of a run, where that is another than the lab's own.

    Raises:
        ValueError: If the file is missing, too large, or not a checkpoint of the lab.
    """
    weights, metadata = read_tensors(path)
    try:
        spec = RunSpec.from_dict(json.loads(metadata["spec"]))
        facts = json.loads(metadata["facts"])
        model = untrained(spec)
        model.load_state_dict({name: value.float() for name, value in weights.items()})
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path.name} is not a checkpoint of the lab: {error!s:.200}") from None
    return Checkpoint(spec, model.eval(), facts)


def shipped_checkpoints() -> dict[str, Path]:
    """The checkpoints that come with the project, by name."""
    return {path.stem: path for path in sorted(DATA.glob("*.safetensors"))}


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """All tensors of a safetensors file, and its metadata.

    Raises:
        ValueError: If it is missing, too large or damaged.
    """
    if not path.is_file():
        raise ValueError(f"There is no file {path.name}.")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} is larger than the {LARGEST >> 30} GiB that are read.")
    try:
        with safe_open(path, framework="pt") as file:
            names = file.keys()
            return {name: file.get_tensor(name) for name in names}, file.metadata() or {}
    except Exception as error:  # safetensors raises its own type for a damaged file
        raise ValueError(f"{path.name} is not a safetensors file: {error!s:.200}") from None
