"""Live attention: every stage of a score on typed text, in trained and in random models."""

from typing import Any

import pandas as pd
import streamlit as st
import torch

from pages.live_attention import pictures as live_pictures
from pages.live_attention.code import snippet
from pages.live_attention.pictures import Seen
from posenc import CATALOGUE
from posenc.attention.picture import AttentionStage
from ui import controls, screen
from ui.charts.matrix import Shown, matrix
from ui.controls import device
from ui.screen.budget import readable_bytes
from ui.text import controls as live_controls
from ui.text import live
from ui.text import models as models
from ui.text.models import EMPTY, MASKS, MODELS, RANDOM, TRAINED, Asked
from ui.text.tokens import byte_tokens

SENTENCE = "The animal did not cross the street because the animal was too tired."
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
START: dict[str, Any] = {
    "text": PROGRAM,
    "model": TRAINED,
    "encoding": "rope",
    "stage": "weights",
    "mask": "causal",
    "layer": 0,
    "head": 0,
}
AGAIN = " ".join(["again"] * 10)
PRESETS = {
    "Python code": START,
    "Random projections": START | {"text": SENTENCE, "model": RANDOM, "tokens": "words"},
    "One word": START | {"text": AGAIN, "model": EMPTY, "tokens": "words"},
    "2500 bytes": START | {"text": PROGRAM * 31, "stage": "surplus"},
}
MAX_CHARS = 20_000
SLOW = 1000  # tokens from which on a bar shows how far the computation is


def main() -> None:
    """Read the controls, run the attention, place the pictures."""
    lesson = screen.header("live_attention")
    left, right = screen.columns()
    live_pictures.open_clicked()
    with left:
        controls.presets(PRESETS)
        asked, stage, layer, head = read_controls()
    view = None
    with right, screen.guard():
        attention = models.layers_of(asked)[layer]
        found = survey(asked, stage)
        shown = show_stage(asked, attention, found, stage, layer, head)
        seen = Seen(asked, found, stage, layer, head, shown.cell)
        row = live_pictures.show_row(seen, attention)
        live_pictures.show_heads(seen)
        live_pictures.show_measures(seen)
        view = screen.ScreenView(
            lambda: frames(asked, found, shown, row), snippet(asked, stage, layer, head, shown)
        )
    screen.notice(lesson)
    screen.tabs(lesson, view)


def read_controls() -> tuple[Asked, str, int, int]:
    """What is asked, and the stage, layer and head of the large picture."""
    text = controls.text(
        "text",
        "Text",
        PROGRAM,
        max_chars=MAX_CHARS,
        help="What the attention reads; trained models read bytes. Equal tokens have equal "
        "embeddings.",
    )
    model = controls.choice(
        "model",
        "Model",
        list(MODELS),
        TRAINED,
        help="Trained on Python code, random numbers, or no content at all.",
    )
    encoding = live_controls.encoding(START["encoding"])
    stage = controls.choice(
        "stage",
        "Stage",
        list(live.STAGES),
        "weights",
        help="Which step of the formula the pictures show, from the content score to the weights.",
    )
    layer_place, head_place = st.columns(2)
    mask = controls.choice(
        "mask",
        "Mask",
        list(MASKS),
        "causal",
        help="Who may attend to whom. A document ends at a full stop or a line break.",
    )
    with st.expander("More"):
        reach = controls.number(
            "reach", "Window or prefix", 16, 1, models.LONGEST,
            help="Tokens of the sliding window or of the prefix; 4096 in Mistral-7B.",
        )  # fmt: skip
        offset = controls.number(
            "offset", "Offset of the positions", 0, 0, 1_000_000,
            help="Added to every position id. Who is invariant to it shows the same picture.",
        )  # fmt: skip
        cut = live_controls.tokenizer()
        num_heads = controls.number(
            "num_heads", "Heads", 4, 1, 16, help="num_heads of random models; trained ones have 4."
        )
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        place = device.picker()
    if model == TRAINED:
        cut, num_heads = byte_tokens, 4
    with layer_place:
        layer = controls.number(
            "layer", "Layer", 0, 0, 1, help="Of a trained model; a random one has layer 0 alone."
        )
    with head_place:
        head = controls.number(
            "head", "Head h", 0, 0, num_heads - 1, help="The head in the large picture, from 0."
        )
    if model != TRAINED:
        layer = 0
    asked = Asked(model, cut(text), encoding, mask, reach, offset, num_heads, head_dim, seed, place)
    return asked, stage, layer, head


