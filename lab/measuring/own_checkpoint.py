"""A checkpoint of the reader's own: loss against length under each scaling, by transformers.

Only a directory with config.json and *.safetensors is read: no pickle, no code of the directory.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from lab.measuring.text import TAIL
from lab.model.methods import SLIDE
from lab.tasks import corpus
from posenc import RopeConfig
from posenc.config.text import parse_config
from posenc.scaling.ntk import ntk_base

METHODS = ("none", "linear", "ntk", "dynamic_ntk", "yarn", "llama3")
"""Those of `posenc.scaling.methods` that transformers itself can run: each needs fields of a
config.json for it, see `rope_parameters`."""
CHUNKS = 4
STRIDE = 8  # bytes predicted from each window of the sliding baseline
LONGEST_CONFIG = 1 << 20
NEEDS_TRANSFORMERS = (
    "Reading a checkpoint of your own needs the library transformers, which is not installed here: "
    "pip install transformers==5.23.0, then start again."
)


def directories(folder: Path) -> dict[str, Path]:
    """The checkpoints in a folder, by name: its directories that hold a config.json."""
    if not folder.is_dir():
        return {}
    return {
        path.name: path for path in sorted(folder.iterdir()) if (path / "config.json").is_file()
    }


@dataclass(frozen=True)
class OwnModel:
    """What a directory holds, known without loading a weight."""

    folder: Path
    config: dict[str, Any]
    parameters: int
    length: int
    """L, tokens that the model was trained on, as its config says."""
    methods: tuple[str, ...]
    """What can be tried past L."""
    remark: str
    """Why not every method can be tried, or nothing."""


def look(folder: Path) -> OwnModel:
    """Read config.json and the headers of the weights.

    Raises:
        ValueError: If the directory is not a checkpoint that can be read here, in a sentence.
    """
    file = folder / "config.json"
    if not file.is_file():
        raise ValueError(f"{folder.name} has no config.json; name a transformers directory.")
    if file.stat().st_size > LONGEST_CONFIG:
        raise ValueError(f"The config.json of {folder.name} is larger than 1 MiB.")
    try:
        config = parse_config(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"The config.json of {folder.name} cannot be read: {error}") from None
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise ValueError(
            f"{folder.name} holds no *.safetensors. Other formats can run code when they are "
            "opened and are not read; save the model with save_pretrained to get one."
        )
    length = config.get("max_position_embeddings")
    if not isinstance(length, int) or isinstance(length, bool) or not 16 <= length <= 1 << 24:
        raise ValueError(
            f"max_position_embeddings of {folder.name} must be a whole number from 16 to "
            f"{1 << 24}, got {length!r:.40}: without it the trained length is not known."
        )
    count = sum(_parameters(path) for path in weights)
    methods, remark = _methods(config)
    return OwnModel(folder, config, count, length, methods, remark)


def _parameters(path: Path) -> int:
    try:
        with safe_open(path, framework="pt") as file:
            names = list(file.keys())
            return sum(math.prod(file.get_slice(name).get_shape()) for name in names)
    except Exception as error:  # safetensors raises its own type for a damaged file
        raise ValueError(f"{path.name} is not a safetensors file: {error!s:.200}") from None


def _methods(config: dict[str, Any]) -> tuple[tuple[str, ...], str]:
    """All methods for plain RoPE of one kind; else the model is read as it declares itself."""
    layers = RopeConfig.from_hf(config).rotary
    if not layers:
        return ("none",), "This model does not rotate: it is measured as it is."
    if len(layers) > 1:
        return ("none",), "Its layers rotate in different ways: it is measured as it is."
    (layer,) = layers.values()
    if layer.scaling is not None:
        return ("none",), f"Its config asks for {layer.rope_type} already: it is measured so."
    return METHODS, ""


@dataclass(frozen=True)
class Estimate:
    """What a measurement will take."""

    operations: float
    memory: float
    """Bytes at its peak."""


def estimate(model: OwnModel, lengths: tuple[int, ...], methods: tuple[str, ...]) -> Estimate:
    """Of reading `CHUNKS` texts at every length by every method, and the sliding window."""
    text = model.config.get("text_config") or model.config
    hidden = int(text.get("hidden_size") or 1024)
    layers = int(text.get("num_hidden_layers") or 24)
    vocab = int(text.get("vocab_size") or 32000)

    def passes(length: int) -> float:
        return CHUNKS * length * (2.0 * model.parameters + 2.0 * layers * hidden * length)

    slide = TAIL / STRIDE * passes(model.length)
    operations = slide + sum(passes(n) for n in lengths for _ in methods)
    longest = max(lengths)
    activations = 4.0 * longest * (12 * hidden + 4 * int(text.get("intermediate_size") or 0))
    return Estimate(operations, 4.0 * model.parameters + activations + 4.0 * TAIL * vocab + 3e8)


def tokens_of(model: OwnModel, text: bytes, count: int) -> Tensor:
    """The text in the model's tokens, cut to `CHUNKS` pieces of `count`, (CHUNKS, count).

    Raises:
        ValueError: If there is no tokenizer.json and the vocabulary is not bytes, or the text is
            too short.
    """
    file = model.folder / "tokenizer.json"
    if file.is_file():
        from tokenizers import Tokenizer

        ids = Tokenizer.from_file(str(file)).encode(text.decode("utf-8", "replace")).ids
    elif model.config.get("vocab_size") == 256:
        ids = list(text)
    else:
        raise ValueError(
            f"{model.folder.name} has no tokenizer.json, and its vocabulary is not the 256 bytes."
        )
    if len(ids) < CHUNKS * count:
        raise ValueError(
            f"The text has {len(ids)} tokens, {CHUNKS * count} are needed for this length."
        )
    return torch.tensor(ids[: CHUNKS * count]).view(CHUNKS, count)


def default_text() -> bytes:
    """Held-out sources of the standard library."""
    return b"\n".join(corpus.corpus().validation)


def rope_parameters(model: OwnModel, method: str, length: int) -> dict[str, Any]:
    """transformers' rope parameters for a method at `length` tokens; s = length / L."""
    (layer,) = RopeConfig.from_hf(model.config).rotary.values()
    factor = max(1.0, length / model.length)
    plain: dict[str, Any] = {"rope_type": "default", "rope_theta": layer.base}
    if layer.rotary_dim != layer.head_dim:
        plain["partial_rotary_factor"] = layer.rotary_dim / layer.head_dim
    if factor == 1 or method == "none":
        return plain
    original = {"factor": factor, "original_max_position_embeddings": model.length}
    match method:
        case "linear":
            return {**plain, "rope_type": "linear", "factor": factor}
        case "ntk":
            return {**plain, "rope_theta": ntk_base(layer.rotary_dim, layer.base, factor)}
        case "dynamic_ntk":
            return {**plain, "rope_type": "dynamic", "factor": 2.0}
        case "yarn":
            return {**plain, **original, "rope_type": "yarn"}
        case "llama3":
            bands = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
            return {**plain, **original, **bands, "rope_type": "llama3"}
        case _:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r:.40}.")


