"""A typed text decoded with a cache that keeps first tokens and a window, and drops the rest."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from pages.kv_cache import decoding
from pages.kv_cache.decoding import Projected, TextSettings
from posenc import CATALOGUE, Computed, PositionalEncoding, Step, Trace
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import attention_steps
from posenc.cache.steps import told_distance_steps
from posenc.cache.window import WindowCache
from posenc.quantity.lines import masked
from posenc.quantity.step import nothing
from posenc.words import say
from ui import controls, screen
from ui.charts.matrix import Shown
from ui.charts.points import cell_there
from ui.controls import MORE
from ui.screen.budget import seat
from ui.text import controls as text_controls
from ui.text import live
from ui.words import _, number, translate

NUMBERINGS = {"text": say("in the text"), "cache": say("in the cache")}
"""Which positions the encoding reads."""
TITLES = {
    "told": say("Distance from query to key that the encoding is told"),
    "moved": say("Score minus the score under the text's positions, for the same kept keys"),
}
TABLES = {"told": say("distances"), "moved": say("score differences")}
Numbering = Literal["text", "cache"]
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


@dataclass(frozen=True, kw_only=True)
class Settings(TextSettings):
    """A decoding, and what its cache keeps."""

    encoding: str = text_controls.encoding("rope", MORE)
    window: int = controls.entry(
        controls.number,
        say("Window w"),
        4,
        1,
        decoding.MAX_TOKENS,
        help=say(
            "How many of the last tokens are kept, the new one among them; 4096 in Mistral-7B."
        ),
    )
    sinks: int = controls.entry(
        controls.number,
        say("First tokens kept s"),
        2,
        0,
        decoding.MAX_TOKENS,
        help=say(
            "How many of the first tokens are kept for good; 4 in StreamingLLM, 0 in a plain "
            "window."
        ),
    )
    numbering: Numbering = controls.entry(
        controls.choice,
        say("Positions"),
        NUMBERINGS,
        help=say(
            "Those of the text, or those of the kept tokens in the cache, numbered from 0 at every "
            "step."
        ),
    )


@dataclass(frozen=True)
class Decoded:
    """Results of the steps, for one head; NaN where a key is dropped or not there yet."""

    weights: Tensor
    """Float64 (length, length)."""
    scores: Tensor
    """Scores before the softmax, the same shape."""
    distances: Tensor
    """Between query and key as the encoding is told them, the same shape."""
    taken: list[tuple[Trace, list[int], list[int]]]
    """Every step: the shown head's stages, the tokens in the cache, where keys were rotated."""
    cache: WindowCache
    output: Tensor
    """Output of the last step, (1, heads, 1, head_dim)."""

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


@torch.no_grad()
def decode(
    s: Settings, encoding: PositionalEncoding, qkv: Projected, numbering: Numbering
) -> Decoded:
    """Run the steps one by one through a cache with these positions."""
    cache = WindowCache(
        encoding, s.window, s.sinks, numbering=numbering, rotate_on_write=s.rotate_on_write
    )
    shape = (s.length, s.length)
    weights, scores, distances = (torch.full(shape, torch.nan).double() for _ in range(3))
    rotates = decoding.rotates_keys(cache.encoding, qkv)
    taken = []
    for t in range(s.decoding_step):
        trace = cache.step(*(part[:, :, t : t + 1] for part in qkv))
        weights[t, cache.kept] = trace.weights[0, s.head, 0].to("cpu", torch.float64)
        scores[t, cache.kept] = trace.logits[0, s.head, 0].to("cpu", torch.float64)
        at = cache.rotated_at if rotates else cache.positions
        distances[t, cache.kept] = (cache.positions[-1] - at).double()
        taken.append((decoding.of_head(trace, s.head), cache.kept.tolist(), at.tolist()))
    return Decoded(weights, scores, distances, taken, cache, trace.output)


