"""A real model: every head at a glance, one head large, one score followed, and what comes next."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from models.change import Change
from models.files.find import Found
from models.opened import Model
from models.tokens import Tokens
from pages.live_attention import whole
from pages.live_attention.code_real import snippet
from pages.live_attention.head_notebook import offer_notebook
from pages.live_attention.next_tokens import show_next, show_text
from pages.live_attention.what_if import ABOUT, NONE, read_change
from posenc import Quantity
from posenc.attention.habits import HABITS
from posenc.attention.measures import attention_moved
from posenc.attention.picture import AttentionStage, StageDifference
from posenc.attention.rows import AttentionRows
from posenc.words import say
from ui import controls, screen
from ui.charts import stage
from ui.charts.matrix import Shown, matrix
from ui.charts.points import FromClick, cell_there
from ui.controls import device
from ui.screen.budget import readable_bytes
from ui.text import live
from ui.text.real import Read, model_of, read
from ui.text.tokens import Tokens as Labelled
from ui.words import _, number, translate

SHOWN = {"changed": say("as changed"), "own": say("as trained"), "difference": say("difference")}
CLICKS: dict[str, FromClick] = {"stage_matrix": cell_there}


@dataclass(frozen=True)
class RealSettings:
    """What is looked at.

    Attributes:
        model: The model.
        tokens: The text.
        change: What is changed about positions.
        what: Its id.
        stage: Of the large picture.
        layer: Of the large picture.
        head: Of the large picture.
        order: Of the small pictures.
        shown: Which of `SHOWN` the large picture is.
    """

    model: Model
    tokens: Tokens
    change: Change
    what: str
    stage: str
    layer: int
    head: int
    order: str
    shown: str

    @property
    def changed(self) -> bool:
        """Whether anything is changed."""
        return self.what != NONE

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The tokens as labels of an axis, while they are few."""
        if len(self.tokens.ids) > live.LABELLED_TOKENS:
            return None
        return live.token_labels(Labelled(self.tokens.texts, self.tokens.ids))


def show(one: Found, text: str, left: DeltaGenerator, right: DeltaGenerator) -> screen.ScreenView:
    """Open the model, read the text, place the pictures.

    Raises:
        ValueError: If the model cannot be opened or cannot read the text, in a sentence.
    """
    with left:
        upper = st.container()
        more = st.expander(_("More"))
    with more:
        place = controls.ask("device", device.device())
        order = controls.choice(
            "order",
            _("Order of the small pictures"),
            whole.ORDERS,
            "layers",
            help=_("By layer and head, or by how much of a habit each head has."),
        )
    with right:
        model = model_of(one, place)
    tokens = model.tokens(text)
    with upper:
        settings = read_controls(model, tokens, order)
    with right:
        own = read(model, place, tokens.ids, Change())
        now = read(model, place, tokens.ids, settings.change) if settings.changed else own
        return pictures(settings, own, now, place)


def read_controls(model: Model, tokens: Tokens, order: str) -> RealSettings:
    """What is changed, and which head is looked at."""
    what, change = read_change(model, len(tokens.ids))
    stage = controls.choice(
        "stage",
        _("Stage"),
        live.STAGES,
        "weights",
        help=_(
            "Which step of the formula the pictures show, from the content score to the attention."
        ),
    )
    whole.open_clicked(model)
    layer_place, head_place = st.columns(2)
    last_layer, last_head = len(model.layers) - 1, model.heads - 1
    with layer_place:
        layer = controls.number(
            "layer",
            _("Layer"),
            min(17, last_layer),
            0,
            last_layer,
            help=_("The layer of the large picture, from 0. A click on a small picture opens it."),
        )
    with head_place:
        head = controls.number(
            "head",
            _("Head h"),
            min(5, last_head),
            0,
            last_head,
            help=_("The head of the large picture, from 0."),
        )
    shown = "own"
    if what != NONE:
        st.caption(translate(ABOUT[what]))
        shown = controls.choice(
            "shown",
            _("Large picture"),
            SHOWN,
            "changed",
            help=_("The head under the change, as it was trained, or changed less trained."),
        )
    return RealSettings(
        model=model,
        tokens=tokens,
        change=change,
        what=what,
        stage=stage,
        layer=layer,
        head=head,
        order=order,
        shown=shown,
    )


def pictures(
    settings: RealSettings, own: Read, now: Read, place: torch.device
) -> screen.ScreenView:
    """Everything that stands on the right."""
    about(settings, now, place)
    chosen = settings.layer, settings.head
    whole.show(now.glance, chosen, settings.order, changed=settings.changed)
    before = own.glance.seen.attention(settings.layer)
    after = now.glance.seen.attention(settings.layer) if settings.changed else before
    shown = show_stage(settings, before, after)
    readouts(settings, own, now, before, after, shown)
    query = shown.cell[0]
    attention = after.weights(torch.tensor([query]))[settings.head, 0].cpu()
    if not stage.leaves_out("next_tokens"):
        about_next = _("The tokens that the model expects next")
        with stage.place("next_tokens", 0, words=about_next):
            words, following = st.columns(2, gap="large")
            with words:
                show_text(settings.tokens, attention, query)
            with following, st.container(key="next_tokens"):
                trained = own.glance.seen if settings.changed else None
                show_next(settings.model, now.glance.seen, trained, query)
    return screen.ScreenView(
        lambda: frames(settings, now, shown, attention),
        snippet(
            settings.model,
            settings.tokens,
            settings.change,
            settings.shown,
            (settings.stage, settings.layer, settings.head),
            shown,
        ),
    )


