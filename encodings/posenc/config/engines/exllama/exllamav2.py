"""exllamav2: α and a factor as arguments."""

import math
import shlex

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import changed
from posenc.config.facts import tried
from posenc.scaling.linear import Linear
from posenc.scaling.yarn import YaRN
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--length, --rope_scale and --rope_alpha."""
    length = serving.length_for(config)
    words = [] if length is None else ["--length", str(length)]
    if not config.rotary:
        raise ValueError("exllamav2 has nothing to set: no layer of this model rotates.")
    if any(isinstance(layer.scaling, YaRN) for layer in config.rotary.values()):
        raise ValueError(
            "exllamav2 has --rope_yarn, but places the ramp of YaRN at the length that it is run "
            "with, not at the trained one: the pairs turn as in no other engine."
        )
    if config.is_dynamic:
        raise ValueError("exllamav2 has no dynamic scaling.")
    if not changed(config, before):
        return Written(shlex.join(words))
    if len(config.rotary) != 1 or len(before.rotary) != 1:
        raise ValueError("exllamav2 has flags for all layers at once, and these differ.")
    (layer,), (old,) = config.rotary.values(), before.rotary.values()
    if layer.scaling is not None and not isinstance(layer.scaling, Linear):
        raise ValueError(
            f"exllamav2 has no flag for {layer.rope_type} scaling: it takes it from config.json, "
            "or not at all."
        )
    if old.scaling is not None and not isinstance(old.scaling, Linear):
        raise ValueError(
            f"exllamav2 applies the {old.rope_type} scaling of config.json beside its flags: "
            "change that file."
        )
    factor = getattr(layer.scaling, "factor", 1.0)
    if factor != getattr(old.scaling, "factor", 1.0):
        words += ["--rope_scale", f"{factor:.10g}"]
    if not math.isclose(layer.base, old.base, rel_tol=1e-12):
        # b' = b·α^(d/(d-2))
        power = (layer.rotary_dim - 2) / layer.rotary_dim
        words += ["--rope_alpha", f"{(layer.base / old.base) ** power:.10g}"]
    return Written(shlex.join(words))


EXLLAMAV2 = Engine(
    id="exllamav2",
    title="exllamav2",
    place=say("after python test_inference.py -m MODEL"),
    versions=say(
        "Archived; what was read is its last release. --rope_alpha multiplies the base "
        "of config.json. Llama-3 scaling and LongRoPE are read from config.json alone."
    ),
    sources=say(
        "{release}, exllamav2/model_init.py and rope.py", release=tried()["exllamav2"].dated
    ),
    write=write,
)
