"""A typed text decoded with a cache that keeps first tokens and a window, and drops the rest."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.kv_cache import decoding, decoding_controls
from pages.kv_cache.decoding import DecodingSettings
from plots.heatmap import heatmap, outline
from posenc import CATALOGUE, Step, Trace, attend
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.cache.steps import told_distance_steps
from posenc.cache.window import WindowCache
from posenc.quantity.lines import masked
from posenc.quantity.step import nothing
from posenc.words import say
from ui import controls, screen
from ui.charts.cells import cell_words, marked_heatmap
from ui.charts.follow import follow
from ui.charts.matrix import Shown, matrix
from ui.charts.points import cell_there
from ui.controls import device
from ui.screen.budget import seat
from ui.text import controls as live_controls
from ui.text import live
from ui.words import _, number, translate

NUMBERINGS = {"text": say("in the text"), "cache": say("in the cache")}
"""Which positions the encoding reads."""
TITLES = {
    "told": say("Distance from query to key that the encoding is told"),
    "moved": say("Score minus the score under the text's positions, for the same kept keys"),
}
CODE = """\
ids = {ids}
n, place = len(ids), dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, {d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=n)
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
positions = torch.arange(n, device="{device}")

cache = WindowCache(
    encoding, {window}, {sinks}, numbering="{numbering}", rotate_on_write={rotate_on_write}
)
weights = torch.full((n, n), torch.nan, dtype=torch.float64)
with torch.no_grad():
    q, k, v = model.project(encoding.embed(model.embed(ids).to(**place), positions))
    for t in range({step}):
        new = slice(t, t + 1)
        stages = cache.step(q[:, :, new], k[:, :, new], v[:, :, new])
        weights[t, cache.kept] = stages.weights[0, {head}, 0].to("cpu", torch.float64)

values = weights[{rows[0]}:{rows[1]}, {cols[0]}:{cols[1]}]
print(cache.kept, cache.rotated_at, values)
"""


@dataclass(frozen=True)
class Windowed:
    """The text and its model, and what the cache keeps."""

    settings: DecodingSettings
    window: int
    sinks: int
    numbering: str

    def cache(self, *, right: bool = False) -> WindowCache:
        """An empty one; `right` has the positions of the text."""
        return WindowCache(
            decoding.encoding_of(self.settings),
            self.window,
            self.sinks,
            numbering="text" if right else self.numbering,  # type: ignore[arg-type]
            rotate_on_write=self.settings.rotate_on_write,
        )


@dataclass(frozen=True)
class Decoded:
    """What the steps computed, for one head; NaN where a key is dropped or not there yet."""

    weights: Tensor
    """Float64 (length, length)."""
    scores: Tensor
    """What the softmax sees, the same shape."""
    distances: Tensor
    """Between query and key as the encoding is told them, the same shape."""
    taken: list[tuple[Trace, list[int], list[int]]]
    """Of every step: the shown head's stages, the tokens in the cache, where keys were rotated."""
    cache: WindowCache
    output: Tensor
    """Of the last step, (1, heads, 1, head_dim)."""

    def steps(self, row: int, col: int, stage: str = "weights") -> tuple[Step, ...]:
        """How the weight, or another stage, of a query and a key came about."""
        symbol = rf"\alpha_{{{row},{col}}}"
        if col > row or row >= len(self.taken):
            later = masked(symbol) if col > row else nothing(symbol, "this step comes later")
            return (later,)
        trace, kept, _at = self.taken[row]
        if col not in kept:
            return (nothing(symbol, "this key has been dropped"),)
        place = kept.index(col)
        return attention_steps(trace, stage, 0, place, first=row, key=col)

    def distance_steps(self, row: int, col: int) -> tuple[Step, ...]:
        """How far the key is said to be from the query."""
        if self.distances[row, col] != self.distances[row, col]:
            return self.steps(row, col)
        _trace, kept, rotated_at = self.taken[row]
        query = rotated_at[-1]  # the newest key stands where its query does
        places = (query, rotated_at[kept.index(col)])
        in_cache = self.cache.numbering == "cache"
        return told_distance_steps(row, col, places, in_cache=in_cache)


