"""What engines' own planners reserve for a cache, run by hand, each in an environment of its own.

    PYTHONPATH=encodings:. python -m tests.parity.planners vllm         # prints a table
    PYTHONPATH=encodings:. python -m tests.parity.planners vllm --write # and records it

`vllm` and `sglang` need that package (without its kernels: no GPU is asked for), torch and
transformers. What llama.cpp reserves is in its log ("KV buffer size"): xllamacpp started it on a
file with the model's layers, heads and window, and 32 channels. Layers are told to the planners as
transformers' configuration classes read the files, in the engines' own words for them; nothing of
`posenc.config.memory` is used. data/reserved.json has the result, and
`tests/posenc/config/test_reserved.py` compares.
"""

import datetime
import json
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, patch

FILE = Path(__file__).resolve().parent.parent.parent / "data" / "reserved.json"
MODELS = (
    *("Llama-3.1-8B", "Qwen3-8B", "Qwen3-30B-A3B", "Mistral-7B-v0.1", "Gemma-2-9B", "Gemma-3-12B"),
    *("Gemma-4-26B-A4B", "gpt-oss-20b", "gpt-oss-120b", "Llama-4-Scout", "DeepSeek-V3"),
    "Qwen3-Next-80B-A3B",
)
LENGTHS = {"vllm": (8192, 131072), "sglang": (16384, 131072)}
IN_FLIGHT = 2 * 8192


def text_config(model: str) -> Any:
    """The text part of a released file, as transformers reads it."""
    from transformers import AutoConfig

    from posenc import known_models

    file = known_models()[model].config
    config = AutoConfig.for_model(**{k: v for k, v in file.items() if k != "auto_map"})
    return config.get_text_config()


def architecture(model: str) -> str:
    """The first of the file's architectures, else that of the class."""
    from posenc import known_models

    named = {"Llama-4-Scout": "Llama4ForConditionalGeneration", "gpt-oss-20b": "GptOssForCausalLM"}
    named |= {
        "gpt-oss-120b": "GptOssForCausalLM",
        "Gemma-4-26B-A4B": "Gemma4ForConditionalGeneration",
    }
    return named.get(model, (known_models()[model].config.get("architectures") or ["Other"])[0])


def layers(config: Any) -> list[dict[str, Any]]:
    """Kind, heads and widths of every layer, by transformers' names."""
    own = getattr(config, "per_layer_config", None)
    kinds = getattr(config, "layer_types", None)
    if kinds is None:
        is_near = getattr(config, "sliding_window", None)
        kinds = ["sliding_attention" if is_near else "full_attention"] * config.num_hidden_layers
    found = []
    for number, kind in enumerate(kinds):
        said = own[number] if own else config
        width = getattr(said, "head_dim", None) or said.hidden_size // said.num_attention_heads
        one = {"kind": kind, "heads": said.num_key_value_heads, "width": width}
        if kind == "sliding_attention":
            one["window"] = config.sliding_window
        if kind == "chunked_attention":
            one["chunk"] = config.attention_chunk_size
        if getattr(config, "kv_lora_rank", None):
            one |= {"kind": "latent", "width": config.kv_lora_rank + config.qk_rope_head_dim}
        found.append(one)
    return found


