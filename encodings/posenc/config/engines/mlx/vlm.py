"""MLX, the package mlx-vlm for models that see images: fields of config.json."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.mlx import lm
from posenc.config.facts import tried
from posenc.scaling.longrope import LongRoPE
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """The fields that mlx-lm reads: its models of text are the same."""
    if any(isinstance(layer.scaling, LongRoPE) for layer in config.rotary.values()):
        raise ValueError("Which of its classes read LongRoPE's lists was not looked at.")
    return lm.written(config, before, serving, "mlx-vlm")


MLX_VLM = Engine(
    id="mlx_vlm",
    title="mlx-vlm",
    place=lm.MLX.place,
    versions=say(
        "Its Qwen-VL classes take no scaling: a file with one does not load, or runs without it. "
        "There is no argument for the length."
    ),
    sources=say(
        "{release}, mlx_vlm/models/rope_utils.py and the config.py of the models",
        release=tried()["mlx_vlm"].dated,
    ),
    write=write,
    language="json",
)