def picture(s: Settings) -> screen.Picture:
    """The attention over what is kept, the distances it is told, and what they do to scores."""
    encoding = s.make_encoding()
    with seat(s.memory):
        qkv = s.project(encoding)
        decoded = decode(s, encoding, qkv, s.numbering)
        right = decode(s, encoding, qkv, "text")
    full = s.whole_pass(encoding, qkv)
    step = s.decoding_step
    kept = decoded.cache.kept
    differences = decoded.scores - right.scores
    of_scores, of_output = _("largest score difference"), _("largest output difference")
    words = in_words(s, decoding.rotates_keys(encoding, qkv))
    if "embed" in CATALOGUE[s.encoding].places:
        words += "\n\n" + _(
            "{encoding} adds positions to the embeddings, before anything is cached: they are "
            "those of the text, however the cache numbers its tokens.",
            encoding=s.title,
        )
    return screen.Picture(
        figures=[
            attention(s, decoded),
            partial(distances, s, decoded),
            partial(moved, s, decoded, right, differences),
        ],
        words=words,
        readouts={
            _("in the cache"): _("{count} of {tokens} tokens", count=len(kept), tokens=step),
            _("farthest distance told"): number(
                float(decoded.distances[step - 1].nan_to_num().max()), ",.0f"
            ),
            of_scores: decoding.largest(differences[step - 1, kept]),
            of_output: decoding.largest(decoded.output - full),
        },
        help={
            of_scores: _(
                "Of this step, from the scores of the same kept keys with the positions of the "
                "text."
            ),
            of_output: _("From the output of the full pass, which drops nothing."),
        },
        code=lambda shown: CODE.format(
            **s.code_fields,
            **screen.only(s, "window", "sinks", "numbering"),
            rows=shown.rows,
            cols=shown.cols,
        ),
    )


def attention(s: Settings, decoded: Decoded) -> screen.MatrixFigure:
    """A row for each step, dropped keys empty."""
    keys = decoded.cache.keys
    return decoding.attention(
        s,
        decoded.weights,
        decoded.steps,
        key=0,
        title=_(
            "Attention of head {head} after step {step} of {steps}, {encoding}, window {window}",
            head=s.head,
            step=s.decoding_step,
            steps=s.length,
            encoding=s.title,
            window=s.window,
        ),
        alt=_(
            "Heatmap of attention: a row for each of {steps} steps, dropped keys empty",
            steps=s.decoding_step,
        ),
        settings=None,
        clicks={"told": cell_there, "moved": cell_there},
        caption=_(
            "Cached: 2 × {shape}. Embeddings and projections are random numbers from the seed; no "
            "model is trained here, so this shows the positions and not how well a model writes.",
            shape=() if keys is None else tuple(keys.shape),
        ),
    )


def in_words(s: Settings, rotates: bool) -> str:
    """Meaning of these settings, in Markdown."""
    if s.numbering == "text":
        return _(
            "**Positions of the text.** Kept keys score as in the full pass. Distances within the "
            "window stay short. The distance to the first tokens grows with the text, beyond every "
            "length that a model was trained on."
        )
    if s.rotate_on_write and rotates:
        return _(
            "**Renumbered, keys not rotated again.** The query takes its place in the cache, but "
            "each key keeps the rotation of the place where it was written. Once tokens are "
            "dropped, every new key is written at the last place, and all of them look as near as "
            "the query itself."
        )
    return _(
        "**Renumbered at every step.** The gap between the first tokens and the window is closed: "
        "no distance exceeds {most}, however long the text.",
        most=s.window + s.sinks - 1,
    )


def distances(s: Settings, decoded: Decoded, shown: Shown) -> screen.MatrixFigure:
    """How far each key is said to be."""
    return triangle(
        s,
        "told",
        live.quantity(
            decoded.distances,
            s.first_tokens,
            say("distance"),
            signed=False,
            unit=say("tokens"),
            explain=decoded.distance_steps,
        ),
        shown,
    )


def moved(
    s: Settings, decoded: Decoded, right: Decoded, differences: Tensor, shown: Shown
) -> screen.MatrixFigure:
    """Map of the score differences: with the told distances, less with those of the text."""

    def steps(query: int, key: int) -> tuple[Step, ...]:
        value = differences[query, key].item()
        if value != value:
            return decoded.steps(query, key)  # where there is none, it says why
        told, text = (one.steps(query, key, "logits") for one in (decoded, right))
        return difference_steps(told, text, (say("told"), say("text")), value)

    return triangle(
        s,
        "moved",
        live.quantity(
            differences, s.first_tokens, say("score difference"), signed=True, explain=steps
        ),
        shown,
    )


def triangle(s: Settings, key: str, quantity: Computed, shown: Shown) -> screen.MatrixFigure:
    """A heatmap of queries and keys in which the same cell is followed."""
    return screen.MatrixFigure(
        key=key,
        quantity=quantity,
        title=translate(TITLES[key]),
        alt=_("Heatmap: {title}; dropped keys are empty", title=TITLES[key]),
        cell=shown.cell,
        is_chosen=True,
        table=TABLES[key],
        settings=None,
        height=430,
        frame=s.frame,
    )