def load(model: OwnModel, method: str, length: int) -> nn.Module:
    """The model in float32 on the CPU, scaled by transformers' own code.

    Raises:
        ValueError: If transformers is missing or cannot build the model.
    """
    try:
        from transformers import AutoConfig, AutoModelForCausalLM
    except ImportError:
        raise ValueError(NEEDS_TRANSFORMERS) from None
    safe = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = AutoConfig.from_pretrained(model.folder, **safe)
        if model.methods != ("none",):
            config.rope_parameters = rope_parameters(model, method, length)
        built = AutoModelForCausalLM.from_pretrained(
            model.folder, config=config, use_safetensors=True, dtype=torch.float32, **safe
        )
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        sentence = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
        raise ValueError(f"transformers cannot load {model.folder.name}: {sentence:.200}") from None
    return built.eval()


@torch.no_grad()
def tail_bits(built: nn.Module, tokens: Tensor, last: int) -> Tensor:
    """Bits of the `last` tokens of each row, (rows, last); one row at a time bounds the memory."""
    found = []
    for row in tokens.split(1):
        logits = built(row[:, :-1], use_cache=False, logits_to_keep=last).logits
        found.append(cross_entropy(logits.mT, row[:, -last:], reduction="none") / math.log(2))
    return torch.cat(found)


def lengths_for(model: OwnModel, longest: int) -> tuple[int, ...]:
    """L, 2 L, 4 L … up to `longest` tokens.

    Raises:
        ValueError: If `longest` is below L.
    """
    if longest < model.length:
        raise ValueError(f"The longest length must be at least {model.length}, got {longest}.")
    return tuple(model.length << step for step in range((longest // model.length).bit_length()))


def units(lengths: tuple[int, ...], methods: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """What is measured, in order: the window, then every length by every method."""
    yield SLIDE, lengths[0]
    for place, length in enumerate(lengths):
        for method in methods if place else methods[:1]:
            yield method, length


def measure_own(
    payload: dict[str, Any],
    rows: list[dict[str, Any]],
    save: Callable[[list[dict[str, Any]]], None],
    report: Callable[[int, int, dict[str, Any]], None],
    should_stop: Callable[[], bool],
) -> bool:
    """Measure unit by unit, adding to `rows`; False if it was asked to stop before the end.

    Args:
        payload: {"folder": path, "longest": tokens, "methods": names, "text": path or ""}.
        rows: What was measured before; units whose rows are there are left out.
        save: Called with all rows after each unit.
        report: Called with (done, total, values) after each unit.
        should_stop: Asked before each unit.
    """
    model = look(Path(payload["folder"]))
    lengths = lengths_for(model, payload["longest"])
    methods = tuple(m for m in model.methods if m in ("none", *payload["methods"]))
    text = Path(payload["text"]).read_bytes() if payload["text"] else default_text()
    tokens = tokens_of(model, text, lengths[-1] + 1)
    todo = list(units(lengths, methods))
    there = {(row["method"], row["length"]) for row in rows}
    for done, (method, length) in enumerate(todo):
        if (method, length) not in there:
            if should_stop():
                return False
            bits = _bits(model, tokens, method, length)
            rows += [
                {"method": method, "length": length, "chunk": chunk, "bits": round(value, 5)}
                for chunk, value in enumerate(bits.mean(1).tolist())
            ]
            save(rows)
        report(done + 1, len(todo), {})
    return True


def _bits(model: OwnModel, tokens: Tensor, method: str, length: int) -> Tensor:
    tail = min(TAIL, model.length)
    if method != SLIDE:
        return tail_bits(load(model, method, length), tokens[:, -length - 1 :], tail)
    built, end = load(model, "none", length), tokens.shape[1]
    windows = range(end - tail + STRIDE, end + 1, STRIDE)
    return torch.cat(
        [tail_bits(built, tokens[:, stop - length - 1 : stop], STRIDE) for stop in windows], 1
    )
