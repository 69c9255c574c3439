"""A typed text decoded with a cache that keeps first tokens and a window, and drops the rest."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from torch import Tensor

from pages.kv_cache import decoding
from pages.kv_cache.decoding import Decoded, TextSettings
from posenc import PositionalEncoding
from posenc.attention.steps.measures import difference_steps
from posenc.cache.steps import told_distance_steps
from posenc.cache.window import WindowCache
from posenc.catalogue import CATALOGUE
from posenc.quantity.matrix import Computed
from posenc.quantity.step import Step
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
            "How many of the last tokens are kept, the new one among them; 4096 in Mistral-7B-v0.1."
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


def cache_of(s: Settings, encoding: PositionalEncoding, numbering: Numbering) -> WindowCache:
    """An empty cache with these positions."""
    return WindowCache(
        encoding, s.window, s.sinks, numbering=numbering, rotate_on_write=s.rotate_on_write
    )


def picture(s: Settings) -> screen.Picture:
    """The attention over what is kept, the distances it is told, and what they do to scores."""
    encoding = s.make_encoding()
    with seat(s.memory):
        qkv = s.project(encoding)
        cache = cache_of(s, encoding, s.numbering)
        decoded = decoding.decode(s, cache, qkv)
        right = decoding.decode(s, cache_of(s, encoding, "text"), qkv)
    full = s.whole_pass(encoding, qkv)
    step = s.decoding_step
    kept = cache.kept
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
            attention(s, decoded, cache),
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
        code=lambda shown: (decoding.MODEL + CODE).format(
            **s.code_fields,
            **screen.only(s, "window", "sinks", "numbering"),
            rows=shown.rows,
            cols=shown.cols,
        ),
    )


def attention(s: Settings, decoded: Decoded, cache: WindowCache) -> screen.MatrixFigure:
    """A row for each step, dropped keys empty."""
    keys = cache.keys
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
            "window stay short. The distance to first tokens that are kept grows with the text, "
            "without limit."
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


def distance_steps(s: Settings, decoded: Decoded, row: int, col: int) -> tuple[Step, ...]:
    """How far the key is said to be from the query."""
    if decoded.distances[row, col] != decoded.distances[row, col]:
        return decoded.steps(row, col)
    _trace, kept, rotated_at = decoded.taken[row]
    query = rotated_at[-1]  # the newest key stands where its query does
    places = (query, rotated_at[kept.index(col)])
    return told_distance_steps(row, col, places, in_cache=s.numbering == "cache")


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
            explain=partial(distance_steps, s, decoded),
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
        height=430,
        frame=s.frame,
    )