def about(settings: RealSettings, now: Read, place: torch.device) -> None:
    """What was computed, and what it took."""
    model = settings.model
    st.caption(
        _(
            "{model}: {parameters:,.1f} million parameters in {layers} layers of {heads} heads, "
            "{weights} on {device}. {tokens:,} tokens were read in {time:,.0f} ms, and {kept} of "
            "it are kept.",
            model=model.title,
            parameters=model.parameters / 1e6,
            layers=len(model.layers),
            heads=model.heads,
            weights=readable_bytes(model.bytes),
            device=place.type,
            tokens=len(settings.tokens.ids),
            time=now.milliseconds,
            kept=readable_bytes(now.glance.seen.bytes),
        )
    )


def show_stage(settings: RealSettings, before: AttentionRows, after: AttentionRows) -> Shown:
    """The large picture, and the steps to the chosen cell."""
    name = live.STAGES[settings.stage]
    unit = live.UNITS.get(settings.stage, "")
    own, changed = (
        AttentionStage(rows, settings.stage, settings.head, name, unit, settings.labels)
        for rows in (before, after)
    )
    shown: dict[str, Quantity] = {
        "own": own,
        "changed": changed,
        "difference": StageDifference(changed, own),
    }
    where = {"stage": live.headline(settings.stage), "layer": settings.layer, "head": settings.head}
    if settings.shown != "difference":
        offer_notebook(before if settings.shown == "own" else after, settings.stage, settings.head)
    title = _("{stage}, layer {layer}, head {head}", **where)
    if settings.shown == "difference":
        title = _("{stage}, layer {layer}, head {head}: changed (A) less trained (B)", **where)
    elif settings.shown == "changed":
        title = _("{stage}, layer {layer}, head {head}, as changed", **where)
    return matrix(
        shown[settings.shown],
        key="stage_matrix",
        title=title,
        alt=_(
            "Heatmap of one stage ({stage}) of layer {layer}, head {head}: a row for each query, a "
            "column for each key",
            stage=name,
            layer=settings.layer,
            head=settings.head,
        ),
        default_cell=default_cell(before, settings.head),
        clicks=CLICKS,
    )


def default_cell(rows: AttentionRows, head: int) -> tuple[int, int]:
    """The last query, and the key that it looks at most, besides the first token."""
    last = rows.length - 1
    weights = rows.weights(torch.tensor([last]))[head, 0].clone()
    if last:
        weights[0] = 0
    return last, int(weights.argmax())


def readouts(
    settings: RealSettings,
    own: Read,
    now: Read,
    before: AttentionRows,
    after: AttentionRows,
    shown: Shown,
) -> None:
    """The parts of the followed score, and what the change has done to the text."""
    row, col = (torch.tensor([at]) for at in shown.cell)
    at = {
        name: float(AttentionStage(after, name, settings.head, name).at(row, col)[0, 0])
        for name in ("content", "position", "weights")
    }
    values = {
        _("content score"): readable(at["content"]),
        _("+ position part"): readable(at["position"]),
        _("attention"): readable(at["weights"]),
    }
    if len(now.bits):
        values[_("bits per token")] = number(now.bits.mean().item(), ".3f")
    helps = {
        _("bits per token"): _(
            "Mean of −log₂ p of every token after the first; what the model needs to guess the "
            "text."
        )
    }
    if settings.changed and len(now.bits):
        more = (now.bits.mean() - own.bits.mean()).item()
        values[_("bits lost")] = number(more, "+.3f")
        helps[_("bits lost")] = _("Bits per token more than as trained, on this text.")
    if settings.changed:
        values[_("attention moved")] = number(moved(before, after, settings.head), ".1%")
        helps[_("attention moved")] = _(
            "Share of this head's attention that lands on different keys than as trained, mean "
            "over queries."
        )
    screen.readouts(values, help=helps)


def moved(before: AttentionRows, after: AttentionRows, head: int) -> float:
    """Share of a head's attention that lands on other keys, mean over queries."""
    found = [
        attention_moved(after.weights(part, head)[0], before.weights(part, head)[0])
        for part in before.strips()
    ]
    return float(torch.cat(found).mean())


def readable(value: float) -> str:
    """A number in four digits; what the mask hides has none."""
    return _("masked") if value != value else number(value, ".4g")


def frames(settings: RealSettings, now: Read, shown: Shown, attention: Tensor) -> screen.Frames:
    """What the figures show, as tables."""
    shares = now.glance.shares
    layers, count = shares.shape[:2]
    heads = pd.DataFrame(
        shares.flatten(0, 1).numpy(), columns=[translate(label) for label in HABITS.values()]
    )
    heads.insert(0, _("head"), list(range(count)) * layers)
    heads.insert(0, _("layer"), [layer for layer in range(layers) for _head in range(count)])
    tables = {
        _("stage"): screen.view_frame(shown.view),
        _("row"): pd.DataFrame(
            {_("token"): settings.tokens.texts, _("attention"): attention.numpy()}
        ),
        _("heads"): heads,
    }
    if len(now.bits):
        tables[_("bits")] = pd.DataFrame(
            {_("token"): settings.tokens.texts[1:], _("bits"): now.bits.numpy()}
        )
    return tables
