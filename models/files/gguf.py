"""A GGUF file converted once to a transformers directory, which opens in seconds.

transformers reads the file: it dequantises the weights, gives tensors their names, and turns the
rows of q and k back from the interleaved layout of such files to the half layout of its own code.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from filelock import AcquireReturnProxy, FileLock
from torch import Tensor, nn

from models.home import Home

Progress = Callable[[float], None]
"""Gets the part that is done, 0 to 1. It may raise, which ends the work."""


def converted(file: Path, home: Home, progress: Progress = lambda part: None) -> Path:
    """The directory that a GGUF file was converted to; it is made where it is not there yet.

    Args:
        file: The GGUF file.
        home: Where converted models are kept.
        progress: Gets the part that is done.

    Returns:
        A directory with config.json, tokenizer.json and float16 safetensors.

    Raises:
        ValueError: If the file cannot be read, is too large, or the disk is full, in a sentence.
    """
    place = _place(file, home)
    if not is_converted(file, home):
        with _alone(home):
            if not is_converted(file, home):
                _make(file, place, home.max_memory, progress)
    return place


def is_converted(file: Path, home: Home) -> bool:
    """Whether a GGUF file was converted before."""
    return (_place(file, home) / "config.json").is_file()


def _place(file: Path, home: Home) -> Path:
    return home.folder / "converted" / f"{file.stem}-{_fingerprint(file)}"


def _alone(home: Home) -> AcquireReturnProxy:
    """A lock in the folder: readers and replicas ask at once, and one converts, in its memory."""
    try:
        (home.folder / "converted").mkdir(parents=True, exist_ok=True)
        return FileLock(home.folder / "converting.lock").acquire()
    except OSError as error:
        raise ValueError(
            f"The folder of models (POSENC_MODELS_HOME) cannot be written: {error.strerror}."
        ) from None


def _make(file: Path, place: Path, max_memory: int, progress: Progress) -> None:
    try:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix="making-") as folder:
            made = Path(folder, place.name)
            made.mkdir()
            _convert(file, made, max_memory, progress)
            made.rename(place)
    except OSError as error:
        raise ValueError(f"{file.name} cannot be converted: {error.strerror}.") from None


def _fingerprint(file: Path) -> str:
    """The same for the same file: a file by that name may be replaced."""
    stat = file.stat()
    words = f"{file.resolve()} {stat.st_size} {stat.st_mtime_ns}"
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def _convert(file: Path, folder: Path, max_memory: int, progress: Progress) -> None:
    from safetensors.torch import save_file
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    # Not from transformers itself, whose lazy names fail where two threads ask for them first.
    from transformers.models.auto.configuration_auto import AutoConfig
    from transformers.models.auto.modeling_auto import AutoModelForCausalLM

    def empty() -> tuple[dict[str, Any], Any, nn.Module]:
        described = load_gguf_checkpoint(str(file))
        config = AutoConfig.for_model(**described["config"])
        with torch.device("meta"):
            return described, config, AutoModelForCausalLM.from_config(config)

    progress(0.0)
    described, config, net = _reading(file, empty)
    needed = sum(parameter.numel() for parameter in net.parameters())
    check_size(file.name, needed * 4, max_memory)
    if shutil.disk_usage(folder).free < 3 * needed:
        raise ValueError(
            f"Converting {file.name} writes {2 * needed:,} bytes to the folder of models "
            "(POSENC_MODELS_HOME), which has less free space."
        )
    progress(0.2)
    tensors = _reading(file, lambda: _tensors(file, described, net, progress))
    _write_tokenizer(file, folder)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    # Last: a directory without it is not finished.
    config.architectures = [type(net).__name__]
    (folder / "config.json").write_text(config.to_json_string(use_diff=False), "utf-8")
    progress(1.0)


def _tensors(
    file: Path, described: dict[str, Any], net: nn.Module, progress: Progress
) -> dict[str, Tensor]:
    """The weights by the names that transformers gives them, float16."""
    from gguf import GGMLQuantizationType, dequantize
    from transformers.integrations.gguf.reader import GgufHeader, load_gguf_state_dict
    from transformers.modeling_gguf_pytorch_utils import (
        TENSOR_PROCESSORS,
        TensorProcessor,
        get_gguf_hf_weights_map,
    )

    header = GgufHeader.from_file(str(file))
    processor = TENSOR_PROCESSORS.get(header.architecture, TensorProcessor)(
        config=described["config"]
    )
    names = get_gguf_hf_weights_map(net, processor)
    described["tensors"] = found = {}
    stored = load_gguf_state_dict(header)
    for done, (name, tensor) in enumerate(stored.items()):
        raw = tensor[...]
        weights = raw.float().numpy()
        if raw.dtype == torch.uint8:
            weights = dequantize(raw.numpy(), GGMLQuantizationType(tensor.ggml_type))
        result = processor.process(
            weights=weights, name=name, tensor_key_mapping=names, parsed_parameters=described
        )
        if result.name in names:
            half = torch.from_numpy(np.ascontiguousarray(result.weights)).to(torch.float16)
            found[names[result.name]] = half
        progress(0.5 + 0.4 * done / len(stored))
    return {name: tensor.to(torch.float16).contiguous() for name, tensor in found.items()}


def _write_tokenizer(file: Path, folder: Path) -> None:
    from tokenizers.processors import TemplateProcessing
    from transformers.integrations.gguf import convert_gguf_tokenizer, get_gguf_tokenizer

    def build() -> Any:
        architecture, description, settings = get_gguf_tokenizer(str(file))
        tokenizer, _ = convert_gguf_tokenizer(architecture, description)
        first = settings.get("bos_token")
        if settings.get("add_bos_token") and first:
            pair = (first, tokenizer.token_to_id(first))
            tokenizer.post_processor = TemplateProcessing(
                single=f"{first} $A", special_tokens=[pair]
            )
        return tokenizer

    _reading(file, build).save(str(folder / "tokenizer.json"))


def _reading(file: Path, read: Callable[[], Any]) -> Any:
    """Result of reading; any error in a damaged or foreign file becomes a sentence."""
    try:
        return read()
    except BaseException as error:  # the readers raise many kinds for damaged files
        # One of them, a panic of the tokenizers, is no Exception and has no name to import.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{file.name} cannot be read as a GGUF file: {first:.200}") from None


def check_size(name: str, needed: int, most: int) -> None:
    """Refuse weights that take too much memory.

    Raises:
        ValueError: With what they need, what is allowed, and the variable that allows more.
    """
    if needed > most:
        raise ValueError(
            f"The weights of {name} need {needed:,} bytes of memory, and {most:,} are allowed: "
            "set POSENC_MODELS_MAX_MEMORY to allow more."
        )