def survey(asked: Asked, stage: str) -> models.Surveyed:
    """All heads at a glance, with a bar where that takes long."""
    place = st.empty()

    def told(part: float) -> None:
        if asked.length > SLOW:
            place.progress(part, f"Computing the attention of {asked.length:,} tokens")

    found = models.surveyed(asked, stage, told)
    place.empty()
    return found


def show_stage(
    asked: Asked,
    attention: models.AttentionRows,
    found: models.Surveyed,
    stage: str,
    layer: int,
    head: int,
) -> Shown:
    """The large picture: one stage of one head, and the stages of the chosen cell."""
    entry = CATALOGUE[asked.encoding]
    st.caption(MODELS[asked.model])
    if entry.causal_only and asked.mask in ("none", "prefix"):
        st.caption(f"{entry.title} is defined under a causal mask; here it reads the future.")
    shown = matrix(
        quantity(asked, attention, stage, head),
        key="stage_matrix",
        title=f"{live.STAGES[stage].capitalize()} of head {head}"
        f"{live_pictures.of_layer(asked, layer)}, {entry.title}",
        alt=f"Heatmap of the {live.STAGES[stage]} of head {head}: a row for each query, a column "
        "for each key",
        default_cell=default_cell(asked, attention, head),
        clicks=live_pictures.CLICKS,
    )
    row, col = (torch.tensor([at]) for at in shown.cell)
    at = {
        name: float(AttentionStage(attention, name, head, name).at(row, col)[0, 0])
        for name in ("content", "position", "logits", "weights")
    }
    screen.readouts(
        {
            "content score": readable(at["content"]),
            "+ position part": readable(at["position"]),
            "= logit": readable(at["logits"]),
            "attention": readable(at["weights"]),
        },
        help={"+ position part": "Everything that the encoding adds to this score, in any place."},
    )
    st.caption(
        f"{asked.length:,} tokens, {len(found.layers)} × {attention.heads} heads in "
        f"{found.milliseconds:,.0f} ms on {asked.device.type} in "
        f"{str(attention.q.dtype).removeprefix('torch.')}, {attention.strip:,} rows at a time: at "
        f"most {readable_bytes(found.strip_bytes)}."
    )
    return shown


def default_cell(asked: Asked, attention: models.AttentionRows, head: int) -> tuple[int, int]:
    """A query late in the text; in a trained model with the key that it looks at most."""
    row, col = live.default_cell(asked.length)
    if asked.model == TRAINED:
        col = int(attention.trace(torch.tensor([row])).weights[0, head, 0].argmax())
    return row, col


def quantity(
    asked: Asked, attention: models.AttentionRows, stage: str, head: int
) -> AttentionStage:
    """A stage of a head, with the tokens on both axes while they are few."""
    few = asked.length <= live.LABELLED_TOKENS
    labels = live.token_labels(asked.tokens) if few else None
    return AttentionStage(
        attention, stage, head, live.STAGES[stage], live.UNITS.get(stage, ""), labels
    )


def readable(value: float) -> str:
    """A number in four digits; what the mask hides has none."""
    return "masked" if value != value else f"{value:.4g}"


def frames(asked: Asked, found: models.Surveyed, shown: Shown, row: torch.Tensor) -> screen.Frames:
    """What the figures show, as tables."""
    heads = {
        name: torch.cat([getattr(one, name).mean(-1) for one in found.layers]).numpy()
        for name in ("entropy", "distance")
    }
    return {
        "stage": screen.view_frame(shown.view),
        "row": pd.DataFrame({"token": asked.tokens.texts, "attention": row.numpy()}),
        "heads": pd.DataFrame(heads),
    }


main()
