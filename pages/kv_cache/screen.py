"""KV cache: decode token by token, with the numbers of the full pass."""

from typing import Any

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.kv_cache import decoding, decoding_controls, longrope_switch
from pages.kv_cache import timeline as cache_timeline
from pages.kv_cache import window as cache_window
from pages.kv_cache.decoding import DecodingSettings
from plots.heatmap import heatmap, outline
from posenc import CATALOGUE, PositionalEncoding, RoPE, attend, rope_angles
from posenc.attention.steps.measures import difference_steps
from posenc.cache.steps import cached_key_steps
from posenc.rope.pairs import Layout
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.cells import cell_words, marked_heatmap
from ui.charts.follow import follow
from ui.charts.matrix import Shown, matrix
from ui.charts.points import cell_field, cell_there
from ui.controls import address, device
from ui.screen import course, walk
from ui.screen.budget import readable_bytes, seat
from ui.text import controls as live_controls
from ui.text import live
from ui.words import _, plural

PICTURES = {
    "decoding": say("Decoding"),
    "window": say("Window"),
    "growing_base": say("Growing base"),
    "longrope": "LongRoPE",
}
LENSES = {"window": cache_window, "growing_base": cache_timeline, "longrope": longrope_switch}
PROGRAM = "def add(a, b):\n    return a + b"
LONG = (
    "The cat sat on the mat because the mat was warm. The dog lay at the door because the door was "
    "open, and nobody in the house had told the cat, so that the cat slept on."
)
START: dict[str, Any] = {
    "view": "decoding",
    "text": decoding_controls.SENTENCE,
    decoding_controls.KEY: decoding_controls.STEP,
    "encoding": decoding_controls.ENCODING,
    "rotate_on_write": True,
    "original_length": 4,
    "tokens": "words",
}
PRESETS = {
    "on_write": START,
    "on_read": START | {"rotate_on_write": False},
    "cope": START | {"encoding": "cope"},
    "program": START | {"text": PROGRAM, "tokens": "bytes", decoding_controls.KEY: 31},
    "streaming_llm": {
        "view": "window",
        "text": LONG,
        decoding_controls.KEY: 40,
        "window": 8,
        "sinks": 4,
        "numbering": "cache",
        "rotate_on_write": False,
        "tokens": "words",
        "encoding": decoding_controls.ENCODING,
    },
    "llama_2": {"view": "growing_base", "prompt": 4096, "decoded": 2048, "cache": "on_write"},
    "phi_3": {"view": "longrope", "prompt": 4000, "decoded": 200, "cache": "on_write"},
}
PRESET_LABELS = {
    "on_write": say("RoPE, rotated on write"),
    "on_read": say("RoPE, rotated on read"),
    "cope": "CoPE",
    "program": say("A program, in bytes"),
    "streaming_llm": "StreamingLLM",
    "llama_2": say("Llama-2-7B, dynamic NTK"),
    "phi_3": say("Phi-3 past 4096"),
}