def read() -> Windowed:
    """Draw the controls."""
    text, step_place = decoding_controls.text()
    window = controls.number(
        "window",
        _("Window w"),
        4,
        1,
        decoding_controls.MAX_TOKENS,
        help=_("How many of the last tokens are kept, the new one among them; 4096 in Mistral-7B."),
    )
    sinks = controls.number(
        "sinks",
        _("First tokens kept s"),
        2,
        0,
        decoding_controls.MAX_TOKENS,
        help=_(
            "How many of the first tokens are kept for good; 4 in StreamingLLM, 0 in a plain "
            "window."
        ),
    )
    numbering = controls.choice(
        "numbering",
        _("Positions"),
        NUMBERINGS,
        help=_(
            "Those of the text, or those of the kept tokens in the cache, numbered from 0 at every "
            "step."
        ),
    )
    rotate_on_write = decoding_controls.rotate_on_write()
    with st.expander(_("More")):
        encoding = controls.ask("encoding", live_controls.encoding(decoding_controls.ENCODING))
        cut = live.TOKENIZERS[controls.ask("tokens", live_controls.tokens())]
        sizes = decoding_controls.sizes()
        chosen_device = controls.ask("device", device.device())
    tokens = decoding_controls.few(cut(text))
    with step_place:
        step = decoding_controls.step(len(tokens.ids))
    settings = DecodingSettings(
        tokens=tokens,
        step=step,
        encoding=encoding,
        rotate_on_write=rotate_on_write,
        device=chosen_device,
        **sizes,
    )
    return Windowed(settings, window, sinks, numbering)


@torch.no_grad()
def decode(chosen: Windowed, qkv: tuple[Tensor, Tensor, Tensor], *, right: bool = False) -> Decoded:
    """Run the steps one by one through the cache; `right` has the positions of the text."""
    settings = chosen.settings
    cache = chosen.cache(right=right)
    shape = (settings.length, settings.length)
    weights, scores, distances = (torch.full(shape, torch.nan).double() for _ in range(3))
    rotates = decoding.rotates_keys(cache.encoding, qkv)
    taken = []
    for t in range(settings.step):
        trace = cache.step(*(part[:, :, t : t + 1] for part in qkv))
        weights[t, cache.kept] = trace.weights[0, settings.head, 0].to("cpu", torch.float64)
        scores[t, cache.kept] = trace.logits[0, settings.head, 0].to("cpu", torch.float64)
        at = cache.rotated_at if rotates else cache.positions
        distances[t, cache.kept] = (cache.positions[-1] - at).double()
        stages = decoding.of_head(trace, settings.head)
        taken.append((stages, cache.kept.tolist(), at.tolist()))
    return Decoded(weights, scores, distances, taken, cache, trace.output)


def show(chosen: Windowed) -> screen.ScreenView:
    """The attention over what is kept, the distances it is told, and what they do to scores."""
    with seat(decoding.memory_needed(chosen.settings)):
        return _show(chosen)


