"""Files that are no model's configuration: their kind, and the file that is wanted instead."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from posenc.checks import shortened

OF_A_MODEL = {
    *("model_type", "hidden_size", "n_embd", "d_model", "head_dim", "num_hidden_layers"),
    *("text_config", "rope_theta", "rope_scaling", "rope_parameters", "max_position_embeddings"),
}
PROGRAM = re.compile(
    r"(\w+=\S+ )*(\$|sudo|docker|python[\d.]*|vllm|sglang|llama-(server|cli)|ollama|lmdeploy) ",
    re.I,
)
"""The beginning of a command line that starts an engine."""
WANTED = "Give the config.json that lies beside it."


BEGINNINGS = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"RIFF", "a picture or a recording"),
    (b"%PDF", "a PDF"),
)
"""First bytes of files that people name config.json by mistake."""


def wrong_bytes(data: bytes) -> str | None:
    """Kind of a binary file by its first bytes; None where it may be text or GGUF."""
    if data[:4] == b"PK\x03\x04":
        return _is("a zip archive, such as PyTorch's weights")
    if data[:2] == b"\x1f\x8b":
        return _is("a file packed with gzip")
    if data[4:8] == b"\0\0\0\0" and data[8:10] == b'{"':
        return _is("a file of weights in the safetensors form")
    return next((_is(kind) for start, kind in BEGINNINGS if data.startswith(start)), None)


def wrong_text(text: str) -> str | None:
    """Kind of a text by how it begins; None where it may be JSON or a model's name."""
    start = text[:200].lstrip("\ufeff \t\r\n").lower()
    if start.startswith("version https://git-lfs"):
        return (
            "This is a pointer of Git LFS, which stands where a large file was not downloaded. "
            "Fetch the file itself (git lfs pull)."
        )
    if start.startswith(("<!doctype", "<html", "<?xml")):
        return (
            "This is a web page, not the file: it was saved from a site that shows the file. Use "
            "the site's link to the raw file."
        )
    if start.startswith(("from ", "parameter ", "template ")) and "\n" in text:
        return _is("a Modelfile of Ollama")
    if PROGRAM.match(start):
        return (
            "This is a command line, which is not read. Give the model's name and the length, "
            "such as Qwen3-8B 128k, or its config.json."
        )
    if start.startswith("---\n"):
        return _is("a model card or a YAML file")
    return None


def wrong_object(config: Mapping[str, Any]) -> str | None:
    """Kind of a JSON object by its fields; None where it may be a configuration.

    A file that says how wide the model is, or of which family, is a configuration whatever else it
    holds.
    """
    if config.keys() & OF_A_MODEL:
        return None
    if "peft_type" in config:
        return _adapter(config)
    for kind, fits in KINDS.items():
        if fits(config):
            return _is(kind)
    return None


def _is(kind: str) -> str:
    return f"This is {kind}. {WANTED}"


def _adapter(config: Mapping[str, Any]) -> str:
    """An adapter (LoRA) names the model that it belongs to."""
    base = config.get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        return (
            "This is the configuration of an adapter (LoRA), which leaves positions as they are. "
            "Give the config.json of the model that it was trained on."
        )
    return (
        "This is the configuration of an adapter (LoRA), which leaves positions as they are. Give "
        f"the config.json of the model that it was trained on: {shortened(base, 80)}."
    )


def _has(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda config: any(name in config for name in names)


def _all(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda config: all(name in config for name in names)


def _only_tokens(config: Mapping[str, Any]) -> bool:
    """Names to numbers, as vocab.json has them; or special tokens alone."""
    if config and all(name.endswith(("_token", "_tokens")) for name in config):
        return True
    return len(config) >= 100 and all(type(value) is int for value in config.values())


KINDS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "a tokenizer's configuration (tokenizer_config.json)": _has(
        "tokenizer_class", "added_tokens_decoder", "chat_template", "clean_up_tokenization_spaces"
    ),
    "a tokenizer (tokenizer.json)": _all("model", "pre_tokenizer"),
    "a list of tokens": _only_tokens,
    "a configuration of generation (generation_config.json)": _has(
        "do_sample", "max_new_tokens", "_from_model_config", "top_p", "temperature", "eos_token_id"
    ),
    "a processor's configuration (of images or sound)": _has(
        "processor_class", "image_processor_type", "feature_extractor_type", "image_mean"
    ),
    "the list of a model's weights (model.safetensors.index.json)": _has("weight_map"),
    "the list of a pipeline's parts (model_index.json)": _has("_diffusers_version"),
    "a record of a training": _has("log_history", "train_micro_batch_size_per_gpu"),
    "a configuration of quantisation": _all("bits", "group_size"),
}
"""Which fields tell each kind of file, the surest first."""
