"""Layers without rotation in the studio: why the methods do not apply, and their picture."""

import streamlit as st

from pages.config.other_layers import axes_in_words, other_picture
from posenc.config.layers import AxialLayer, OtherLayer
from posenc.words import say
from ui import screen
from ui.controls.model_config import Model
from ui.words import translate

ELSEWHERE = {
    "alibi": say(
        "These layers do not rotate. They use ALiBi: a bias on the scores that falls with the "
        "distance. It has no trained length in its formula and nothing to rescale; each head sees "
        "as far as its slope lets it. The methods for rotary positions do not apply."
    ),
    "t5": say(
        "These layers do not rotate. They use T5's buckets: a learned bias for each range of "
        "distances. All distances beyond the last bucket share one bias, so that a longer text "
        "needs no change, and far tokens look alike. The methods for rotary positions do not apply."
    ),
    "learned": say(
        "These layers do not rotate. They use a learned table: one vector for each position, added "
        "to the embedding. Beyond its last row there is nothing to add: the table has to be "
        "interpolated and trained again. The methods for rotary positions do not apply."
    ),
    "sinusoidal": say(
        "These layers do not rotate. Sines and cosines of the position are added to the embedding. "
        "The formula has a value for every position, but code and checkpoint may hold a table that "
        "ends at the declared length, and the model has read none beyond what it was trained on. "
        "The methods for rotary positions do not apply."
    ),
    "shaw": say(
        "These layers do not rotate. The attention adds a product of each query with a learned "
        "vector for its distance to the key (Shaw's relative keys). Distances beyond the largest "
        "share one vector, or have none: a longer text needs no change, and far tokens look alike. "
        "The methods for rotary positions do not apply."
    ),
    "transformer_xl": say(
        "These layers do not rotate. The attention adds a product of each query with a projected "
        "sine table of the distance, as in Transformer-XL. Every distance has a value, but the "
        "model has learned only those of its training texts. The methods for rotary positions do "
        "not apply."
    ),
    "disentangled": say(
        "These layers do not rotate. The attention adds products of the content with learned "
        "vectors of the distance, both ways, as in DeBERTa. Far distances share a bucket, so that "
        "a longer text needs no change there; a table of positions beside it, where the file asks "
        "for one, ends at the declared length. The methods for rotary positions do not apply."
    ),
    "window_bias": say(
        "These layers do not rotate. The attention adds a learned bias for each offset of rows and "
        "columns within a window of the image. The window sets the offsets that exist; another "
        "window or image size needs the bias interpolated. The methods for rotary positions do not "
        "apply."
    ),
    "axial": say(
        "These layers turn the patches of an image by row and by column. A position is a place in "
        "a grid, not a place in a text, so that a larger image is a matter of the grid. The "
        "methods for longer texts do not apply."
    ),
    "convolution": say(
        "These layers do not rotate. Position enters through convolutions: each place sees its "
        "neighbours in their order. There is no table and no length limit in it; how far it sees "
        "is a matter of kernels and depth. The methods for rotary positions do not apply."
    ),
    "linear": say(
        "These layers do not attend to all tokens. They carry a state from token to token, so that "
        "order is in the recurrence. There is no length limit in the formula; how much of a long "
        "text the state keeps was learned. The methods for rotary positions do not apply."
    ),
    "coordinates": say(
        "These layers do not rotate. Positions are coordinates of points or boxes, given as inputs "
        "and turned into features. There is no length in it. The methods for rotary positions do "
        "not apply."
    ),
    "none": say(
        "These layers do not mix the tokens of the text, so that no position is needed in them."
    ),
    "unknown": say(
        "How these layers use positions is not known here, so that nothing is computed or exported "
        "for them."
    ),
    "nope": say(
        "These layers do not rotate. They use no positional encoding, so that there is nothing to "
        "rescale. The methods for rotary positions do not apply."
    ),
}
"""Sentences for layers without rotation, by their encoding."""


def show_other(model: Model, layer: OtherLayer, layer_type: str, target: int) -> screen.ScreenView:
    """Layers without rotation: what applies to them."""
    st.markdown(translate(ELSEWHERE[layer.encoding]))
    if isinstance(layer, AxialLayer):
        st.markdown(" ".join(axes_in_words(layer)))
    drawn = other_picture(layer, target)
    if drawn is None:
        return screen.ScreenView(dict, f"{model.code}values = config.layers[{layer_type!r}]\n")
    figure, body = drawn
    if isinstance(layer, AxialLayer):
        body = f"layer = config.layers[{layer_type!r}]\n{body}"
    return screen.draw(screen.Picture(figures=[figure], code=model.code + body))
