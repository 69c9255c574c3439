"""textgen, formerly text-generation-webui: arguments, by its loader."""

import shlex

from advisor.data import Config
from advisor.engines import exllama
from advisor.engines.engine import Engine, Serving, Written
from advisor.engines.flags import changed
from advisor.engines.gguf.llama_cpp import cache_type, in_a_converted_file, rotation
from advisor.facts import TRIED, dated
from posenc.words import say


def write_exllama(config: Config, before: Config, serving: Serving) -> Written:
    """The length; everything else is in config.json."""
    exllama.check_scaling(config)
    words = ["--loader", "ExLlamav3"]
    length = serving.length_for(config)
    if length is not None:
        words += ["--ctx-size", str(length * serving.batch)]
    bits = exllama.cache_bits(serving)
    if bits is not None:
        words += ["--cache-type", f"q{bits}"]
    notes = exllama.longrope_notes(config)
    first = ""
    if changed(config, before):
        first = say("Base and scaling have no argument: change config.json as for exllamav3.")
        notes.insert(0, first)
    return Written(shlex.join(words), tuple(notes), first=first)


def write_llama_cpp(config: Config, before: Config, serving: Serving) -> Written:
    """The length, and what llama-server is told beside it."""
    if config.is_dynamic:
        raise ValueError("This loader runs llama.cpp, which has no dynamic scaling.")
    words = ["--loader", "llama.cpp"]
    length = serving.length_for(config)
    if length is not None:
        words += ["--ctx-size", str(length * serving.batch)]
    if serving.batch > 1:
        words += ["--parallel", str(serving.batch)]
    kind = cache_type(serving)
    if kind in ("q8_0", "q4_0"):
        words += ["--cache-type", kind]
    extra, notes, first = rotation(config, before, length)
    rest = shlex.join(words) if in_a_converted_file(config, before, length) else None
    if extra:
        words += ["--extra-flags", shlex.join(extra)]
    return Written(shlex.join(words), tuple(notes), first=first, rest=rest)


PLACE = say("after python server.py --model MODEL")
VERSIONS = say(
    "From {flags} on there is no --alpha_value, --rope_freq_base or --compress_pos_emb: the "
    "program ends at them. The ExLlamaV2 loader is gone since {loader}.",
    flags=dated("--alpha_value", "webui_exllama"),
    loader=dated("--loader ExLlamav2", "webui_exllama"),
)
SOURCES = say(
    "{release}, modules/shared.py and modules/llama_cpp_server.py",
    release=TRIED["webui_exllama"].dated,
)
WEBUI_EXLLAMA = Engine(
    id="webui_exllama",
    title=say("textgen (text-generation-webui), ExLlamaV3 loader"),
    place=PLACE,
    versions=VERSIONS,
    sources=SOURCES,
    write=write_exllama,
    url="http://localhost:5000",
)
WEBUI_LLAMA_CPP = Engine(
    id="webui_llama_cpp",
    title=say("textgen (text-generation-webui), llama.cpp loader"),
    place=PLACE,
    versions=VERSIONS,
    sources=SOURCES,
    write=write_llama_cpp,
    url="http://localhost:5000",
)
