"""TensorRT-LLM: fields of config.json, and an argument."""

from advisor.data import Config
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.text import IN_CONFIG, as_json, own_attention_factor, unread_factor
from advisor.engines.transformers.write import reaching_fragment
from advisor.facts import TRIED
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields with the trained length in them."""
    if len(config.rotary) > 1:
        raise ValueError("TensorRT-LLM reads one object for all layers, and these differ.")
    notes: list[str] = []
    for layer in config.rotary.values():
        scaling = layer.scaling
        if isinstance(scaling, DynamicNTK | Proportional):
            raise ValueError(
                f"TensorRT-LLM has no {layer.rope_type} scaling in its PyTorch backend."
            )
        if layer.mrope_section is not None and scaling is not None:
            raise ValueError(
                "TensorRT-LLM finds the sections of M-RoPE by the type mrope alone: beside "
                f"{layer.rope_type} scaling they are lost. A larger base keeps them."
            )
        factor = own_attention_factor(layer)
        if factor is not None:
            notes.append(unread_factor("TensorRT-LLM", factor))
        if isinstance(scaling, YaRN) and not scaling.truncate:
            notes.append(
                say("TensorRT-LLM does not read truncate: it rounds the bounds of the ramp.")
            )
    length = serving.length_for(config)
    if length is not None:
        notes.append(
            say("Start it with `trtllm-serve MODEL --max_seq_len {length}`.", length=length)
        )
    is_same = not config.rotary and config.reach == before.reach
    fields = {} if is_same else reaching_fragment(config, "old")
    if not fields:
        return Written("", tuple(notes))  # no layer rotates
    if any(layer.mrope_section for layer in config.rotary.values()):
        # modeling_qwen.py looks at `type` first, and by "default" it drops the sections.
        config.text_in(fields)["rope_scaling"]["type"] = "mrope"
    return Written(as_json(fields), tuple(notes))


TENSORRT_LLM = Engine(
    id="tensorrt_llm",
    title="TensorRT-LLM",
    place=IN_CONFIG,
    versions=say(
        "Its PyTorch backend was read in a copy of {date}: that is old, and it was never run. Its "
        "table of angles ends at max_position_embeddings, which is therefore the length to read. "
        "Engines built with trtllm-build keep what was in config.json when they were built.",
        date=TRIED["tensorrt_llm"].date,
    ),
    sources=say(
        "{release}, _torch/attention_backend/interface.py, RopeParams.from_config",
        release=TRIED["tensorrt_llm"].dated,
    ),
    write=write,
    language="json",
)
