"""Layers without rotation along the text: which encoding they use instead, and its numbers."""

from typing import cast

from advisor.families.family import Axes, Encoding
from advisor.fields import LARGEST_BASE, LARGEST_FACTOR, WIDEST_HEAD, Fields, required
from advisor.layers import AxialLayer, OtherLayer
from posenc.checks import check_int
from posenc.rope.pairs import Layout

LENGTHLESS = ("convolution", "coordinates")
LONGEST_SIDE = 10**6
WIDEST_TOWER = 8192

# Fields by which a file of an unknown family shows that its layers rotate.
TURNING = (
    *("rope_theta", "rope_scaling", "rope_parameters", "rotary_dim", "rope_ratio"),
    *("partial_rotary_factor", "no_rope_layers", "qk_rope_head_dim", "rotary_emb_base"),
)


def encoding_of(text: Fields) -> Encoding:
    """Which encoding the layers use: that of the family unless the file says otherwise."""
    family = required(text.family, "model_type")
    if family.layout == "unknown":
        if any(text.given(name) for name in TURNING):
            return "rope"
        # A file that says nothing at all is asked for its head, as any other.
        return "unknown" if text.word("model_type") else "rope"
    attention = text.section("attn_config")
    if attention is not None and family.encoding == "alibi":
        if attention.flag("rope"):
            return "rope"
        return "learned" if attention.flag("alibi") is False else "alibi"
    if text.flag("alibi"):
        return "alibi"
    for name, value, encoding in family.switches:
        # A null in the file is an answer here: no encoding.
        asked = text.values[name] if name in text.values else text.get(name)
        if asked == value:
            return encoding
    return family.encoding


def read_other(text: Fields, kind: str) -> OtherLayer:
    """Layers with this encoding, one of `Encoding`."""
    encoding = cast(Encoding, kind)
    family = required(text.family, "model_type")
    if encoding == "axial":
        return _axial(text, required(family.axes, "model_type"))
    heads = _heads(text)
    # A convolution and coordinates have no length, whatever else the file declares.
    rows = None if family.encoding == encoding and encoding in LENGTHLESS else _rows(text)
    if encoding == "nope":
        return OtherLayer(encoding, heads, rows, _temperature_numbers(text))
    if encoding == "alibi":
        attention = text.section("attn_config") or text
        largest = attention.number("alibi_bias_max", above=0) or 8.0
        return OtherLayer(encoding, heads, rows, {"alibi_bias_max": largest})
    numbers = {name: text.number(name) for name in family.numbers}
    given = {name: value for name, value in numbers.items() if value is not None}
    return OtherLayer(encoding, heads, rows, given)


def _heads(text: Fields) -> int | None:
    """Heads; None where the file does not say, or each stage has its own."""
    if isinstance(text.get("num_attention_heads"), list):
        return None
    return text.integer("num_attention_heads", 1, WIDEST_HEAD)


def _rows(text: Fields) -> int | None:
    """The length that the file declares: tokens, or patches of an image."""
    family = required(text.family, "model_type")
    if family.grid is not None:
        image, patch = (_sides(text, name) for name in family.grid)
        if image is None or patch is None:
            return None
        return max(image[0] // patch[0], 1) * max(image[1] // patch[1], 1)
    declared = text.integer("max_position_embeddings", 1)
    if declared is None or not family.after_padding:
        return declared
    return max(declared - (text.integer("pad_token_id", 0) or 0) - 1, 1)


def _sides(text: Fields, name: str) -> tuple[int, int] | None:
    """Height and width, given as one number for both or as two; None where there is neither."""
    value = text.get(name)
    if not isinstance(value, list):
        side = text.integer(name, 1, LONGEST_SIDE)
        return None if side is None else (side, side)
    if len(value) != 2:
        return None
    height, width = (check_int(f"{text.label(name)}[{i}]", side, 1) for i, side in enumerate(value))
    return height, width


def _axial(text: Fields, axes: Axes) -> AxialLayer:
    """An image tower that turns by row and column."""
    params = text.section("rope_parameters") or Fields({})
    base = params.number("rope_theta", above=1, maximum=LARGEST_BASE)
    base = base or text.number("rope_theta", above=1, maximum=LARGEST_BASE)
    head_dim = text.integer("head_dim", 2, WIDEST_HEAD)
    heads = text.integer("num_attention_heads", 1, WIDEST_HEAD)
    if head_dim is None:
        width = required(text.integer("hidden_size", 2), text.label("hidden_size"))
        reduction = text.integer("head_reduction", 1) or 1
        head_dim = width // (reduction * required(heads, text.label("num_attention_heads")))
    count = len(axes.names)
    check_int(text.label("head_dim"), head_dim, 2 * count, maximum=WIDEST_TOWER)
    if count == 2 and head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4 for two axes, got {head_dim}.")
    rotary_dim = 2 * count * (head_dim // count // 2)
    base = required(base, text.label("rope_theta"))
    return AxialLayer(
        "axial",
        heads,
        _rows(text),
        {"head_dim": head_dim, "rotary_dim": rotary_dim, "base": base},
        head_dim=head_dim,
        rotary_dim=rotary_dim,
        base=base,
        axes=axes,
        layout=cast(Layout, required(text.family, "model_type").layout),
    )


def _temperature_numbers(text: Fields) -> dict[str, float]:
    if not text.flag("attn_temperature_tuning"):
        return {}
    floor_scale = text.integer("floor_scale", 1)
    attn_scale = text.number("attn_scale", 0, LARGEST_FACTOR)
    return {
        "floor_scale": required(floor_scale, "floor_scale"),
        "attn_scale": required(attn_scale, "attn_scale"),
    }
