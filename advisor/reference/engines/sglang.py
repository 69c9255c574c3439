"""SGLang: the arguments as its own parser takes them, and the model's own class.

All but the rotary parts is built without memory, on the device "meta".
"""

import argparse
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["SGLANG_USE_CPU_ENGINE"] = "1"

import torch

from reference.engines.meta import on_the_cpu, parts_of
from reference.engines.reader import Nothing, Part, StandIns, answer

GPU = ("torchvision", "sgl_kernel", "flashinfer", "cuda", "cutlass", "quack", "tilelang")
sys.meta_path.insert(0, StandIns(*GPU, "deep_gemm", "outlines", "IPython"))

from sglang.srt.configs.model_config import ModelConfig  # noqa: E402
from sglang.srt.distributed import (  # noqa: E402
    init_distributed_environment,
    initialize_model_parallel,
)
from sglang.srt.layers import rotary_embedding  # noqa: E402
from sglang.srt.layers.dp_attention import initialize_dp_attention  # noqa: E402
from sglang.srt.layers.rotary_embedding import factory  # noqa: E402
from sglang.srt.model_loader.utils import get_model_architecture  # noqa: E402
from sglang.srt.runtime_context import SpawnRanks, get_context, get_server_args, publish  # noqa: E402
from sglang.srt.server_args import ServerArgs  # noqa: E402


def prepare() -> None:
    """One process, on the CPU."""
    torch.ops.sgl_kernel = Nothing()
    on_the_cpu(rotary_embedding)
    # What GPUs take; for CPUs there is DeepSeek's YaRN alone.
    factory.get_rope_cpu = lambda *given: factory.get_rope(*given[:-1])
    given = get_context().override_server_args(device="cpu", attention_backend="torch_native")
    publish(given.install(), role="scheduler", ranks=SpawnRanks(0))
    init_distributed_environment(1, 0, f"file://{tempfile.mktemp()}", 0, "gloo")
    initialize_model_parallel()
    initialize_dp_attention(get_server_args())


def used(parts: list[Part]) -> list[Part]:
    """Without the parts of Gemma 3's attention, where the model has one for each kind of layer.

    Its layers are given those of the model; they turn by their own on CPUs with AMX alone.
    """
    kinds = {"model.rotary_emb": "full_attention", "model.rotary_emb_local": "sliding_attention"}
    ends = {part["path"].split("language_model.")[-1]: part for part in parts}
    if not kinds.keys() <= ends.keys():
        return parts
    return [ends[path] | {"kind": kind} for path, kind in kinds.items()]


def built(config: ModelConfig, text_class: str | None) -> Any:
    """The model; its text part alone where the other parts of the file are not there."""
    kind, _name = get_model_architecture(config)
    try:
        return kind(config=config.hf_config, quant_config=None)
    except Exception:
        if text_class is None:
            raise
        config.hf_config.architectures = [text_class]
        kind, _name = get_model_architecture(config)
        return kind(config=config.hf_text_config, quant_config=None)


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The rotary parts of the model's own class."""
    parser = argparse.ArgumentParser()
    ServerArgs.add_cli_args(parser)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(case["file"]), "utf-8")
        given = parser.parse_args(["--model-path", folder, *shlex.split(case["text"])])
        config = ModelConfig(
            folder,
            context_length=given.context_length,
            model_override_args=given.json_model_override_args,
            dtype="float32",
        )
        text = config.hf_text_config
        for name in [one for one in vars(text) if one.startswith("linear_num_")]:
            setattr(text, f"{name}_cpu", getattr(text, name))
        with torch.device("meta"):
            model = built(config, case["text_class"])
    found = parts_of(model, config.context_len)
    return found | {"parts": used(found["parts"])}


if __name__ == "__main__":
    prepare()
    answer(read)
