"""Findings about files of quantised checkpoints."""

from collections.abc import Iterator, Mapping
from typing import Any

from advisor.data import Config
from advisor.findings.finding import Told, judge
from posenc.words import say

BITS = 8


@judge("info")
def cache_quantised(config: Config) -> Iterator[Told]:
    """The checkpoint has scales for keys and values of eight bits."""
    for given in (config.text.values, config.source):
        field = _field(given.get("quantization_config") or given.get("compression_config"))
        if field is not None:
            yield Told(
                (field,),
                say(
                    "The checkpoint brings scales for a key/value cache of {bits} bits ({field}): "
                    "engines that read them keep it so, in half of bfloat16's memory.",
                    bits=BITS,
                    field=field,
                ),
                say("Ask for --cache-type fp8 to have it counted so."),
            )


def _field(given: Any) -> str | None:
    """The field that says so, None where there is none."""
    if not isinstance(given, Mapping):
        return None
    scheme = given.get("kv_cache_scheme")
    if isinstance(scheme, Mapping) and scheme.get("num_bits") == BITS:
        return "kv_cache_scheme"
    word = given.get("kv_cache_quant_algo")
    return "kv_cache_quant_algo" if isinstance(word, str) and "8" in word else None
