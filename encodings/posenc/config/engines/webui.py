"""text-generation-webui: arguments, by its loader."""

import shlex

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.exllama.exllamav2 import alpha
from posenc.config.engines.flags import Flags, flags_of
from posenc.words import say


def _shared(flags: Flags) -> list[str]:
    words = ["--max_seq_len", str(flags.length)] if flags.length is not None else []
    return words + (["--compress_pos_emb", f"{flags.factor:.10g}"] if flags.factor != 1 else [])


def write_exllama(config: Config, before: Config, serving: Serving) -> Written:
    """--compress_pos_emb and --alpha_value."""
    flags = flags_of(config, before, "text-generation-webui")
    stretched = alpha(flags)
    more = [] if stretched is None else ["--alpha_value", f"{stretched:.10g}"]
    return Written(shlex.join([*_shared(flags), *more]))


def write_llama_cpp(config: Config, before: Config, serving: Serving) -> Written:
    """--compress_pos_emb and --rope_freq_base, in whole numbers."""
    # α is worked out from 10000 and 128 channels there, whatever the model has.
    flags = flags_of(config, before, "text-generation-webui")
    raised = alpha(flags) is not None
    more = ["--rope_freq_base", str(round(flags.base))] if raised else []
    return Written(shlex.join([*_shared(flags), *more]))


PLACE = say("after python server.py --model MODEL")
VERSIONS = say(
    "Read in the releases of 2023 and 2024; later ones have renamed --max_seq_len and some others, "
    "and say so when they start."
)
SOURCES = say("text-generation-webui, modules/shared.py of 2023 and 2024")
WEBUI_EXLLAMA = Engine(
    id="webui_exllama",
    title=say("text-generation-webui, ExLlama loader"),
    place=PLACE,
    versions=VERSIONS,
    sources=SOURCES,
    write=write_exllama,
)
WEBUI_LLAMA_CPP = Engine(
    id="webui_llama_cpp",
    title=say("text-generation-webui, llama.cpp loader"),
    place=PLACE,
    versions=VERSIONS,
    sources=SOURCES,
    write=write_llama_cpp,
)