CODE = """\
ids = {ids}
n, place = len(ids), dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, {d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=n)
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
positions = torch.arange(n, device="{device}")

cache = KVCache(encoding, rotate_on_write={rotate_on_write})
weights = torch.full((n, n), torch.nan)
with torch.no_grad():
    q, k, v = model.project(encoding.embed(model.embed(ids).to(**place), positions))
    for t in range({step}):
        new = slice(t, t + 1)
        stages = cache.step(q[:, :, new], k[:, :, new], v[:, :, new], positions[new], trace=True)
        weights[t, : t + 1] = stages.weights[0, {head}, 0]

values = weights[{rows[0]}:{rows[1]}, {cols[0]}:{cols[1]}]
print(cache.keys.shape, values)
"""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls, decode, place the pictures."""
    left, right = screen.columns(lesson)
    with right:
        view = controls.choice(
            "view",
            _("Picture"),
            PICTURES,
            wide=True,
            help=_(
                "What to look at. Decoding keeps every key of a typed text, and Window keeps some "
                "of them. Growing base is dynamic NTK at a model's size. LongRoPE switches from "
                "one list of divisors to another."
            ),
        )
    shown = None
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        if view == "decoding":
            settings = read_controls()
    with right, screen.guard():
        if view == "decoding":
            shown = show_text(settings)
        else:
            lens = LENSES[view]
            with left:
                chosen = lens.read()
            shown = lens.show(chosen)
    return shown


def is_past_the_walk(step: str) -> bool:
    """Whether it is the step of a decoding in an old address."""
    return step.isdecimal() and len(step) < 4 and int(step) > len(course.chapter("kv_cache").walk)


def show_text(settings: DecodingSettings) -> screen.ScreenView:
    """The typed text: its attention, its cache, and its score errors under a growing base."""
    shown = None
    tables: dict[str, pd.DataFrame] = {}
    with screen.guard(), seat(decoding.memory_needed(settings)):
        shown = show_decoding(settings)
        tables[say("attention")] = screen.view_frame(shown.view)
    with screen.guard(), seat(decoding.memory_needed(settings)):
        tables[say("score errors")] = show_changed_base(settings, shown.cell if shown else (0, 0))
    return screen.ScreenView(lambda: tables, snippet(settings, shown))


def read_controls() -> DecodingSettings:
    """The settings; the text is cut into tokens."""
    text, step_place = decoding_controls.text()
    encoding = controls.ask("encoding", live_controls.encoding(decoding_controls.ENCODING))
    rotate_on_write = decoding_controls.rotate_on_write()
    original_length = controls.number(
        "original_length",
        _("Trained length L₀"),
        4,
        1,
        decoding_controls.MAX_TOKENS,
        help=_("L₀ of the dynamic scaling in the last picture; 4096 in Llama-2-7B."),
    )
    with st.expander(_("More")):
        cut = live.TOKENIZERS[controls.ask("tokens", live_controls.tokens())]
        sizes = decoding_controls.sizes()
        base = controls.number(
            "base",
            _("Base"),
            10000.0,
            2.0,
            1e9,
            help=_("Base of the frequencies in the last picture; 10000 in Llama-2-7B."),
        )
        factor = controls.number(
            "factor",
            _("Factor α"),
            2.0,
            1.0,
            64.0,
            help=_("α of the dynamic scaling in the last picture."),
        )
        chosen_device = controls.ask("device", device.device())
    tokens = decoding_controls.few(cut(text))
    with step_place:
        step = decoding_controls.step(len(tokens.ids))
    return DecodingSettings(
        tokens=tokens,
        step=step,
        encoding=encoding,
        rotate_on_write=rotate_on_write,
        original_length=original_length,
        base=base,
        factor=factor,
        device=chosen_device,
        **sizes,
    )


def show_decoding(settings: DecodingSettings) -> Shown:
    """The attention of all steps so far, what is in the cache, and the check against one pass."""
    step = settings.step
    head = settings.head
    entry = CATALOGUE[settings.encoding]
    encoding = decoding.encoding_of(settings)
    qkv = decoding.project(settings, encoding)
    rotates = decoding.rotates_keys(encoding, qkv)
    device.synchronize(settings.device)
    with screen.timed() as watch:
        decoded = decoding.decode(settings, encoding, qkv, rotate_on_write=settings.rotate_on_write)
        device.synchronize(settings.device)
    with torch.no_grad():
        q, k, v = (part[:, :, :step] for part in qkv)
        full = attend(q, k, v, encoding, mask="causal")

    if settings.encoding == "rope":
        notebooks.computed("attention", **decoding.notebook(settings))
    shown = matrix(
        live.quantity(
            decoded.weights, settings.tokens, say("attention"), signed=False, explain=decoded.steps
        ),
        key="attention",
        title=_(
            "Attention of head {head} after step {step} of {steps}, {encoding}",
            head=head,
            step=step,
            steps=settings.length,
            encoding=entry.title,
        ),
        alt=_("Heatmap of attention: a row for each of {steps} steps, the last framed", steps=step),
        default_cell=(
            min(settings.length, decoding_controls.STEP) - 1,
            min(settings.length - 1, 1),
        ),
        frame=((step - 1, step), (0, step)),
        height=430,
        clicks={"stale": cell_there},
    )
    keys, values = decoded.cache.keys, decoded.cache.values
    assert keys is not None  # at least one step was decoded
    assert values is not None
    in_cache = _("in the cache")
    screen.readouts(
        {
            in_cache: f"2 × {tuple(keys.shape)}",
            _("bytes"): readable_bytes(keys.nbytes + values.nbytes),
            _("keys rotated in this step"): rotated_keys(settings) if rotates else _("none"),
            _("largest difference from one full pass"): decoding.largest(
                decoded.output - full[:, :, -1:]
            ),
        },
        help={in_cache: _("Keys and values: (batch, heads, tokens, head_dim) each.")},
    )
    st.caption(
        plural(
            "The framed row is that of the new query, over {count} cached key and its own. "
            "{timing} Embeddings and projections are random numbers from the seed; no model is "
            "trained here.",
            "The framed row is that of the new query, over {count} cached keys and its own. "
            "{timing} Embeddings and projections are random numbers from the seed; no model is "
            "trained here.",
            step - 1,
            timing=plural(
                "{count} step took {time:.0f} ms on {device} in {dtype}.",
                "{count} steps took {time:.0f} ms on {device} in {dtype}.",
                step,
                time=watch.milliseconds,
                device=settings.device.type,
                dtype=str(settings.dtype).removeprefix("torch."),
            ),
        )
    )
    show_keys(settings, encoding, qkv[1][0, head], keys[0, head], rotates)
    return shown


def rotated_keys(settings: DecodingSettings) -> str:
    """How many keys this step rotates, in words."""
    count = 1 if settings.rotate_on_write else settings.step
    return _("{count} of {keys}", count=count, keys=settings.step)


def show_keys(
    settings: DecodingSettings,
    encoding: PositionalEncoding,
    made: Tensor,
    keys: Tensor,
    rotates: bool,
) -> None:
    """What lies in the cache: one row for each token so far; `made` are the keys before."""
    figure = heatmap(
        keys.cpu().numpy(),
        title=(
            _("Cached keys of head {head}, rotated", head=settings.head)
            if rotates and settings.rotate_on_write
            else _("Cached keys of head {head}, not rotated", head=settings.head)
        ),
        x_title=_("channel"),
        y_title=_("token"),
        signed=True,
        value_name=_("key"),
        cell_text=False,
        row_labels=live.token_labels(settings.tokens)[: len(keys)],
    )
    figure = outline(figure, (len(keys) - 1, len(keys)), (0, keys.shape[1]))
    alt = _(
        "Heatmap of the cached keys: a row for each of {tokens} tokens, a column for each of "
        "{channels} channels",
        tokens=len(keys),
        channels=keys.shape[1],
    )
    picture = st.container()
    shape = (keys.shape[0], keys.shape[1])
    cell = token, channel = cell_field("keys", shape, (min(1, len(keys) - 1), 0)).choose()
    if settings.encoding == "rope":
        turned = settings.rotate_on_write
        notebooks.computed("keys", **decoding.notebook(settings), rotate_on_write=turned)
    with picture:
        marked_heatmap(figure, cell, shape, key="keys", alt=alt, height=320)
    angles: Tensor | None = None
    layout: Layout = "interleaved"
    if type(encoding) is RoPE and settings.rotate_on_write:
        angles = rope_angles(torch.tensor(token), encoding.inv_freq)
        layout = encoding.layout
    steps = cached_key_steps(made[token].cpu(), keys[token].cpu(), token, channel, angles, layout)
    follow(steps, key="keys", place=cell_words(cell))


def show_changed_base(settings: DecodingSettings, cell: tuple[int, int]) -> pd.DataFrame:
    """Scores of keys rotated under the base of their own time, minus those rotated anew."""
    st.header(_("When the base grows with the text"), anchor=False)
    rope = decoding.rope_of_the_length(settings)
    qkv = decoding.project(settings, rope)
    stale = decoding.decode(settings, rope, qkv, rotate_on_write=True)
    fresh = decoding.decode(settings, rope, qkv, rotate_on_write=False)
    errors = (stale.scores - fresh.scores).numpy()
    labels = live.token_labels(settings.tokens)
    figure = heatmap(
        errors,
        title=_(
            "Score error of keys rotated on write: dynamic NTK, trained length {length}, head "
            "{head}",
            length=settings.original_length,
            head=settings.head,
        ),
        x_title=_("key j"),
        y_title=_("query i"),
        signed=True,
        value_name=_("score error"),
        row_labels=labels,
        col_labels=labels,
    )
    row = slice(settings.step - 1, settings.step), slice(settings.step)
    figure = outline(figure, (settings.step - 1, settings.step), (0, settings.step))
    alt = _("Heatmap of the error that each score takes from a key cached under an older base")
    steps = stale.steps(*cell, "scaled")
    if errors[cell] == errors[cell]:
        names = (say("on write"), say("on read"))
        value = float(errors[cell])
        steps = difference_steps(steps, fresh.steps(*cell, "scaled"), names, value)
    notebooks.computed(
        "stale",
        **decoding.notebook(settings),
        base=settings.base,
        alpha=settings.factor,
        trained=settings.original_length,
    )
    marked_heatmap(figure, cell, errors.shape, key="stale", alt=alt, height=430)
    follow(steps, key="stale", place=cell_words(cell))
    screen.readouts(
        {
            _("largest score error of this step"): decoding.largest(
                (stale.scores - fresh.scores)[row]
            ),
            _("largest error of its attention"): decoding.largest(
                (stale.weights - fresh.weights)[row]
            ),
            _("largest error of its output"): decoding.largest(stale.output - fresh.output),
        }
    )
    st.caption(
        _(
            "Each row has the base that belongs to its length. Keys rotated on write keep the base "
            "of the step that cached them. Keys rotated on read follow the new base; their scores "
            "are the right ones."
        )
    )
    return pd.DataFrame(errors)


def snippet(settings: DecodingSettings, shown: Shown | None) -> str:
    """The first picture as a program."""
    whole = (0, settings.length)
    return CODE.format(
        **vars(settings) | {"device": settings.device.type},
        ids=settings.tokens.ids,
        dtype=settings.dtype,
        d_model=settings.num_heads * settings.head_dim,
        rows=shown.rows if shown else whole,
        cols=shown.cols if shown else whole,
    )


# Before the screen had a walk, `step` was the decoding step. A walk is shorter than a text.
address.move(walk.STEP, decoding_controls.KEY, is_past_the_walk)
screen.show("kv_cache", draw)
