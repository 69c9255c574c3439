"""koboldcpp: arguments."""

import shlex
from dataclasses import replace

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed
from posenc.config.engines.gguf.llama_cpp import again, cache_type, no_flags, of_the_file
from posenc.config.engines.gguf.windows import full
from posenc.config.facts import tried
from posenc.config.layers import RopeLayer
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence, say

LONGEST = 262144
"""The largest --contextsize; a larger one ends the program."""


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--contextsize, and --ropeconfig where something changes."""
    if config.is_dynamic:
        raise ValueError("koboldcpp runs llama.cpp, which has no dynamic scaling.")
    length = serving.length_for(config)
    if length is not None and length > LONGEST:
        raise ValueError(f"koboldcpp takes a --contextsize of up to {LONGEST} tokens.")
    words = [] if length is None else ["--contextsize", str(length)]
    kind = cache_type(serving)
    if kind in ("q8_0", "q4_0"):
        words += ["--quantkv", kind]
    notes = of_the_file(config)
    if not changed(config, before):  # --ropeconfig would switch the file's own scaling off
        return Written(shlex.join(words), tuple(notes))
    reason = no_flags(config, before) or _no_ropeconfig(full(config), full(before))
    if reason is not None:
        return Written(shlex.join(words), (again(reason, config), *notes))
    scale = 1 / getattr(full(config).scaling, "factor", 1.0)
    words += ["--ropeconfig", f"{scale:.10g}", f"{full(config).base:.10g}"]
    return Written(shlex.join(words), tuple(notes))


def _no_ropeconfig(layer: RopeLayer, was: RopeLayer) -> Sentence | None:
    """Why a factor and a base are not enough; None where they are.

    The factor works in the way that the file names: of a file with YaRN it becomes YaRN's.
    """
    if layer.scaling is None:
        return None
    if isinstance(was.scaling, YaRN):
        same = (
            isinstance(layer.scaling, YaRN)
            and replace(layer.scaling, factor=was.scaling.factor) == was.scaling
        )
        return (
            None
            if same
            else say("koboldcpp changes the factor of the file's YaRN and nothing else of it.")
        )
    if isinstance(layer.scaling, Linear):
        return None
    return say(
        "koboldcpp has no flag for {kind} scaling: it takes it from the model file.",
        kind=layer.rope_type,
    )


KOBOLDCPP = Engine(
    id="koboldcpp",
    title="koboldcpp",
    place=say("after koboldcpp --model FILE"),
    versions=say(
        "Without --ropeconfig it takes a "
        "scaling from the file, and raises a base of 10,000 or 500,000 by itself when the context "
        "is longer than the file's."
    ),
    sources=say(
        "{release} and copies of 2026, koboldcpp.py and gpttype_adapter.cpp",
        release=tried()["koboldcpp"].dated,
    ),
    write=write,
)
