"""vLLM: the arguments as its own parser takes them, and the model's own class.

All but the rotary parts is built without memory, on the device "meta".
"""

import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import torch

from reference.engines.meta import on_the_cpu, parts_of
from reference.engines.reader import StandIns, answer

sys.meta_path.insert(0, StandIns("torchvision"))

import vllm.platforms  # noqa: E402
from vllm.platforms.cpu import CpuPlatform  # noqa: E402

vllm.platforms._current_platform = CpuPlatform()

from vllm.config import set_current_vllm_config  # noqa: E402
from vllm.distributed import (  # noqa: E402
    init_distributed_environment,
    initialize_model_parallel,
    parallel_state,
)
from vllm.engine.arg_utils import EngineArgs  # noqa: E402
from vllm.model_executor.layers import activation, rotary_embedding  # noqa: E402
from vllm.model_executor.model_loader.utils import initialize_model  # noqa: E402
from vllm.model_executor.models import registry  # noqa: E402
from vllm.utils.argparse_utils import FlexibleArgumentParser  # noqa: E402

MORE = ("--skip-tokenizer-init", "--dtype", "float32", "--enforce-eager")


def prepare() -> None:
    """What needs a GPU, or time, and is not rotary."""
    # Some activations ask for the numbers that they are made of.
    on_the_cpu(rotary_embedding, activation)
    # A process of its own for each class imports everything anew.
    registry._run_in_subprocess = lambda function: function()
    torch.ops._C = MagicMock()
    asked = CpuPlatform.get_attn_backend_cls

    def backend(_cls: type, *args: Any, attn_selector_config: Any, **named: Any) -> str:
        # Sparse attention runs on GPUs alone.
        dense = attn_selector_config._replace(use_sparse=False)
        return asked(*args, attn_selector_config=dense, **named)

    CpuPlatform.get_attn_backend_cls = classmethod(backend)


def built(config: Any, text_class: str | None) -> Any:
    """The model; its text part alone where the other parts of the file are not there."""
    try:
        return initialize_model(config)
    except Exception:
        if text_class is None:
            raise
        config.compilation_config.static_forward_context.clear()
        text = config.model_config.hf_config.get_text_config()
        return initialize_model(config.with_hf_config(text, [text_class]))


def read(case: dict[str, Any]) -> dict[str, Any]:
    """The rotary parts of the model's own class."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps(case["file"]), "utf-8")
        parser = EngineArgs.add_cli_args(FlexibleArgumentParser())
        words = ["--model", folder, *MORE, *shlex.split(case["text"])]
        config = EngineArgs.from_cli_args(parser.parse_args(words)).create_engine_config()
        if not torch.distributed.is_initialized():
            with set_current_vllm_config(config):
                init_distributed_environment(1, 0, f"file://{tempfile.mktemp()}", 0, "gloo")
                initialize_model_parallel()
            # Models of experts ask for their group.
            parallel_state._EP = parallel_state._TP
        with torch.device("meta"):
            model = built(config, case["text_class"])
    return parts_of(model, config.model_config.max_model_len)


if __name__ == "__main__":
    prepare()
    answer(read)
