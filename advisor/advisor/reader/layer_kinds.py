"""Which layers rotate, and which see a window only."""

from collections.abc import Mapping

from advisor.families.family import MOST_LAYERS, Encoding
from advisor.fields import Fields, kind_of, required
from advisor.reader.other import encoding_of

# Words of `layer_types` for layers that are no attention, older ones among them.
NO_ATTENTION: Mapping[str, Encoding] = {
    "linear_attention": "linear",
    "mamba": "linear",
    "recurrent": "linear",
    "conv": "convolution",
}


def read_rope_layers(text: Fields, types: tuple[str, ...]) -> tuple[bool, ...]:
    """Which layers rotate, one flag per layer; () where the file does not say how many there are.

    In `no_rope_layers` 1 marks a layer that does rotate.
    """
    family = required(text.family, "model_type")
    layers = text.integer("num_hidden_layers", 1, MOST_LAYERS)
    flags = _flags(text)
    if flags:
        return flags
    if layers is None:
        return ()
    if encoding_of(text) != "rope":
        return (False,) * layers
    if not types:
        return (True,) * layers
    still = {*NO_ATTENTION, *family.other_kinds, *_null_kinds(text)}
    null = family.null_turns_all
    if not null or null not in text.values or text.values[null] is not None:
        still |= set(family.nope_kinds)
    return tuple(word not in still for word in types)


def _null_kinds(text: Fields) -> set[str]:
    """Kinds whose entry in rope_parameters is null: these layers do not rotate."""
    params = text.get("rope_parameters")
    by_kind = isinstance(params, dict) and any(isinstance(one, dict) for one in params.values())
    return {kind for kind, one in params.items() if one is None} if by_kind else set()


def _flags(text: Fields) -> tuple[bool, ...]:
    """The flags of `no_rope_layers`, () where the file has none."""
    flags = text.items("no_rope_layers", MOST_LAYERS) or []
    for index, flag in enumerate(flags):
        if flag not in (0, 1):
            raise ValueError(f"no_rope_layers[{index}] must be 0 or 1, got {kind_of(flag)}.")
    return tuple(bool(flag) for flag in flags)


def read_layer_types(text: Fields) -> tuple[str, ...]:
    """The kind of each layer's attention; () where all are of one kind."""
    given = text.items("layer_types", MOST_LAYERS) or []
    words = Fields({f"layer_types[{index}]": word for index, word in enumerate(given)})
    return tuple(required(words.word(name), name) for name in words.values)


def layer_keys(
    text: Fields, types: tuple[str, ...], rotates: tuple[bool, ...], rotary: tuple[str, ...]
) -> tuple[str, ...]:
    """For each layer, its key: its kind, "rope" or "all", or what it is instead.

    Args:
        text: The file.
        types: Kinds of attention.
        rotates: Which layers rotate.
        rotary: The kinds that rotate, ("all",) where they agree.
    """
    if encoding_of(text) != "rope" or rotary == ():
        return ("all",) * len(rotates)
    family = required(text.family, "model_type")
    others = {**NO_ATTENTION, **family.other_kinds}
    turning = "all" if all(rotates) else "rope"
    keys = []
    for index, turns in enumerate(rotates):
        word = types[index] if index < len(types) else ""
        if turns:
            word = family.rope_keys.get(word, word)
            keys.append(word if word in rotary else turning)
        else:
            keys.append(others.get(word, "nope"))
    return tuple(keys)
