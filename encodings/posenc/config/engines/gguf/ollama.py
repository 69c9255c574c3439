"""Ollama: a line of its Modelfile."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed
from posenc.config.engines.gguf.llama_cpp import again, cache_type, of_the_file
from posenc.config.engines.gguf.model_file import capped
from posenc.config.facts import tried
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """num_ctx; everything else is in the GGUF file."""
    if config.is_dynamic:
        raise ValueError("Ollama runs llama.cpp, which has no dynamic scaling.")
    length = serving.length_for(config)
    text = "" if length is None else f"PARAMETER num_ctx {length}"
    notes: list[str] = []
    if changed(config, before):
        reason = say("Ollama has no setting for base or scaling: it takes them from the GGUF file.")
        notes.append(
            say(
                "{again} `ollama create` from safetensors drops YaRN for some models and its "
                "trained length for others.",
                again=again(reason, config),
            )
        )
    elif capped(before, length):
        reason = say(
            "Ollama cuts num_ctx down to the context_length of the GGUF file, and says so only in "
            "the server's log."
        )
        notes.append(again(reason, config))
    notes += of_the_file(config)
    kind = cache_type(serving)
    if kind is not None:
        notes.append(say("Start the server with OLLAMA_KV_CACHE_TYPE={kind}.", kind=kind))
    if serving.batch > 1:
        notes.append(say("Start the server with OLLAMA_NUM_PARALLEL={count}.", count=serving.batch))
    return Written(text, tuple(notes))


OLLAMA = Engine(
    id="ollama",
    title="Ollama",
    place=say("in the Modelfile"),
    versions=say(
        "It runs llama-server of b10488. A num_ctx above the "
        "context length of the GGUF file is cut down to it, with a line in the server's log alone."
    ),
    sources=say(
        "{release}: api/types.go, llm/server.go, convert/", release=tried()["ollama"].dated
    ),
    write=write,
    language="text",
)
