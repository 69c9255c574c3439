"""Differences between engines, and layers that a scaling does nothing for."""

from collections.abc import Iterator

from advisor.choosing.choice import Reason, reason
from advisor.engines.vllm import IN_TRANSFORMERS
from advisor.facts import TRIED, gap, since
from advisor.memory.cache import KINDS
from advisor.rope import RopeConfig


def windows_too(config: RopeConfig) -> Iterator[Reason]:
    """That layers with a window share the frequencies of those that see everything."""
    if len(config.rotary) == 1 and "window" in {KINDS.get(word) for word in config.layer_types}:
        yield reason(
            "window_too",
            "The layers with a window share the scaling and have nothing to gain from it.",
        )


def dynamic(config: RopeConfig, most: int) -> Iterator[Reason]:
    """Treatment of dynamic scaling by engines, for this family; SGLang takes the base of `most`."""
    found = {
        engine: gap(engine, config, config)
        for engine in ("transformers_5", "mlx", "vllm", "sglang")
    }
    follow = [TRIED[one].name for one in ("transformers_5", "mlx") if found[one] is None]
    follow += ["vLLM"] if config.model_type in IN_TRANSFORMERS else []
    if follow:
        yield reason(
            "dynamic",
            "The base follows the text in {engines}, and keys in the cache keep the base of the "
            "length at which they were made.",
            engines=", ".join(follow),
        )
    if config.model_type in TRIED["lmdeploy"].read:
        yield reason(
            "dynamic",
            "LMDeploy's TurboMind gives each request the base of its prompt's length and keeps it.",
        )
    if found["sglang"] is None:
        yield reason(
            "dynamic",
            "SGLang fixes the base of {most:,} tokens, factor times the declared length, when it "
            "loads the model, and refuses longer texts.",
            most=most,
        )
    without = [one for one, about in found.items() if about is not None and about.does == "ignores"]
    if without:
        yield reason(
            "dynamic",
            "Dynamic scaling does nothing for {model} in {engines}.",
            model=config.model_type,
            engines=", ".join(TRIED[one].release for one in without),
        )


def chunks(config: RopeConfig, target: int) -> Iterator[Reason]:
    """Note that the target exceeds the chunks and relies on Dual Chunk Attention, if it does."""
    dual = config.dual_chunk
    if dual is not None and target > dual.chunk_length + dual.local_window:
        yield reason(
            "chunks",
            "Beyond {length:,} tokens this rests on Dual Chunk Attention, which SGLang has, and "
            "vLLM before {gone}; no other engine here.",
            length=dual.chunk_length + dual.local_window,
            gone=since("dual_chunk_attention_config", "vllm"),
        )
