"""Ollama: a line of its Modelfile."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed
from posenc.config.engines.gguf.llama_cpp import CONVERT
from posenc.scaling.dynamic import DynamicNTK
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """num_ctx; everything else is in the GGUF file."""
    if any(isinstance(layer.scaling, DynamicNTK) for layer in config.rotary.values()):
        raise ValueError(say("Ollama runs llama.cpp, which has no dynamic scaling."))
    text = "" if config.reach is None else f"PARAMETER num_ctx {config.reach}"
    if not changed(config, before):
        return Written(text)
    return Written(
        text,
        (
            say(
                "Ollama has no setting for base or scaling: it takes them from the GGUF file. "
                "{remedy} `ollama create` from safetensors drops YaRN for some models and its "
                "trained length for others.",
                remedy=CONVERT,
            ),
        ),
    )


OLLAMA = Engine(
    id="ollama",
    title="Ollama",
    place=say("in the Modelfile"),
    versions=say(
        "Read in the state of August 2026. A num_ctx above the context length of the GGUF file is "
        "cut down to it, with a line in the server's log alone."
    ),
    sources=say("ollama fb30760 of 2026-08-21: api/types.go, llm/server.go, convert/"),
    write=write,
    language="text",
)
