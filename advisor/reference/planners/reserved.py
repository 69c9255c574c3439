"""Cache that engines' own planners reserve, run by hand, each in an environment of its own.

    PYTHONPATH=encodings:advisor python -m reference.planners.reserved vllm         # prints a table
    PYTHONPATH=encodings:advisor python -m reference.planners.reserved vllm --write # and records it

`vllm` and `sglang` need that package (without its kernels: no GPU is asked for), torch and
transformers; llama.cpp is asked in `llama_cpp`. Layers are told to the planners as the classes
of transformers read the files, in the engines' own words for them, and states of recurrent layers
by vLLM's own calculators; nothing of `advisor.memory` is used.
data/reserved.json has the result, and `tests/advisor/test_reserved.py` compares.
"""

import datetime
import json
import sys
from importlib.metadata import version
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, patch

FILE = Path(__file__).resolve().parents[3] / "data" / "reserved.json"
MODELS = (
    *("Llama-3.1-8B", "Qwen3-8B", "Qwen3-30B-A3B", "Mistral-7B-v0.1", "Gemma-2-9B", "Gemma-3-12B"),
    *("Gemma-4-26B-A4B", "gpt-oss-20b", "gpt-oss-120b", "Llama-4-Scout", "DeepSeek-V3"),
    *("Qwen3-Next-80B-A3B", "Qwen3.5-27B", "Falcon-H1-7B", "Granite-4.0-H-Small"),
    *("Nemotron-3-Nano-30B-A3B", "LFM2-1.2B", "Jamba-v0.1"),
)
SETTINGS: tuple[dict[str, Any], ...] = ({}, {"kind": "fp8"}, {"cards": 2}, {"batch": 4})
"""Settings asked for at the longer length: type of the cache, tensor parallelism, texts at once."""
LENGTHS = {"vllm": (8192, 131072), "sglang": (16384, 131072)}
IN_FLIGHT = 2 * 8192
STATES = ("linear_attention", "mamba", "conv")
"""transformers' words for layers that keep a state alone."""


def text_config(model: str) -> Any:
    """The text part of a released file, as transformers reads it."""
    from transformers import AutoConfig

    from advisor import known_models

    file = known_models()[model].config
    config = AutoConfig.for_model(**{k: v for k, v in file.items() if k != "auto_map"})
    return config.get_text_config()


def architecture(model: str) -> str:
    """The first of the file's architectures, else that of the class."""
    from advisor import known_models

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
    if config.model_type in ("falcon_h1", "jamba", "nemotron_h"):
        kinds = config.layers_block_type
    found = []
    for number, kind in enumerate(kinds):
        if kind in STATES:
            found.append({"kind": "state"})
            continue
        if kind in ("moe", "mlp"):
            continue
        said = own[number] if own else config
        width = getattr(said, "head_dim", None) or said.hidden_size // said.num_attention_heads
        one = {"kind": kind, "heads": said.num_key_value_heads, "width": width}
        if kind == "hybrid":
            one["kind"] = "full and state"
        if kind == "sliding_attention":
            one["window"] = config.sliding_window
        if kind == "chunked_attention":
            one["chunk"] = config.attention_chunk_size
        if getattr(config, "kv_lora_rank", None):
            one |= {"kind": "latent", "width": config.kv_lora_rank + config.qk_rope_head_dim}
        found.append(one)
    return found


