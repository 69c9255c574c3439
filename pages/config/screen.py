"""Scaling studio: what a model's config.json does to positions, and how to read further."""

from collections.abc import Callable

import streamlit as st

from pages.config import controls as asking
from pages.config.comparison import POINTS, Studio
from pages.config.decided import (
    Memory,
    choose_method,
    decision_of,
    show_decision,
    with_choice,
)
from pages.config.files import show_files
from pages.config.other_layers import axes_in_words, other_picture
from pages.config.pairs import angles, wavelengths
from pages.config.prices import ledger, short_prompts
from pages.config.scores import resolution, scores
from posenc.config.choosing.lengths import trained_lengths
from posenc.config.decision import Decision, decided_for
from posenc.config.engines.engine import Serving
from posenc.config.families.all import UNKNOWN
from posenc.config.layers import AxialLayer, OtherLayer, RopeLayer
from posenc.reading.outcome import compare
from posenc.words import say
from ui import controls, screen
from ui.charts import stage
from ui.controls import address
from ui.controls.advice import engine_now, show_findings, show_settings
from ui.controls.model_config import (
    OWN,
    Model,
    ask_for_model,
    choose_model,
    go_back,
    paste,
    plain,
    read_as,
    read_model,
)
from ui.links.models import from_config
from ui.screen.budget import seat
from ui.words import _, translate

WIDEST = 4096  # pairs that a curve can show
DRAW: dict[str, Callable[[Studio], screen.Picture]] = {
    "wavelengths": wavelengths,
    "angles": angles,
    "resolution": resolution,
    "scores": scores,
    "short_prompts": short_prompts,
    "ledger": ledger,
}
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


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """The decision for the typed target with its settings, then the curves that it rests on."""
    is_answered = stage.mode() or ask_for_model()
    left, right = screen.columns()
    shown = curves = problem = None
    model = None
    layer_type = ""
    layer = None
    target = 0
    with left:
        controls.presets(asking.PRESETS)
        name = choose_model()
        typed = paste() if name == OWN else ""
        length = asking.choose_target()
        if name != OWN or typed.strip():
            try:
                model = read_model(name, typed)
                if model.config.family is UNKNOWN and (family := asking.choose_family()):
                    model = read_as(model, family)
                layer_type = asking.choose_layer_type(model.config)
                layer = model.config.layers[layer_type]
                target = asking.target_of(layer, length)
            except ValueError as error:
                problem = error
        rotates = not isinstance(layer, OtherLayer)  # so it is believed until a file says otherwise
        method = choose_method() if rotates else ""
        memory = controls.read(Memory)
        if rotates:
            curves = asking.choose_curves()
        if model is not None:
            st.caption(_("Values: {source}", source=plain(translate(model.source))))
    if not is_answered:
        with right:
            go_back(name)
        return None
    with right:
        decision = advice = None
        try:
            if problem is not None:
                raise problem
            if model is None:
                st.info(_("Paste or drop a file above to see what it does."))
            else:
                decision = decision_of(model.config, length, method, memory)
                decision = decided_for(decision, model.config, engine_now())
        except ValueError as error:
            st.error(plain(translate(error)))
        if model is not None and decision is not None:
            st.caption(_("**2 · The advice**"))
            show_decision(model.config, decision, memory, engine_now())
            if isinstance(layer, RopeLayer) and decision.choice.lengths is not None:
                from_config(layer, decision.choice.lengths.before, decision.target)
            advice = st.container(key="advice" if decision.choice.config is not None else None)
        try:
            if model is None or layer is None:
                pass
            elif isinstance(layer, OtherLayer):
                shown = show_other(model, layer, layer_type, target)
            elif curves is not None and decision is not None:
                shown = show_curves(model, layer_type, layer, target, curves, decision)
        except ValueError as error:
            st.error(plain(translate(error)))
    # Behind the curves: a browser that is new here reads much for a table and a field of code.
    if model is not None and decision is not None and advice is not None:
        with advice:
            serving = Serving(memory.cache_kind, memory.batch, decision.target or None)
            show_advice(model, decision, serving)
    return shown


def show_advice(model: Model, decision: Decision, serving: Serving) -> None:
    """Settings and files of what was decided, and what is worth knowing of the model's file."""
    if decision.choice.config is not None:
        st.caption(_("**3 · Start and check**"))
        show_settings(decision.choice.config, model, serving)
    with screen.guard():
        show_files(model, decision)
    show_findings(model.config)


def show_curves(
    model: Model,
    layer_type: str,
    layer: RopeLayer,
    target: int,
    curves: asking.Curves,
    decision: Decision,
) -> screen.ScreenView:
    """The curves that the decision rests on, beside other methods."""
    st.header(_("What it rests on"), anchor=False)
    view = controls.picture(asking.PICTURES)
    names = asking.choose_methods()
    lengths = trained_lengths(model.config, layer_type)
    task = curves.task(model, layer, target, lengths)
    check_width(layer)
    with seat(memory_needed(layer)):
        outcomes, refused = compare(names, task)
        outcomes = with_choice(outcomes, task, decision.choice, layer_type)
        studio = Studio(model, layer_type, task, outcomes, refused, curves.vectors)
        return screen.draw(DRAW[view](studio))


def memory_needed(layer: RopeLayer) -> int:
    """Bytes at the peak: four tables of float64, of places by pairs, while a curve is computed."""
    return 4 * 8 * POINTS * (layer.rotary_dim // 2)


def check_width(layer: RopeLayer) -> None:
    """Refuse a head with more pairs than a curve can show."""
    if layer.rotary_dim > 2 * WIDEST:
        raise ValueError(
            say(
                "head_dim must leave 1 to {most} numbers per curve, one for each pair; got "
                "{pairs}.",
                most=WIDEST,
                pairs=layer.rotary_dim // 2,
            )
        )


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


# As short as what people type into a thread: ?model=qwen3-8b&target=131072&engine=vllm.
address.move("target", "target_length", lambda _typed: True)
screen.show("config", draw)
