"""The small models: trained ones, one for each encoding, random projections, or no content."""

import pandas as pd
import streamlit as st
import torch

from pages.live_attention import pictures as live_pictures
from pages.live_attention.code import snippet
from pages.live_attention.head_notebook import offer_notebook
from pages.live_attention.pictures import Seen
from posenc import CATALOGUE
from posenc.attention.picture import AttentionStage
from ui import controls, screen
from ui.charts.matrix import Shown, matrix
from ui.controls import address, device
from ui.screen.budget import leave_if_gone, readable_bytes, seat
from ui.text import controls as live_controls
from ui.text import live
from ui.text import models as models
from ui.text.models import ABOUT_MODELS, MASKS, TRAINED, ToySettings
from ui.text.tokens import byte_tokens
from ui.words import _, number, translate

SLOW = 1000  # tokens from which on a bar shows how far the computation is


def read_controls(model: str, text: str) -> tuple[ToySettings, str, int, int]:
    """What is asked, and the stage, layer and head of the large picture."""
    live_pictures.open_clicked()
    encoding = controls.ask("encoding", live_controls.encoding("rope"))
    stage = controls.choice(
        "stage",
        _("Stage"),
        live.STAGES,
        "weights",
        help=_(
            "Which step of the formula the pictures show, from the content score to the attention."
        ),
    )
    layer_place, head_place = st.columns(2)
    mask = controls.choice(
        "mask",
        _("Mask"),
        MASKS,
        "causal",
        help=_("Who may attend to whom. A document ends at a full stop or a line break."),
    )
    with st.expander(_("More")):
        reach = controls.number(
            "reach",
            _("Window or prefix"),
            16,
            1,
            models.LONGEST,
            help=_("Tokens of the sliding window or of the prefix; 4096 in Mistral-7B."),
        )
        offset = controls.number(
            "offset",
            _("Offset of the positions"),
            0,
            0,
            1_000_000,
            help=_(
                "Added to every position id. Encodings that look at distances alone show the same "
                "picture."
            ),
        )
        cut = live.TOKENIZERS[controls.ask("tokens", live_controls.tokens())]
        num_heads = controls.number(
            "num_heads",
            _("Heads"),
            4,
            1,
            16,
            help=_("num_heads of random models; trained models have 4."),
        )
        head_dim = controls.ask("head_dim", live_controls.head_dim())
        seed = controls.ask("seed", live_controls.seed())
        place = controls.ask("device", device.device())
    if model == TRAINED:
        cut = byte_tokens
        num_heads = 4
    with layer_place:
        layer = controls.number(
            "layer",
            _("Layer"),
            0,
            0,
            1,
            help=_("Of a trained model; a random model has layer 0 alone."),
        )
    with head_place:
        head = controls.number(
            "head",
            _("Head h"),
            0,
            0,
            num_heads - 1,
            help=_("The head in the large picture, from 0."),
        )
    if model != TRAINED:
        layer = 0
    settings = ToySettings(
        model=model,
        tokens=cut(text),
        encoding=encoding,
        mask=mask,
        reach=reach,
        offset=offset,
        num_heads=num_heads,
        head_dim=head_dim,
        seed=seed,
        device=place,
    )
    return settings, stage, layer, head


def show(settings: ToySettings, stage: str, layer: int, head: int) -> screen.ScreenView:
    """Run the attention, place the pictures."""
    found = survey(settings, stage)
    attention = models.layers_of(settings)[layer]
    shown = show_stage(settings, attention, found, stage, layer, head)
    seen = Seen(settings, found, stage, layer, head, shown.cell)
    row = live_pictures.show_row(seen, attention)
    live_pictures.show_heads(seen)
    live_pictures.show_measures(seen)
    return screen.ScreenView(
        lambda: frames(settings, found, shown, row), snippet(settings, stage, layer, head, shown)
    )


