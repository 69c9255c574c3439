"""koboldcpp: arguments."""

from posenc.config.data import Config
from posenc.config.engines.engine import Engine, Serving, Written
from posenc.config.engines.flags import flags_of
from posenc.words import say


def write(config: Config, before: Config, serving: Serving) -> Written:
    """--contextsize and --ropeconfig."""
    flags = flags_of(config, before, "koboldcpp")
    size = "" if flags.length is None else f"--contextsize {flags.length} "
    return Written(f"{size}--ropeconfig {1 / flags.factor:.10g} {flags.base:.10g}")


KOBOLDCPP = Engine(
    id="koboldcpp",
    title="koboldcpp",
    place=say("after koboldcpp --model FILE"),
    versions=say(
        "Read in copies from 2023 to 2025. Without --ropeconfig it raises the base by itself when "
        "the context is longer than the model's."
    ),
    sources=say("koboldcpp.py, copies from 2023 to 2025"),
    write=write,
)
