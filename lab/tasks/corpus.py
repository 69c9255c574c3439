"""Text to train on: Python's own standard library, or a file of the reader's."""

import hashlib
import platform
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor

from lab.tasks.batch import Batch, generator
from posenc.words import Sentence, say

VOCAB = 256
SKIPPED = {
    "test",
    "tests",
    "idlelib",
    "lib2to3",
    "ensurepip",
    "pydoc_data",
    "encodings",
    "turtledemo",
    "site-packages",
    "__pycache__",
}
SMALLEST = 512  # bytes of a file
LARGEST = 64 << 20  # bytes of a reader's own file
VALIDATION_PART = 8  # one file in this many is held out
PER_FILE = 6  # held-out chunks at most from one file


@dataclass(frozen=True)
class Corpus:
    """Bytes to train on and texts that are never trained on."""

    train: Tensor
    """uint8 (bytes,)."""
    validation: tuple[bytes, ...]
    """One entry for each held-out file."""
    source: str
    """Where it comes from, in words."""
    sha256: str
    """Hash of all bytes, the training part first: 16 hexadecimal digits."""


@lru_cache(maxsize=2)
def corpus(path: str = "") -> Corpus:
    """Read a text file, or with "" the standard library's sources.

    Raises:
        ValueError: If the file cannot be read, is too small or too large.
    """
    if not path:
        return standard_library()
    file = Path(path)
    try:
        _check_size(file.name, file.stat().st_size if file.is_file() else 0)
        content = file.read_bytes()
    except OSError as error:
        raise ValueError(f"The corpus {file.name} cannot be read: {error.strerror}.") from None
    return corpus_of(content, file.name)


def corpus_of(content: bytes, name: str) -> Corpus:
    """A text of which every eighth block is held out.

    Raises:
        ValueError: If it is too small or too large.
    """
    _check_size(name, len(content))
    # Every eighth block is held out, in one piece.
    block = 1 << 13
    blocks = [content[start : start + block] for start in range(0, len(content), block)]
    held_out = tuple(blocks[VALIDATION_PART - 1 :: VALIDATION_PART])
    kept = b"".join(b for i, b in enumerate(blocks) if i % VALIDATION_PART != VALIDATION_PART - 1)
    return _corpus(kept, held_out, say("the file {name}", name=name))


def _check_size(name: str, size: int) -> None:
    if not 1 << 16 <= size <= LARGEST:
        raise ValueError(
            say(
                "The corpus must be a file of 64 KiB to {most} MiB, {name} has {size} bytes.",
                most=LARGEST >> 20,
                name=name,
                size=size,
            )
        )


def standard_library() -> Corpus:
    """ASCII sources of the standard library; a file's hash decides where it goes."""
    root = Path(sysconfig.get_paths()["stdlib"])
    train: list[bytes] = []
    validation: list[bytes] = []
    for file in sorted(root.rglob("*.py")):
        if SKIPPED & set(file.relative_to(root).parts):
            continue
        content = file.read_bytes()
        if len(content) < SMALLEST or not content.isascii():
            continue
        held_out = hashlib.sha256(content).digest()[0] % VALIDATION_PART == 0
        (validation if held_out else train).append(content)
    source = library_source(platform.python_version())
    return _corpus(b"".join(train), tuple(validation), source)


def library_source(version: str) -> Sentence:
    """Where the usual text comes from, in words."""
    return say("the standard library of Python {version}", version=version)


def _corpus(train: bytes, validation: tuple[bytes, ...], source: str) -> Corpus:
    digest = hashlib.sha256(train + b"".join(validation)).hexdigest()[:16]
    data = torch.frombuffer(bytearray(train), dtype=torch.uint8)
    return Corpus(data, validation, source, digest)


def training_batch(data: Tensor, seed: int, update: int, length: int, rows: int) -> Batch:
    """Windows of `length` bytes from random places; the answer is the next byte."""
    starts = torch.randint(len(data) - length, (rows, 1), generator=generator(seed, update))
    window = data[starts + torch.arange(length + 1)].long()
    return Batch(
        inputs=window[:, :-1],
        targets=window[:, 1:],
        weights=torch.ones(rows, length),
        positions=torch.arange(length),
    )


def held_out_chunks(validation: tuple[bytes, ...], length: int, count: int) -> Tensor:
    """Chunks of `length` bytes, each inside one held-out file.

    Returns:
        uint8 (count, length), drawn without overlap, at most `PER_FILE` from one file.

    Raises:
        ValueError: If the held-out texts hold fewer such chunks.
    """
    chunks: list[bytes] = []
    for content in validation:
        starts = range(0, len(content) - length + 1, length)
        chunks.extend(content[start : start + length] for start in list(starts)[:PER_FILE])
    if len(chunks) < count:
        raise ValueError(
            say(
                "The held-out text has {found} chunks of {length} bytes, {needed} are needed.",
                found=len(chunks),
                length=length,
                needed=count,
            )
        )
    chosen = torch.randperm(len(chunks), generator=generator(0, length))[:count].tolist()
    return torch.stack([torch.frombuffer(bytearray(chunks[i]), dtype=torch.uint8) for i in chosen])