def survey(settings: ToySettings, stage: str) -> models.Surveyed:
    """All heads at a glance, with a bar where that takes long."""
    place = st.empty()
    # Told here: what is cached may not tell words.
    words = _("Computing the attention of {tokens:,} tokens", tokens=settings.length)

    def show_progress(part: float) -> None:
        leave_if_gone()
        if settings.length > SLOW:
            address.whole()
            place.progress(part, words)

    with seat(models.bytes_of(settings)):
        found = models.surveyed(settings, stage, show_progress)
    place.empty()
    return found


def show_stage(
    settings: ToySettings,
    attention: models.AttentionRows,
    found: models.Surveyed,
    stage: str,
    layer: int,
    head: int,
) -> Shown:
    """The large picture: one stage of one head, and the stages of the chosen cell."""
    entry = CATALOGUE[settings.encoding]
    offer_notebook(attention, stage, head)
    st.caption(translate(ABOUT_MODELS[settings.model]))
    if entry.causal_only and settings.mask in ("none", "prefix"):
        st.caption(
            _(
                "{encoding} is defined under a causal mask; with this mask {encoding} reads the "
                "future.",
                encoding=entry.title,
            )
        )
    shown = matrix(
        quantity(settings, attention, stage, head),
        key="stage_matrix",
        title=_(
            "{stage} of {head}, {encoding}",
            stage=live.headline(stage),
            head=live_pictures.head_in_words(settings, layer, head),
            encoding=entry.title,
        ),
        alt=_(
            "Heatmap of one stage ({stage}) of head {head}: a row for each query, a column for "
            "each key",
            stage=live.STAGES[stage],
            head=head,
        ),
        default_cell=default_cell(settings, attention, head),
        clicks=live_pictures.CLICKS,
    )
    row, col = (torch.tensor([at]) for at in shown.cell)
    at = {
        name: float(AttentionStage(attention, name, head, name).at(row, col)[0, 0])
        for name in ("content", "position", "logits", "weights")
    }
    screen.readouts(
        {
            _("content score"): readable(at["content"]),
            _("+ position part"): readable(at["position"]),
            _("= logit"): readable(at["logits"]),
            _("attention"): readable(at["weights"]),
        },
        help={
            _("+ position part"): _(
                "Everything that the encoding adds to this score, in any place."
            )
        },
    )
    st.caption(
        _(
            "{tokens:,} tokens, {layers} × {heads} heads in {time:,.0f} ms on `{device}` in "
            "`{dtype}`, {rows:,} rows at a time: at most {memory}.",
            tokens=settings.length,
            layers=len(found.layers),
            heads=attention.heads,
            time=found.milliseconds,
            device=settings.device.type,
            dtype=str(attention.q.dtype).removeprefix("torch."),
            rows=attention.strip,
            memory=readable_bytes(found.strip_bytes),
        )
    )
    return shown


def default_cell(
    settings: ToySettings, attention: models.AttentionRows, head: int
) -> tuple[int, int]:
    """A query late in the text; in a trained model with the key that it looks at most."""
    row, col = live.default_cell(settings.length)
    if settings.model == TRAINED:
        col = int(attention.trace(torch.tensor([row])).weights[0, head, 0].argmax())
    return row, col


def quantity(
    settings: ToySettings, attention: models.AttentionRows, stage: str, head: int
) -> AttentionStage:
    """A stage of a head, with the tokens on both axes while they are few."""
    few = settings.length <= live.LABELLED_TOKENS
    labels = live.token_labels(settings.tokens) if few else None
    return AttentionStage(
        attention, stage, head, live.STAGES[stage], live.UNITS.get(stage, ""), labels
    )


def readable(value: float) -> str:
    """A number in four digits; what the mask hides has none."""
    return _("masked") if value != value else number(value, ".4g")


def frames(
    settings: ToySettings, found: models.Surveyed, shown: Shown, row: torch.Tensor
) -> screen.Frames:
    """What the figures show, as tables."""
    heads = {
        translate(title): torch.cat([getattr(one, name).mean(-1) for one in found.layers]).numpy()
        for name, title in live_pictures.MEASURES.items()
    }
    return {
        _("stage"): screen.view_frame(shown.view),
        _("row"): pd.DataFrame({_("token"): settings.tokens.texts, _("attention"): row.numpy()}),
        _("heads"): pd.DataFrame(heads),
    }
