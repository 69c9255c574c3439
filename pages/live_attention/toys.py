"""The small models: trained ones, one for each encoding, random projections, or no content."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import streamlit as st
import torch

from pages.live_attention import both, heads
from pages.live_attention.code import snippet, snippet_of_both
from pages.live_attention.head_notebook import program
from posenc.attention.picture import AttentionStage
from posenc.attention.rows import AttentionRows
from posenc.catalogue import CATALOGUE
from posenc.words import say
from ui import controls, screen
from ui.charts.matrix import Shown
from ui.charts.panels import Place
from ui.charts.points import FromClick, cell_there, on_click
from ui.controls import MORE, address, device, entry
from ui.screen.budget import leave_if_gone, readable_bytes, seat
from ui.text import controls as text_controls
from ui.text import live, models
from ui.text.models import ABOUT_MODELS, MASKS, TRAINED, ToySettings
from ui.text.tokens import byte_tokens
from ui.words import _, number, translate

PARTS = {
    "content": say("content score"),
    "position": say("+ position part"),
    "logits": say("= logit"),
    "weights": say("attention"),
}
SLOW = 1000  # tokens from which on a bar shows how far the computation is
TRAINED_HEADS = 4
CLICKS: dict[str, FromClick] = {
    "heads": cell_there,
    "row": lambda clicked, now: (now[0], round(clicked.x)),
}
"""The point of the large picture that a click in another picture follows."""


def heads_of(model: str, num_heads: int) -> int:
    return TRAINED_HEADS if model == TRAINED else num_heads


def open_clicked(model: str) -> None:
    """Before the controls are drawn: open the head that was clicked."""
    count = heads_of(model, controls.value("num_heads", 4))
    names = "layer", "head"
    on_click("heads", lambda panel: dict(zip(names, divmod(panel.curve, count), strict=True)))


def stage() -> Any:
    """Which step of the formula is drawn."""
    return entry(
        controls.choice,
        say("Stage"),
        live.IN_LIST,
        "weights",
        help=say(
            "Which step of the formula the pictures show, in the order in which it is computed."
        ),
        when=lambda s: s.view == both.ONE,
        above=True,
    )


def view(views: Any) -> Any:
    """Whether one stage is drawn, or the scores before and after position."""
    return entry(
        controls.choice,
        say("Picture"),
        views,
        help=say("What to look at; the controls stay as they are."),
        wide=True,
        above=True,
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the small models, and the head of the large picture."""

    first: ClassVar = ("layer", "head")

    model: str
    """Id of one of `MODELS`."""
    text: str
    encoding: str = text_controls.encoding("rope")
    view: str = view(lambda s: both.BY_ROTATION if s.encoding == "rope" else both.BY_ANOTHER)
    stage: str = stage()
    layer: int = entry(
        controls.number,
        say("Layer"),
        0,
        0,
        1,
        help=say("Of a trained model; a random model has layer 0 alone."),
    )
    head: int = text_controls.head(lambda s: heads_of(s.model, s.num_heads), waits=True)
    mask: str = entry(
        controls.choice,
        say("Mask"),
        MASKS,
        "causal",
        help=say("Who may attend to whom. A document ends at a full stop or a line break."),
    )
    reach: int = entry(
        controls.number,
        say("Window or prefix"),
        16,
        1,
        models.LONGEST,
        help=say("Tokens of the sliding window or of the prefix; 4096 in Mistral-7B-v0.1."),
        under=MORE,
    )
    offset: int = entry(
        controls.number,
        say("Offset of the positions"),
        0,
        0,
        1_000_000,
        help=say(
            "Added to every position id. Encodings that look at distances alone show the same "
            "picture."
        ),
        under=MORE,
    )
    tokens: str = text_controls.tokens()
    num_heads: int = text_controls.num_heads(
        say("num_heads of random models; trained models have 4.")
    )
    head_dim: int = text_controls.head_dim()
    seed: int = text_controls.seed()
    device: torch.device = device.device()

    @cached_property
    def toy(self) -> ToySettings:
        cut = byte_tokens if self.model == TRAINED else live.TOKENIZERS[self.tokens]
        names = ("model", "encoding", "mask", "reach", "offset", "head_dim", "seed", "device")
        return ToySettings(
            tokens=cut(self.text),
            num_heads=heads_of(self.model, self.num_heads),
            **screen.only(self, *names),
        )

    @property
    def large(self) -> tuple[int, int]:
        """Layer and head of the large picture."""
        return self.layer if self.model == TRAINED else 0, self.head


