"""exllamav2, and text-generation-webui with its loader: α and a factor as arguments."""

import math
import shlex

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import Flags, flags_of
from posenc.words import say


def alpha(flags: Flags) -> float | None:
    """α of NTK-aware scaling, b' = b·α^(d/(d-2)); None where the base is the trained one."""
    if math.isclose(flags.base, flags.trained_base, rel_tol=1e-12):
        return None
    power = (flags.rotary_dim - 2) / flags.rotary_dim
    return float((flags.base / flags.trained_base) ** power)


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--length, --rope_scale and --rope_alpha."""
    flags = flags_of(config, before, "exllamav2")
    words = ["--length", str(flags.length)] if flags.length is not None else []
    if flags.factor != 1:
        words += ["--rope_scale", f"{flags.factor:.10g}"]
    stretched = alpha(flags)
    if stretched is not None:
        words += ["--rope_alpha", f"{stretched:.10g}"]
    return Written(shlex.join(words))


EXLLAMAV2 = Engine(
    id="exllamav2",
    title="exllamav2",
    place=say("after python test_inference.py -m MODEL"),
    versions=say(
        "Read up to 0.3.2 (July 2025), its last release. --rope_alpha multiplies the base of "
        "config.json. YaRN and Llama-3 scaling are read from config.json alone."
    ),
    sources=say("exllamav2 0.3.2 of 2025-07, exllamav2/model_init.py"),
    write=write,
)
