"""One family of models, with all that is known about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from posenc.rope.pairs import Layout

Encoding = Literal[
    "rope",
    "axial",
    "learned",
    "sinusoidal",
    "t5",
    "alibi",
    "shaw",
    "relative_keys",
    "transformer_xl",
    "disentangled",
    "window_bias",
    "convolution",
    "linear",
    "coordinates",
    "nope",
    "none",
    "unknown",
]
"""How positions enter: by its name in `CATALOGUE`, or "axial" (rotation by row and column),
"relative_keys" (Shaw's, with a vector for every distance of the declared length), "disentangled"
(DeBERTa), "window_bias" (a bias by offset in a window of an image), "convolution", "linear" (a
state that is carried on), "coordinates" (among the inputs), "none" (no tokens of the text are
mixed), "unknown"."""


Switches = tuple[tuple[str, bool | str, Encoding], ...]
"""Field, value, and the encoding that a file asks for with it."""


@dataclass(frozen=True)
class Axes:
    """Which pairs of an image tower turn by which axis.

    Args:
        names: The axes in the order in which the pairs take them: "row", "column", "time".
        take_turns: Pair by pair in turn; False where all pairs of one axis come before the next.
        one_series: The axes share one series of frequencies, each taking every other one; False
            where each axis has a whole series.
        own_halves: In half layout, the two halves are those of each axis's channels; False where
            they are those of the head.
        relative: A position is 2π times the patch's place from -1 to 1 (DINOv3); False where it
            is counted in patches.
    """

    names: tuple[str, ...] = ("row", "column")
    take_turns: bool = False
    one_series: bool = False
    own_halves: bool = False
    relative: bool = False


MOST_LAYERS = 10000
"""Layers that are told apart; a file with more is read without their kinds."""


@dataclass(frozen=True)
class Family:
    """One `model_type`.

    Args:
        layout: Which channels form a pair, "interleaved" or "half"; "unknown" where nobody said.
        encoding: How positions enter.
        defaults: Fields that the class in transformers 5.23 fills in.
        names: The family's own names of fields, by the common name.
        aliases: Further names, of older files, by the common name.
        by_table: The class in transformers turns by a table of base 10000, whatever the file says.
        unread: Fields by the common name that the class in transformers 5.23 does not look at.
        normal: Rewrites the fields of a file that says things in ways of its own; hostile values
            are passed on.
        local_base: The older field with the base of layers with a window, where these have another
            than those that see everything; files of releases 4 have one object beside it.
        nope_kinds: Kinds of layers that do not rotate, as `layer_types` calls them.
        other_kinds: Kinds that are no attention or attend without rotation, and what they are.
        null_turns_all: Field that, where it is null, lets the layers of `nope_kinds` rotate too.
        turned_share: rope_parameters has the share of a whole head that turns, where the head has
            a part of its own for that.
        named_kinds: rope_parameters has an object for each kind of layers, even where all agree.
        rope_keys: The name in rope_parameters of a kind that is called otherwise there.
        head_dims: The field with the width of a head, by kind, where kinds differ.
        softmax_scale: Field with the scale of the scores, or the scale itself.
        softmax_root: Whether that field holds s for a scale of 1/sqrt(s).
        fixed_alpha: `alpha` beside the type "dynamic" is one larger base at every length.
        sections: The class's own pairs for time, height and width, where a file names none.
        take_turns: Whether these pairs take turns instead of following one another.
        has_mscales: LongRoPE's factor on cos and sin stands in short_mscale and long_mscale.
        multiplies_softmax: The attention multiplies its scale by mscale_all_dim's part of YaRN.
        names_base: Its files say the base; False where the class alone knows it.
        has_null_head_dim: The class in transformers 5.23 leaves head_dim null.
        part: The object of the file that describes what is read; None for "text_config".
        numbers: Numbers of an encoding without rotation that are read, by their common names.
        axes: How the pairs share the axes of an image, where the encoding is "axial".
        grid: The fields with the side of an image and of a patch, where positions are patches.
        after_padding: Positions are counted from pad_token_id + 1 (RoBERTa).
        switches: Where a file may ask for another encoding; the first that fits holds.
        reason: Why the encoding is "unknown".
    """

    layout: Layout | Literal["unknown"] = "half"
    encoding: Encoding = "rope"
    defaults: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_table: bool = False
    unread: tuple[str, ...] = ()
    normal: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    local_base: str = ""
    nope_kinds: tuple[str, ...] = ()
    other_kinds: Mapping[str, Encoding] = field(default_factory=dict)
    null_turns_all: str = ""
    turned_share: bool = False
    named_kinds: bool = False
    rope_keys: Mapping[str, str] = field(default_factory=dict)
    head_dims: Mapping[str, str] = field(default_factory=dict)
    softmax_scale: str | float = ""
    softmax_root: bool = False
    fixed_alpha: bool = False
    sections: tuple[int, ...] = ()
    take_turns: bool = False
    has_mscales: bool = False
    multiplies_softmax: bool = False
    names_base: bool = True
    has_null_head_dim: bool = False
    part: str | None = None
    numbers: tuple[str, ...] = ()
    axes: Axes | None = None
    grid: tuple[str, str] | None = None
    after_padding: bool = False
    switches: Switches = ()
    reason: str = ""

    @property
    def has_patches(self) -> bool:
        """Whether positions are patches of an image: no engine is told a length."""
        return self.grid is not None or self.axes is not None


def shape(hidden: int, heads: int, layers: int, length: int, **more: Any) -> dict[str, Any]:
    """Class defaults that nearly every family has; the base is 10000 unless `more` says another."""
    return {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "max_position_embeddings": length,
        "rope_theta": 10000.0,
        **more,
    }


def called(
    hidden: str = "", heads: str = "", layers: str = "", length: str = "", **more: str
) -> dict[str, str]:
    """A family's own names of the four fields of `shape`, and of others by their common names."""
    four = {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "max_position_embeddings": length,
    }
    return {**{common: own for common, own in four.items() if own}, **more}


def layer_count(values: Mapping[str, Any], default: int) -> int | None:
    """The file's number of layers, or the class's; None where that is no number to count to."""
    layers = values.get("num_hidden_layers", default)
    return layers if isinstance(layers, int) and 0 < layers <= MOST_LAYERS else None


DECODER = called(heads="decoder_attention_heads", layers="decoder_layers")
"""Encoder-decoders as BART has them: what writes text is the decoder."""


def families(words: str, encoding: Encoding, **more: Any) -> dict[str, Family]:
    """The model types of a list in words, which have all but their name in common."""
    return dict.fromkeys(words.split(), Family(encoding=encoding, **more))