def picture(s: Settings) -> screen.Picture:
    """One stage of one head, the row of the followed cell, and all heads."""
    found = survey(s.toy, s.stage)
    layer, head = s.large
    attention = models.layers_of(s.toy)[layer]
    its = heads.Heads(s.toy, found, s.stage, layer, head)
    words = translate(ABOUT_MODELS[s.model])
    entry = CATALOGUE[s.encoding]
    if entry.causal_only and s.mask in ("none", "prefix"):
        words += "\n\n" + _(
            "{encoding} is defined under a causal mask; with this mask {encoding} reads the "
            "future.",
            encoding=entry.title,
        )
    return screen.Picture(
        words=words,
        figures=[
            matrix(s, attention, found) if s.view == both.ONE else before_and_after(s, attention),
            partial(heads.row, its, attention),
            heads.small(its),
            partial(heads.measures, its),
        ],
        readouts=partial(readouts, attention, head),
        help={
            _("+ position part"): _(
                "Everything that the encoding adds to this score, in any place."
            )
        },
        code=partial(code, s, attention),
        memory=attention.strip_bytes,
    )


def code(s: Settings, attention: AttentionRows, shown: Shown | Place) -> str:
    """Snippet of the first picture."""
    layer, head = s.large
    if isinstance(shown, Place):
        return snippet_of_both(s.toy, layer, both.snippet(attention, head))
    return snippet(s.toy, s.stage, layer, head, shown)


def before_and_after(s: Settings, attention: AttentionRows) -> screen.PanelsFigure:
    """The scores of the head without position and with it."""
    layer, head = s.large
    few = s.toy.length <= live.LABELLED_TOKENS
    title = _(
        "{head}, {encoding}: scores before and after position",
        head=heads.head_in_words(s.model, layer, head),
        encoding=CATALOGUE[s.encoding].title,
    )
    return both.figure(
        attention,
        head,
        title=title[:1].upper() + title[1:],
        labels=live.token_labels(s.toy.tokens) if few else None,
        cell=default_cell(s.toy, attention, head),
    )


def survey(settings: ToySettings, stage: str) -> models.Surveyed:
    """All heads at a glance, with a bar where that takes long."""
    place = st.empty()
    # Told here: what is cached may not tell words.
    words = _("Computing the attention of {tokens:,} tokens", tokens=settings.length)

    def show_progress(part: float) -> None:
        leave_if_gone()
        if settings.length > SLOW:
            address.request_full_rerun()
            place.progress(part, words)

    with seat(models.bytes_of(settings)):
        found = models.surveyed(settings, stage, show_progress)
    place.empty()
    return found


def matrix(s: Settings, attention: AttentionRows, found: models.Surveyed) -> screen.MatrixFigure:
    """One stage of one head, with the tokens on both axes while they are few."""
    toy = s.toy
    layer, head = s.large
    few = toy.length <= live.LABELLED_TOKENS
    labels = live.token_labels(toy.tokens) if few else None
    name = live.STAGES[s.stage]
    return screen.MatrixFigure(
        key="stage_matrix",
        quantity=AttentionStage(
            attention, s.stage, head, name, live.UNITS.get(s.stage, ""), labels
        ),
        title=_(
            "{stage} of {head}, {encoding}",
            stage=live.headline(s.stage),
            head=heads.head_in_words(s.model, layer, head),
            encoding=CATALOGUE[s.encoding].title,
        ),
        alt=_(
            "Heatmap of one stage ({stage}) of head {head}: a row for each query, a column for "
            "each key",
            stage=name,
            head=head,
        ),
        cell=default_cell(toy, attention, head),
        clicks=CLICKS,
        table=say("stage"),
        settings=program(attention, s.stage, head),
        caption=_(
            "{tokens:,} tokens, {layers} × {heads} heads in {time:,.0f} ms on `{device}` in "
            "`{dtype}`, {rows:,} rows at a time: at most {memory}.",
            tokens=toy.length,
            layers=len(found.layers),
            heads=attention.heads,
            time=found.milliseconds,
            device=toy.device.type,
            dtype=str(attention.q.dtype).removeprefix("torch."),
            rows=attention.strip,
            memory=readable_bytes(found.strip_bytes),
        ),
    )


def readouts(
    attention: AttentionRows, head: int, shown: Shown | Place, names: Sequence[str] = tuple(PARTS)
) -> dict[str, str]:
    """The parts of the followed score."""
    row, col = (torch.tensor([at]) for at in shown.cell)
    stages = {name: AttentionStage(attention, name, head, name) for name in names}
    return {
        translate(PARTS[name]): _("masked") if value.isnan() else number(value.item(), ".4g")
        for name, one in stages.items()
        for value in one.at(row, col)
    }


def default_cell(settings: ToySettings, attention: AttentionRows, head: int) -> tuple[int, int]:
    """A query late in the text; in a trained model with the key that it looks at most."""
    row, col = live.default_cell(settings.length)
    if settings.model == TRAINED:
        col = int(attention.trace(torch.tensor([row])).weights[0, head, 0].argmax())
    return row, col
