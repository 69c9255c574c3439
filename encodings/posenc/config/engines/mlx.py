"""MLX, the package mlx-lm: fields of config.json."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.text import as_json
from posenc.config.engines.transformers.write import reaching_fragment
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say

NEW_FIELDS = ("ministral3", "mistral4", "gemma4")  # model types of which it reads rope_parameters


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The older fields with the trained length in them: without it 4096 is taken."""
    notes: list[str] = []
    for layer in config.rotary.values():
        scaling = layer.scaling
        if isinstance(scaling, DynamicNTK):
            raise ValueError(say("mlx-lm has no dynamic scaling: it refuses to load the file."))
        if isinstance(scaling, LongRoPE):
            notes.append(
                say(
                    "mlx-lm takes LongRoPE's long list for texts of every length, and its factor "
                    "from the two lengths."
                )
            )
        if isinstance(scaling, YaRN) and not scaling.truncate:
            notes.append(say("mlx-lm does not read truncate: it rounds the bounds of YaRN's ramp."))
    reads_new = (config.model_type or "").removesuffix("_text") in NEW_FIELDS
    fields = reaching_fragment(config, "new" if reads_new else "old")
    return Written(as_json(fields), tuple(notes))


MLX = Engine(
    id="mlx",
    title="MLX (mlx-lm)",
    place=say("in config.json, in place of rope_theta, rope_scaling and rope_parameters"),
    versions=say(
        "Read in 0.32.0 (August 2026), where most models read rope_theta and rope_scaling alone: "
        "a file with rope_parameters only has the class's own base there, without a word, or does "
        "not load. There is no argument for the length. Releases before mid-2026 do not read "
        "attention_factor."
    ),
    sources=say("mlx-lm 0.32.0 of 2026-08-22, mlx_lm/models/rope_utils.py and the models"),
    write=write,
    language="json",
)
