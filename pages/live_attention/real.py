"""A real model: one head large, one score followed, every head at a glance, and what comes next."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from models.change import Change
from models.files.find import Found
from pages.live_attention import both, toys, whole
from pages.live_attention.code_real import snippet, snippet_of_both
from pages.live_attention.head_notebook import program
from pages.live_attention.next_tokens import show_next, show_text
from pages.live_attention.toys import stage
from pages.live_attention.what_if import ChangeSettings
from posenc.attention.measures import attention_moved
from posenc.attention.picture import AttentionStage, StageDifference
from posenc.attention.rows import AttentionRows
from posenc.quantity.matrix import Quantity
from posenc.words import say
from ui import controls, screen
from ui.charts import stage as alone
from ui.charts.matrix import Shown
from ui.charts.panels import Place
from ui.charts.points import FromClick, cell_there
from ui.controls import MORE, device, entry
from ui.screen.budget import readable_bytes
from ui.text import live
from ui.text.real import Read, model_of, read
from ui.text.tokens import Tokens as Labelled
from ui.words import _, number, translate

SHOWN = {"changed": say("as changed"), "own": say("as trained"), "difference": say("difference")}
CLICKS: dict[str, FromClick] = {"stage_matrix": cell_there}


@dataclass(frozen=True, kw_only=True)
class Background:
    """Where it is computed, and the order of the small pictures."""

    device: torch.device = device.device()
    order: str = entry(
        controls.choice,
        say("Order of the small pictures"),
        whole.ORDERS,
        "layers",
        help=say("By layer and head, or by how much of a habit each head has."),
        under=MORE,
    )


@dataclass(frozen=True, kw_only=True)
class Settings(ChangeSettings):
    """Settings of the real model's pictures."""

    first: ClassVar = ("layer", "head")

    background: Background
    view: str = toys.view(lambda s: both.BY_ROTATION if s.model.rotates else both.BY_ANOTHER)
    stage: str = stage()
    layer: int = entry(
        controls.number,
        say("Layer"),
        lambda s: min(16, len(s.model.layers) - 1),
        0,
        lambda s: len(s.model.layers) - 1,
        help=say("The layer of the large picture, from 0. A click on a small picture opens it."),
    )
    head: int = entry(
        controls.number,
        say("Head h"),
        0,
        0,
        lambda s: s.model.heads - 1,
        help=say("The head of the large picture, from 0."),
    )
    shown: str = entry(
        controls.choice,
        say("Large picture"),
        SHOWN,
        "changed",
        help=say("The head under the change, as it was trained, or changed less trained."),
        when=lambda s: s.what_if != "none" and s.view == both.ONE,
    )

    @property
    def drawn(self) -> str:
        """Which of `SHOWN` the large picture is."""
        return self.shown if self.is_changed else "own"

    @cached_property
    def own(self) -> Read:
        """The text as the model reads it as it was trained."""
        return self._read(Change())

    @cached_property
    def now(self) -> Read:
        """And under the change."""
        return self._read(self.change) if self.is_changed else self.own

    def read(self) -> None:
        """Read the text, and once more under a change: what takes long."""
        _both = self.own, self.now

    def _read(self, change: Change) -> Read:
        return read(self.model, self.background.device, self.tokens.ids, change)

    @cached_property
    def before(self) -> AttentionRows:
        """The attention of the layer as it was trained."""
        return self.own.glance.seen.attention(self.layer)

    @cached_property
    def after(self) -> AttentionRows:
        """And under the change."""
        return self.now.glance.seen.attention(self.layer) if self.is_changed else self.before

    def attention(self, query: int) -> torch.Tensor:
        """Attention of one query in the head, (length,)."""
        return self.after.weights(torch.tensor([query]))[self.head, 0].cpu()

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The tokens as labels of an axis, while they are few."""
        if len(self.tokens.ids) > live.LABELLED_TOKENS:
            return None
        return live.token_labels(Labelled(self.tokens.texts, self.tokens.ids))


def read_settings(one: Found, text: str, left: DeltaGenerator) -> Settings:
    """Open the model where the screen stands now, and draw its controls on the left.

    Raises:
        ValueError: If the model cannot be opened or cannot read the text, in a sentence.
    """
    with left:
        upper = st.container()
        background = controls.read(Background)
    model = model_of(one, background.device)
    whole.open_clicked(model)
    known = {"model": model, "tokens": model.tokens(text), "background": background}
    above = st.container(key="above")
    with upper:
        return controls.read(Settings, lambda: above, known, alone.row(above))


def picture(s: Settings) -> screen.Picture:
    """One head large, all of them at a glance, and what the model expects next."""
    is_plain = s.view != both.ONE and not s.is_changed and s.before.rotates
    return screen.Picture(
        words=_(
            "Compare the first two: RoPE keeps the diagonal and changes the other scores, where "
            "query and key turn by different angles."
        )
        if is_plain
        else "",
        figures=[
            matrix(s) if s.view == both.ONE else before_and_after(s),
            screen.WordsFigure(about(s), small=True),
            whole.figure(s.now.glance, (s.layer, s.head), s.background.order, changed=s.is_changed),
            partial(NextTokens, s),
        ],
        readouts=partial(readouts, s),
        help={
            _("bits per token"): _(
                "Mean of −log₂ p of every token after the first; what the model needs to guess the "
                "text."
            ),
            _("bits lost"): _("Bits per token more than as trained, on this text."),
            _("attention moved"): _(
                "Share of this head's attention that lands on different keys than as trained, mean "
                "over queries."
            ),
        },
        code=partial(code, s),
        memory=s.after.strip_bytes,
    )


def about(s: Settings) -> str:
    """Sentence on the size of the model and of the computation, and on the time that it took."""
    model = s.model
    return _(
        "{model}: {parameters:,.1f} million parameters in {layers} layers of {heads} heads, "
        "{weights}. It runs on {device} of this server: {tokens:,} tokens were read in {time:,.0f} "
        "ms; {kept} of the results are kept.",
        model=model.title,
        parameters=model.parameters / 1e6,
        layers=len(model.layers),
        heads=model.heads,
        weights=readable_bytes(model.bytes),
        device=device.in_words(s.background.device),
        tokens=len(s.tokens.ids),
        time=s.now.milliseconds,
        kept=readable_bytes(s.now.glance.seen.bytes),
    )


def code(s: Settings, shown: Shown | Place) -> str:
    """Snippet of the first picture."""
    if isinstance(shown, Place):
        return snippet_of_both(s.model, s.tokens, s.change, s.layer, both.snippet(s.after, s.head))
    return snippet(s.model, s.tokens, s.change, s.drawn, (s.stage, s.layer, s.head), shown)


def before_and_after(s: Settings) -> screen.PanelsFigure:
    """The scores of the head without position and with it."""
    told = {"model": s.model.title, "layer": s.layer, "head": s.head}
    return both.figure(
        s.after,
        s.head,
        title=_("{model}: scores before and after RoPE, layer {layer}, head {head}", **told)
        if s.model.rotates
        else _("{model}: scores before and after position, layer {layer}, head {head}", **told),
        labels=s.labels,
        cell=default_cell(s.before, s.head),
    )


def matrix(s: Settings) -> screen.MatrixFigure:
    name = live.STAGES[s.stage]
    unit = live.UNITS.get(s.stage, "")
    own, changed = (
        AttentionStage(rows, s.stage, s.head, name, unit, s.labels) for rows in (s.before, s.after)
    )
    quantities: dict[str, Quantity] = {
        "own": own,
        "changed": changed,
        "difference": StageDifference(changed, own),
    }
    where = {
        "model": s.model.title,
        "stage": translate(live.STAGES[s.stage]),
        "layer": s.layer,
        "head": s.head,
    }
    titles = {
        "own": _("{model}: {stage}, layer {layer}, head {head}", **where),
        "changed": _("{model}: {stage}, layer {layer}, head {head}, as changed", **where),
        "difference": _(
            "{model}: {stage}, layer {layer}, head {head}, changed (A) less trained (B)", **where
        ),
    }
    settings = None
    if s.drawn != "difference":
        settings = program(s.before if s.drawn == "own" else s.after, s.stage, s.head)
    return screen.MatrixFigure(
        key="stage_matrix",
        quantity=quantities[s.drawn],
        title=titles[s.drawn],
        alt=_(
            "Heatmap of one stage ({stage}) of layer {layer}, head {head}: a row for each query, a "
            "column for each key",
            stage=name,
            layer=s.layer,
            head=s.head,
        ),
        cell=default_cell(s.before, s.head),
        height=520,
        clicks=CLICKS,
        table=say("stage"),
        settings=settings,
    )


def default_cell(rows: AttentionRows, head: int) -> tuple[int, int]:
    """The last query, and the key that it looks at most, besides the first token."""
    last = rows.length - 1
    weights = rows.weights(torch.tensor([last]))[head, 0].clone()
    if last:
        weights[0] = 0
    return last, int(weights.argmax())


def readouts(s: Settings, shown: Shown | Place) -> dict[str, str]:
    """The parts of the followed score, and what the change has done to the text."""
    values = toys.readouts(s.after, s.head, shown, ("content", "position", "weights"))
    if len(s.now.bits):
        values[_("bits per token")] = number(s.now.bits.mean().item(), ".3f")
    if s.is_changed and len(s.now.bits):
        more = (s.now.bits.mean() - s.own.bits.mean()).item()
        values[_("bits lost")] = number(more, "+.3f")
    if s.is_changed:
        values[_("attention moved")] = number(moved(s.before, s.after, s.head), ".1%")
    return values


def moved(before: AttentionRows, after: AttentionRows, head: int) -> float:
    """Share of a head's attention that lands on other keys, mean over queries."""
    found = [
        attention_moved(after.weights(part, head)[0], before.weights(part, head)[0])
        for part in before.strips()
    ]
    return float(torch.cat(found).mean())


@dataclass(frozen=True)
class NextTokens:
    """The followed query's attention over the text, and the tokens that are expected next."""

    settings: Settings
    shown: Shown | Place

    def draw(self) -> screen.Drawn:
        """The text, and beside it the tokens."""
        if alone.leaves_out("next_tokens"):
            return screen.Drawn(self._tables)
        s = self.settings
        query = self.shown.cell[0]
        words = _("The tokens that the model expects next")
        with alone.place(words):
            text, following = st.columns(2, gap="large")
            with text:
                show_text(s.tokens, s.attention(query), query)
            with following, st.container(key="next_tokens"):
                trained = s.own.glance.seen if s.is_changed else None
                show_next(s.model, s.now.glance.seen, trained, query)
        return screen.Drawn(self._tables)

    def _tables(self) -> screen.Frames:
        texts = self.settings.tokens.texts
        bits = self.settings.now.bits
        attention = self.settings.attention(self.shown.cell[0]).numpy()
        tables = {_("row"): pd.DataFrame({_("token"): texts, _("attention"): attention})}
        if len(bits):
            tables[_("bits")] = pd.DataFrame({_("token"): texts[1:], _("bits"): bits.numpy()})
        return tables