def vllm(model: str, length: int, kind: str = "bfloat16", cards: int = 1, batch: int = 1) -> int:
    """Bytes on each card that vLLM needs for so many texts of the longest length."""
    import torch
    from vllm.v1.core.kv_cache_planning import (
        DefaultKVCacheConfigBuilder,
        _max_memory_usage_bytes_from_groups,
        get_kv_cache_config_from_groups,
        get_kv_cache_groups,
    )
    from vllm.v1.core.kv_cache_utils import get_max_concurrency_for_kv_cache_config
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
    numbers = {"bfloat16": torch.bfloat16, "fp8": torch.float8_e4m3fn}[kind]
    states = _states(config, cards) if any("state" in one["kind"] for one in every) else None
    block = 16
    if states is not None:
        # `_align_hybrid_block_size`: a page of attention holds a state.
        one = next(one for one in every if one["kind"] != "state")
        per_token = 2 * max(1, one["heads"] // cards) * one["width"] * numbers.itemsize
        # The kernel of the Gated DeltaNet on Hopper and Blackwell, FLASHINFER_GDN_CHECKPOINT_…
        step = 64 if hasattr(config, "linear_num_value_heads") else 16
        block = step * -(-_bytes(states) // (step * per_token))
    specs: dict[str, Any] = {}
    for number, one in enumerate(every):
        heads = max(1, one.get("heads", 1) // cards)
        said = {"block_size": block, "num_kv_heads": heads, "head_size": one.get("width")}
        said["dtype"] = numbers
        if "state" in one["kind"]:
            # Mamba 2 and that kernel hand out a state from within a prompt.
            is_handed_out = len(states) > 1 and not hasattr(config, "mamba_dt_rank")
            specs[f"layers.{number}.state"] = MambaSpec(
                block_size=block,
                shapes=tuple(shape for shape, _ in states),
                dtypes=tuple(kind for _, kind in states),
                page_size_padded=block * per_token,
                mamba_cache_mode="align",
                num_prefill_checkpoint_blocks=int(is_handed_out),
            )
        if one["kind"] == "state":
            continue
        if one["kind"] == "latent":
            spec = MLAAttentionSpec(**said | {"num_kv_heads": 1})
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
    builder = DefaultKVCacheConfigBuilder()
    needed = batch * _max_memory_usage_bytes_from_groups(builder, told, groups)
    plan = get_kv_cache_config_from_groups(told, groups, needed)
    assert get_max_concurrency_for_kv_cache_config(told, plan) == batch
    return needed


def _states(config: Any, cards: int) -> list[tuple[tuple[int, ...], Any]]:
    """Shapes and types of the states of a recurrent layer, as vLLM's own calculators have them.

    Which one, with what, is in each model's `get_mamba_state_shape_from_config`; the type of the
    recurrence in `model_executor/models/config.py`.
    """
    import torch
    from vllm.model_executor.layers.mamba.mamba_utils import (
        MambaStateDtypeCalculator as Types,
    )
    from vllm.model_executor.layers.mamba.mamba_utils import (
        MambaStateShapeCalculator as Shapes,
    )

    told = "auto"
    if config.model_type == "nemotron_h":
        told = getattr(config, "mamba_ssm_cache_dtype", "float32")
    if config.model_type.startswith("qwen3_5"):
        told = getattr(config, "mamba_ssm_dtype", None) or "auto"
    half = torch.bfloat16
    if config.model_type == "lfm2":
        shapes = Shapes.short_conv_state_shape(cards, config.hidden_size, config.conv_L_cache)
        return list(zip(shapes, Types.short_conv_state_dtype(half, "auto"), strict=True))
    if hasattr(config, "linear_num_value_heads"):
        shapes = Shapes.gated_delta_net_state_shape(
            cards,
            config.linear_num_key_heads,
            config.linear_num_value_heads,
            config.linear_key_head_dim,
            config.linear_value_head_dim,
            config.linear_conv_kernel_dim,
        )
    elif config.model_type == "jamba":
        wide = config.mamba_expand * config.hidden_size
        shapes = Shapes.mamba1_state_shape(cards, wide, config.mamba_d_state, config.mamba_d_conv)
    elif config.model_type == "nemotron_h":
        shapes = Shapes.mamba2_state_shape(
            cards,
            config.mamba_num_heads * config.mamba_head_dim,
            config.n_groups,
            config.mamba_num_heads,
            config.mamba_head_dim,
            config.ssm_state_size,
            config.conv_kernel,
        )
    else:
        wide = getattr(config, "mamba_d_ssm", None) or config.mamba_expand * config.hidden_size
        shapes = Shapes.mamba2_state_shape(
            cards,
            wide,
            config.mamba_n_groups,
            config.mamba_n_heads,
            config.mamba_d_head,
            config.mamba_d_state,
            config.mamba_d_conv,
        )
    return list(zip(shapes, Types.mamba2_state_dtype(half, "auto", told), strict=True))


def _bytes(states: list[tuple[tuple[int, ...], Any]]) -> int:
    return sum(prod(shape) * kind.itemsize for shape, kind in states)


def sglang(
    model: str, length: int, kind: str = "bfloat16", cards: int = 1, batch: int = 1
) -> int | None:
    """Bytes of SGLang's pools on each card; None where they hang on other settings."""
    import torch
    from sglang.srt.configs.model_config import get_hybrid_layer_ids, is_hybrid_swa_model
    from sglang.srt.model_executor import pool_configurator as pools

    config = text_config(model)
    every = layers(config)
    if any("state" in one["kind"] for one in every):
        return None
    length *= batch
    full = every[next((i for i, one in enumerate(every) if "window" not in one), 0)]
    near = next((one for one in every if "window" in one or "chunk" in one), full)
    mla = "latent" in {one["kind"] for one in every}
    said = SimpleNamespace(
        hf_config=config,
        attention_arch=pools.AttentionArch.MLA if mla else pools.AttentionArch.MHA,
        get_num_kv_heads=lambda *_sizes: max(1, full["heads"] // cards),
        get_swa_num_kv_heads=lambda *_sizes: max(1, near["heads"] // cards),
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
        kv_cache_dtype_str="auto" if kind == "bfloat16" else "fp8_e4m3",
        kv_cache_dtype=torch.bfloat16 if kind == "bfloat16" else torch.float8_e4m3fn,
        model_config=said,
        page_size=1,
        sliding_window_size=near.get("window") or near.get("chunk"),
        num_effective_layers=len(every),
        use_mla_backend=mla,
        is_draft_worker=False,
    )
    kvc.layer_info = SimpleNamespace(
        full_attention_layer_ids=wide,
        swa_attention_layer_ids=narrow,
        start_layer=0,
        end_layer=len(every),
        num_effective_layers=len(every),
    )
    kvc.server_args.enable_hisparse = True  # as many layers as there are
    kvc.spec_algorithm.is_eagle.return_value = False
    kvc.spec_algorithm.is_standalone.return_value = False
    kvc.spec_algorithm.is_dflash_family.return_value = False
    kvc.fused_entry_bytes.return_value = None
    parallel = SimpleNamespace(attn_tp_size=cards, attn_dcp_size=1, pp_size=1)
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


def text(record: dict[str, Any]) -> str:
    """The record, one row a line."""
    runs = []
    for engine, run in record.items():
        head = json.dumps({key: value for key, value in run.items() if key != "rows"})
        rows = ",\n".join(f"  {json.dumps(row)}" for row in run["rows"])
        runs.append(f' "{engine}": {head[:-1]}, "rows": [\n{rows}\n ]}}')
    return "{\n" + ",\n".join(runs) + "\n}\n"


PLANNERS = {"vllm": vllm, "sglang": sglang}


def main() -> None:
    """Run one planner over all models."""
    engine = sys.argv[1]
    short, long = LENGTHS[engine]
    asked = [(short, {}), *((long, setting) for setting in SETTINGS)]
    rows = [
        {"model": model, "length": length, **said, "bytes": PLANNERS[engine](model, length, **said)}
        for model in MODELS
        for length, said in asked
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
        FILE.write_text(text(known), "utf-8")


if __name__ == "__main__":
    main()