def _show(chosen: Windowed) -> screen.ScreenView:
    settings = chosen.settings
    entry = CATALOGUE[chosen.settings.encoding]
    encoding = decoding.encoding_of(settings)
    qkv = decoding.project(settings, encoding)
    decoded, right = decode(chosen, qkv), decode(chosen, qkv, right=True)
    with torch.no_grad():
        q, k, v = (part[:, :, : settings.step] for part in qkv)
        full = attend(q, k, v, encoding, mask="causal")
    cache = decoded.cache
    kept = decoded.cache.kept
    shown = matrix(
        live.quantity(
            decoded.weights, settings.tokens, say("attention"), signed=False, explain=decoded.steps
        ),
        key="attention",
        title=_(
            "Attention of head {head} after step {step} of {steps}, {encoding}, window {window}",
            head=settings.head,
            step=settings.step,
            steps=settings.length,
            encoding=entry.title,
            window=chosen.window,
        ),
        alt=_(
            "Heatmap of attention: a row for each of {steps} steps, dropped keys empty",
            steps=settings.step,
        ),
        default_cell=(min(settings.length, decoding_controls.STEP) - 1, 0),
        frame=((settings.step - 1, settings.step), (0, settings.step)),
        height=430,
        clicks={"told": cell_there, "moved": cell_there},
    )
    differences = decoded.scores - right.scores
    of_scores, of_output = _("largest score difference"), _("largest output difference")
    screen.readouts(
        {
            _("in the cache"): _(
                "{count} of {tokens} tokens", count=len(kept), tokens=settings.step
            ),
            _("farthest distance told"): number(distance_of(decoded, settings.step - 1), ",.0f"),
            of_scores: decoding.largest(differences[settings.step - 1, kept]),
            of_output: decoding.largest(decoded.output - full[:, :, -1:]),
        },
        help={
            of_scores: _(
                "Of this step, from the scores of the same kept keys with the positions of the "
                "text."
            ),
            of_output: _("From the output of the full pass, which drops nothing."),
        },
    )
    st.markdown(in_words(chosen, decoding.rotates_keys(encoding, qkv)))
    if "embed" in entry.places:
        st.caption(
            _(
                "{encoding} adds positions to the embeddings, before anything is cached: they are "
                "those of the text, however the cache numbers its tokens.",
                encoding=entry.title,
            )
        )
    cell = shown.cell
    told_steps = decoded.distance_steps(*cell)
    moved_steps = decoded.steps(*cell)  # where there is none, it says why
    if differences[cell] == differences[cell]:
        moved_steps = difference_steps(
            decoded.steps(*cell, "logits"),
            right.steps(*cell, "logits"),
            (say("told"), say("text")),
            differences[cell].item(),
        )
    told = show_triangle(chosen, decoded.distances, say("distance"), "told", told_steps, cell)
    moved = show_triangle(chosen, differences, say("score difference"), "moved", moved_steps, cell)
    frames: dict[str, pd.DataFrame] = {
        say("attention"): screen.view_frame(shown.view),
        say("distances"): told,
        say("score differences"): moved,
    }
    st.caption(
        _(
            "Cached: 2 × {shape}. Embeddings and projections are random numbers from the seed; no "
            "model is trained here, so this shows the positions and not how well a model writes.",
            shape=() if cache.keys is None else tuple(cache.keys.shape),
        )
    )
    return screen.ScreenView(lambda: frames, snippet(chosen, shown))


def distance_of(decoded: Decoded, row: int) -> float:
    """The farthest distance of a step."""
    return float(decoded.distances[row].nan_to_num().max())


def in_words(chosen: Windowed, rotates: bool) -> str:
    """What these settings mean, in Markdown."""
    if chosen.numbering == "text":
        return _(
            "**Positions of the text.** Kept keys score as in the full pass. Distances within the "
            "window stay short. The distance to the first tokens grows with the text, beyond every "
            "length that a model was trained on."
        )
    if chosen.settings.rotate_on_write and rotates:
        return _(
            "**Renumbered, keys not rotated again.** The query takes its place in the cache, but "
            "each key keeps the rotation of the place where it was written. Once tokens are "
            "dropped, every new key is written at the last place, and all of them look as near as "
            "the query itself."
        )
    return _(
        "**Renumbered at every step.** The gap between the first tokens and the window is closed: "
        "no distance exceeds {most}, however long the text.",
        most=chosen.window + chosen.sinks - 1,
    )


def show_triangle(
    chosen: Windowed,
    values: Tensor,
    name: str,
    key: str,
    steps: tuple[Step, ...],
    cell: tuple[int, int],
) -> pd.DataFrame:
    """A heatmap of queries and keys, and how the cell came about that is followed in all."""
    settings = chosen.settings
    labels = live.token_labels(chosen.settings.tokens)
    figure = heatmap(
        values.numpy(),
        title=translate(TITLES[key]),
        x_title=_("key j"),
        y_title=_("query i"),
        signed=key == "moved",
        unit=_("tokens") if key == "told" else "",
        value_name=translate(name),
        row_labels=labels,
        col_labels=labels,
    )
    figure = outline(figure, (settings.step - 1, settings.step), (0, settings.step))
    alt = _("Heatmap: {title}; dropped keys are empty", title=TITLES[key])
    shape = (settings.length, settings.length)
    marked_heatmap(figure, cell, shape, key=key, alt=alt, height=430)
    follow(steps, key=key, place=cell_words(cell))
    return pd.DataFrame(values.numpy())


def snippet(chosen: Windowed, shown: Shown) -> str:
    """The first picture as a program."""
    settings = chosen.settings
    return CODE.format(
        **vars(settings) | {"device": settings.device.type},
        ids=settings.tokens.ids,
        dtype=settings.dtype,
        d_model=settings.num_heads * settings.head_dim,
        window=chosen.window,
        sinks=chosen.sinks,
        numbering=chosen.numbering,
        rows=shown.rows,
        cols=shown.cols,
    )
