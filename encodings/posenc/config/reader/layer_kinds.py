"""Which layers rotate, and which see a window only."""

from posenc.config.fields import MOST_LAYERS, Fields, kind_of, required
from posenc.config.reader.other import encoding_of
from posenc.temperature.formula import rope_layers
from posenc.words import say


def read_rope_layers(text: Fields) -> tuple[bool, ...]:
    """Which layers rotate, one flag per layer; () where the file does not say how many there are.

    In `no_rope_layers` 1 marks a layer that does rotate.
    """
    family = required(text.family, "model_type")
    flags = text.items("no_rope_layers", MOST_LAYERS)
    layers = text.integer("num_hidden_layers", 1, MOST_LAYERS)
    if flags:
        for index, flag in enumerate(flags):
            if flag not in (0, 1):
                raise ValueError(
                    say(
                        "no_rope_layers[{index}] must be 0 or 1, got {value}.",
                        index=index,
                        value=kind_of(flag),
                    )
                )
        return tuple(bool(flag) for flag in flags)
    if layers is None:
        return ()
    interval = text.integer("no_rope_layer_interval", 1) or family.nope_interval
    if not interval:
        return (encoding_of(text) == "rope",) * layers
    return tuple(rope_layers(layers, interval))


def read_layer_types(text: Fields) -> tuple[str, ...]:
    """The kind of each layer's attention; () where all are of one kind."""
    given = text.items("layer_types", MOST_LAYERS)
    if given is not None:
        words = Fields({f"layer_types[{index}]": word for index, word in enumerate(given)})
        return tuple(required(words.word(name), name) for name in words.values)
    family = required(text.family, "model_type")
    layers = text.integer("num_hidden_layers", 1, MOST_LAYERS)
    if not family.window_pattern or layers is None:
        return ()
    every = text.integer("sliding_window_pattern", 1, MOST_LAYERS) or family.window_pattern
    return tuple(
        "full_attention" if layer % every == 0 else "sliding_attention"
        for layer in range(1, layers + 1)
    )
