"""Encodings of layers that do not rotate, in words."""

from dataclasses import dataclass

from posenc.words import Sentence, say


@dataclass(frozen=True, kw_only=True)
class WithoutRotation:
    """Words for layers that do not rotate.

    Attributes:
        name: Their way, without a full stop.
        further: What becomes of a longer text, in sentences.
        advice: A clause, without a full stop; None where these layers alone decide nothing.
        is_endless: Whether they read any length, so that a file may declare any.
    """

    name: Sentence
    further: Sentence
    advice: Sentence | None = None
    is_endless: bool = False


WITHOUT_ROTATION = {
    "alibi": WithoutRotation(
        name=say("ALiBi: a bias on the scores that falls with the distance"),
        further=say(
            "It has no trained length in its formula. The steeper the slope of a head, the less it "
            "sees of what is far back."
        ),
        advice=say("No scaling applies: ALiBi has no angles, and no trained length in its formula"),
        is_endless=True,
    ),
    "t5": WithoutRotation(
        name=say("T5's buckets: a learned bias for each range of distances"),
        further=say(
            "The last bucket holds every longer distance with one bias, so that a longer text is "
            "no error, and far tokens look equally far away."
        ),
        advice=say("No scaling applies: T5's last bucket holds every longer distance"),
        is_endless=True,
    ),
    "learned": WithoutRotation(
        name=say("A learned table: one vector for each position, added to the embedding"),
        further=say(
            "Beyond its last row there is nothing to add: a longer table has to be made, by "
            "interpolation or further training."
        ),
        advice=say(
            "No method reads further: positions come from a learned table, which ends at its last "
            "row"
        ),
    ),
    "sinusoidal": WithoutRotation(
        name=say("Sines and cosines of the position, added to the embedding"),
        further=say(
            "The formula has a value for every position, but code and checkpoint may hold a table "
            "that ends at the declared length, and the model has read none beyond what it was "
            "trained on."
        ),
        advice=say(
            "No method reads further: the model knows the sines of the positions that it was "
            "trained on"
        ),
    ),
    "shaw": WithoutRotation(
        name=say("Relative keys: a learned vector for each distance, multiplied with the query"),
        further=say(
            "Distances beyond the largest share one vector, or have none: a longer text is no "
            "error, and far tokens look equally far away."
        ),
        advice=say("No scaling applies: distances beyond the largest are equal to these layers"),
        is_endless=True,
    ),
    "relative_keys": WithoutRotation(
        name=say("Relative keys: a learned vector for each distance, multiplied with the query"),
        further=say(
            "Every distance within the declared length has a vector, and none beyond: a longer "
            "text is an error."
        ),
        advice=say(
            "No method reads further: the vectors of the distances end at the declared length"
        ),
    ),
    "transformer_xl": WithoutRotation(
        name=say("Transformer-XL: each query meets a projected sine table of the distance"),
        further=say(
            "Every distance has a value, but the model has learned only those of its training "
            "texts."
        ),
        advice=say("No method reads further: the model knows the distances that it was trained on"),
    ),
    "disentangled": WithoutRotation(
        name=say("DeBERTa: content and learned distances attend to each other, both ways"),
        further=say(
            "Far distances share a bucket, so that a longer text needs no change there; a table of "
            "positions beside it, where the file asks for one, ends at the declared length."
        ),
        advice=say(
            "No scaling applies: far distances share a bucket, and a table of positions, where the "
            "model has one, ends at its last row"
        ),
    ),
    "window_bias": WithoutRotation(
        name=say("A learned bias for each offset of rows and columns within a window of an image"),
        further=say(
            "The window sets the offsets that exist; another window needs the bias interpolated, "
            "and so does another size of image where the window is the whole image."
        ),
        advice=say("No method for longer texts applies: these layers see windows of an image"),
    ),
    "axial": WithoutRotation(
        name=say("Rotation by row and column of an image"),
        further=say(
            "A position is a place in a grid, not a place in a text, so that a larger image is a "
            "matter of the grid. The methods for longer texts do not apply."
        ),
        advice=say(
            "No method for longer texts applies: these layers turn with the rows and columns of an "
            "image"
        ),
    ),
    "convolution": WithoutRotation(
        name=say("Convolutions: each place sees its neighbours in their order"),
        further=say(
            "There is no table and no length limit in them; how far they see is a matter of "
            "kernels and depth."
        ),
        advice=say("No scaling is needed: convolutions have no length"),
        is_endless=True,
    ),
    "linear": WithoutRotation(
        name=say("A state that is carried from token to token; no attention over all of them"),
        further=say(
            "Order is in the recurrence. There is no length limit in the formula; how much of a "
            "long text the state keeps was learned."
        ),
        advice=say("No scaling is needed: these layers carry a state, which has no length"),
        is_endless=True,
    ),
    "coordinates": WithoutRotation(
        name=say("Coordinates of points or boxes, given as inputs and turned into features"),
        further=say("There is no length in them."),
        advice=say("No method for longer texts applies: positions are coordinates"),
    ),
    "nope": WithoutRotation(
        name=say("No positional encoding in these layers"),
        further=say("There is nothing to rescale."),
        advice=say("No scaling is needed: these layers have no positions to stretch"),
        is_endless=True,
    ),
    "none": WithoutRotation(
        name=say("These layers do not mix the tokens of the text"),
        further=say("No position is needed in them."),
        is_endless=True,
    ),
    "unknown": WithoutRotation(
        name=say("How these layers use positions is not known here"),
        further=say("Nothing is computed or exported for them."),
    ),
}
"""By the encoding of `Family`, all but "rope"."""
