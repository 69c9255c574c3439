"""Findings about models that do not rotate along a text, and about files with several networks."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.findings.finding import Told, judge
from posenc.words import say


@judge("warning")
def positions_unknown(config: Config) -> Iterator[Told]:
    """Warning that the file does not tell how the model uses positions."""
    if not any(layer.encoding == "unknown" for layer in config.layers.values()):
        return
    reason = config.family.reason
    if not reason:
        return
    yield Told(
        ("model_type",),
        say("How this model uses positions is not known here. {reason}", reason=reason),
        say("Look into the model's own code before you change its length."),
    )


@judge("info")
def part_read(config: Config) -> Iterator[Told]:
    """The file holds several networks, and one of them is shown."""
    if not config.path or config.path[-1] == "text_config":
        return
    part = ".".join(config.path)
    yield Told(
        (part,),
        say(
            "The file describes several networks. What is shown is {part}, of type {kind}.",
            part=part,
            kind=config.model_type,
        ),
    )


@judge("warning")
def relative_keys_ignored(config: Config) -> Iterator[Told]:
    """BERT with relative keys, which transformers 5 no longer has."""
    word = config.text.get("position_embedding_type")
    if word not in ("relative_key", "relative_key_query"):
        return
    yield Told(
        (config.text.label("position_embedding_type"),),
        say(
            "The file asks for {word}. transformers 4 multiplies queries with a learned vector for "
            "each distance; transformers 5 ignores the field and adds a table of positions "
            "instead, which this model was not trained with.",
            word=word,
        ),
        say("Read the model with transformers 4."),
    )
