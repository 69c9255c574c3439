"""TGI (text-generation-inference), in its last state: fields of config.json, and arguments."""

from collections.abc import Iterator

from advisor.comparing.layer import RopeLayer
from advisor.data import Config
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.text import IN_CONFIG, as_json, own_attention_factor, unread_factor
from advisor.engines.transformers.write import reaching_fragment
from advisor.facts import TRIED, dated
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields with the trained length in them, which YaRN needs."""
    if len(config.rotary) > 1 and config.model_type != "gemma3_text":
        raise ValueError("TGI reads one object for all layers, and these differ.")
    notes = [note for layer in config.rotary.values() for note in _notes(layer)]
    length = serving.length_for(config)
    if length is not None:
        cache = " --kv-cache-dtype fp8_e4m3fn" if serving.cache_kind == "fp8" else ""
        notes.append(
            say(
                "Start it with `text-generation-launcher --model-id MODEL --max-input-tokens "
                "{most} --max-total-tokens {length}{cache}`.",
                most=length - 1,
                length=length,
                cache=cache,
            )
        )
    is_same = not config.rotary and config.reach == before.reach
    fields = {} if is_same else reaching_fragment(config, "old")
    for layer in config.rotary.values():
        if layer.mrope_section is not None and layer.scaling is not None:
            raise ValueError(
                "TGI finds the sections of M-RoPE by the type mrope alone: beside "
                f"{layer.rope_type} scaling they are lost. A larger base keeps them."
            )
        if layer.mrope_section is not None:
            mrope = {"type": "mrope", "mrope_section": list(layer.mrope_section)}
            config.text_in(fields)["rope_scaling"] = mrope
    return Written(as_json(fields), tuple(notes))


def _notes(layer: RopeLayer) -> Iterator[Sentence]:
    scaling = layer.scaling
    if not isinstance(scaling, YaRN):
        return
    if (scaling.beta_fast, scaling.beta_slow) != (32, 1):
        yield say("TGI does not read beta_fast and beta_slow: it takes 32 and 1.")
    if not scaling.truncate:
        yield say("TGI does not read truncate: it rounds the bounds of the ramp.")
    factor = own_attention_factor(layer)
    if factor is not None:
        yield unread_factor("TGI", factor)


TGI = Engine(
    id="tgi",
    title=say("TGI (text-generation-inference)"),
    place=IN_CONFIG,
    versions=say(
        "In maintenance mode since {kept}; its authors recommend vLLM and SGLang. It reads linear "
        "scaling and applies none, in the file and behind --rope-scaling alike.",
        kept=dated("new models", "tgi"),
    ),
    sources=say(
        "{release}, server/text_generation_server/layers/rotary.py and launcher/src/main.rs",
        release=TRIED["tgi"].dated,
    ),
    write=write,
    language="json",
    url="http://localhost:3000",
    look=say("`/info` of its server names `max_total_tokens`."),
)