def vllm(model: str, length: int) -> int:
    """Bytes that vLLM needs for one text of the longest length."""
    import torch
    from vllm.v1.core.kv_cache_planning import (
        DefaultKVCacheConfigBuilder,
        _max_memory_usage_bytes_from_groups,
        get_kv_cache_groups,
    )
    from vllm.v1.kv_cache_interface import (
        ChunkedLocalAttentionSpec,
        FullAttentionSpec,
        MambaSpec,
        MLAAttentionSpec,
        SlidingWindowSpec,
    )
    from vllm.v1.kv_cache_layout import KVCacheLayout

    config = text_config(model)
    every = layers(config)
    states = _delta_net(config) if "linear_attention" in {one["kind"] for one in every} else None
    block = 16
    if states is not None:
        # `_align_hybrid_block_size`: a page of attention holds a state.
        one = next(one for one in every if one["kind"] == "full_attention")
        per_token = 2 * one["heads"] * one["width"] * 2
        block = 16 * -(-_bytes(states) // (16 * per_token))
    specs: dict[str, Any] = {}
    for number, one in enumerate(every):
        said = {"block_size": block, "num_kv_heads": one["heads"], "head_size": one["width"]}
        said["dtype"] = torch.bfloat16
        if one["kind"] == "latent":
            spec = MLAAttentionSpec(**said | {"num_kv_heads": 1})
        elif one["kind"] == "linear_attention":
            spec = MambaSpec(
                block_size=block,
                shapes=tuple(shape for shape, _ in states),
                dtypes=tuple(kind for _, kind in states),
                page_size_padded=block * per_token,
                mamba_cache_mode="align",
            )
        elif "window" in one:
            spec = SlidingWindowSpec(**said, sliding_window=one["window"])
        elif "chunk" in one:
            spec = ChunkedLocalAttentionSpec(**said, attention_chunk_size=one["chunk"])
        else:
            spec = FullAttentionSpec(**said)
        specs[f"layers.{number}"] = spec
    layout = next(one for one in KVCacheLayout if not one.is_block_outermost)
    told = SimpleNamespace(
        model_config=SimpleNamespace(max_model_len=length, supports_kv_cache_grouping=False),
        parallel_config=SimpleNamespace(decode_context_parallel_size=1),
        scheduler_config=SimpleNamespace(
            disable_hybrid_kv_cache_manager=any("chunk" in one for one in every)
        ),
        cache_config=SimpleNamespace(
            mamba_cache_mode="align",
            num_gpu_blocks_override=None,
            prefix_cache_retention_interval=None,
            get_resolved_kv_cache_layout=lambda: layout,
        ),
        attention_config=SimpleNamespace(hisparse_config=None),
        speculative_config=None,
        max_in_flight_tokens=IN_FLIGHT,
    )
    groups = get_kv_cache_groups(told, specs)
    return _max_memory_usage_bytes_from_groups(DefaultKVCacheConfigBuilder(), told, groups)


def _delta_net(config: Any) -> list[tuple[tuple[int, ...], Any]]:
    """Shapes of the states of a Gated DeltaNet, as vLLM's MambaStateShapeCalculator has them."""
    import torch

    keys = config.linear_num_key_heads * config.linear_key_head_dim
    values = config.linear_num_value_heads * config.linear_value_head_dim
    heads = (
        config.linear_num_value_heads,
        config.linear_value_head_dim,
        config.linear_key_head_dim,
    )
    conv = (2 * keys + values, config.linear_conv_kernel_dim - 1)
    return [(conv, torch.bfloat16), (heads, torch.float32)]


def _bytes(states: list[tuple[tuple[int, ...], Any]]) -> int:
    total = 0
    for shape, kind in states:
        numbers = kind.itemsize
        for one in shape:
            numbers *= one
        total += numbers
    return total


def sglang(model: str, length: int) -> int | None:
    """Bytes of SGLang's pools for so many tokens; None where they hang on other settings."""
    import torch
    from sglang.srt.configs.model_config import get_hybrid_layer_ids, is_hybrid_swa_model
    from sglang.srt.model_executor import pool_configurator as pools

    config = text_config(model)
    every = layers(config)
    if any(one["kind"] == "linear_attention" for one in every):
        return None
    full = every[next((i for i, one in enumerate(every) if "window" not in one), 0)]
    near = next((one for one in every if "window" in one or "chunk" in one), full)
    mla = "latent" in {one["kind"] for one in every}
    said = SimpleNamespace(
        hf_config=config,
        attention_arch=pools.AttentionArch.MLA if mla else pools.AttentionArch.MHA,
        get_num_kv_heads=lambda *_sizes: full["heads"],
        get_swa_num_kv_heads=lambda *_sizes: near["heads"],
        head_dim=full["width"],
        v_head_dim=full["width"],
        swa_head_dim=near["width"],
        swa_v_head_dim=near["width"],
        kv_lora_rank=getattr(config, "kv_lora_rank", None),
        qk_rope_head_dim=getattr(config, "qk_rope_head_dim", None),
    )
    is_hybrid = bool(is_hybrid_swa_model([architecture(model)], config))
    wide, narrow = ([*range(len(every))], [])
    if is_hybrid:
        narrow, wide = get_hybrid_layer_ids([architecture(model)], config)
    kvc = MagicMock(
        kv_cache_dtype_str="auto",
        kv_cache_dtype=torch.bfloat16,
        model_config=said,
        page_size=1,
        sliding_window_size=near.get("window") or near.get("chunk"),
        num_effective_layers=len(every),
        use_mla_backend=mla,
        is_draft_worker=False,
    )
    kvc.layer_info = SimpleNamespace(
        full_attention_layer_ids=wide, swa_attention_layer_ids=narrow, start_layer=0,
        end_layer=len(every), num_effective_layers=len(every),
    )  # fmt: skip
    kvc.server_args.enable_hisparse = True  # as many layers as there are
    kvc.spec_algorithm.is_eagle.return_value = False
    kvc.spec_algorithm.is_standalone.return_value = False
    kvc.spec_algorithm.is_dflash_family.return_value = False
    kvc.fused_entry_bytes.return_value = None
    parallel = SimpleNamespace(attn_tp_size=1, attn_dcp_size=1, pp_size=1)
    schedule = MagicMock(swa_full_tokens_ratio=0.8, max_running_requests=None)
    with (
        patch.object(pools, "get_parallel", lambda: parallel),
        patch.object(pools, "get_schedule", lambda: schedule),
        patch.object(pools, "get_memory", lambda: SimpleNamespace(enable_unified_memory=False)),
        patch.object(pools, "_dflash_draft_cell_size", lambda _kvc: 0),
        patch.object(pools, "mambaish_config", lambda _config: None),
        patch.object(pools, "compute_page_shard_scratch_bytes", lambda *_a, **_k: 0),
    ):
        if is_hybrid:
            plan = pools.HybridSWAPoolConfigurator(kvc)
            sizes = plan.calculate_pool_sizes_from_max_tokens(length, 1)
            return (
                sizes.full_max_total_num_tokens * plan._full_cell_bytes()
                + sizes.swa_max_total_num_tokens * plan._swa_cell_bytes()
            )
        plan = pools.DefaultPoolConfigurator(kvc)
        return length * plan._cell_size


PLANNERS = {"vllm": vllm, "sglang": sglang}


def main() -> None:
    """Run one planner over all models."""
    engine = sys.argv[1]
    rows = [
        {"model": model, "length": length, "bytes": PLANNERS[engine](model, length)}
        for model in MODELS
        for length in LENGTHS[engine]
    ]
    for row in rows:
        print(row)
    if "--write" in sys.argv:
        known = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        known[engine] = {
            "version": version(engine),
            "ran": str(datetime.date.today()),
            "rows": rows,
        }
        FILE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
