"""A typed text decoded: its attention, its cache, and what a growing base does to old keys."""

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from pages.kv_cache import decoding
from pages.kv_cache.decoding import Decoded, Projected, TextSettings
from posenc import KVCache, NoPE, PositionalEncoding, RoPE, rope_angles
from posenc.attention.steps.measures import difference_steps
from posenc.cache.stale_keys import rotate_when_written
from posenc.cache.steps import cached_key_steps
from posenc.quantity.matrix import Axis, Computed
from posenc.quantity.step import Step
from posenc.rope.pairs import Layout
from posenc.scaling import DynamicNTK
from posenc.words import say
from ui import controls, screen
from ui.charts.matrix import Shown
from ui.charts.points import cell_there
from ui.controls import MORE, device
from ui.screen.budget import readable_bytes, seat
from ui.text import live
from ui.words import _, plural

CODE = """\
cache = KVCache(encoding, rotate_on_write={rotate_on_write})
weights = torch.full((n, n), torch.nan)
with torch.no_grad():
    q, k, v = model.project(encoding.embed(model.embed(ids).to(**place), positions))
    for t in range({step}):
        new = slice(t, t + 1)
        stages = cache.traced_step(q[:, :, new], k[:, :, new], v[:, :, new], positions[new])
        weights[t, : t + 1] = stages.weights[0, {head}, 0]

values = weights[{rows[0]}:{rows[1]}, {cols[0]}:{cols[1]}]
print(cache.keys.shape, values)
"""


@dataclass(frozen=True, kw_only=True)
class Settings(TextSettings):
    """A decoding, and the dynamic scaling of the last picture."""

    original_length: int = controls.entry(
        controls.number,
        say("Trained length L₀"),
        4,
        1,
        decoding.MAX_TOKENS,
        help=say("L₀ of the dynamic scaling in the last picture; 4096 in Llama-2-7B."),
    )
    base: float = controls.entry(
        controls.number,
        say("Base"),
        10000.0,
        2.0,
        1e9,
        help=say("Base of the frequencies in the last picture; 10000 in Llama-2-7B."),
        under=MORE,
    )
    factor: float = controls.entry(
        controls.number,
        say("Factor α"),
        2.0,
        1.0,
        64.0,
        help=say("α of the dynamic scaling in the last picture."),
        under=MORE,
    )


def picture(s: Settings) -> screen.Picture:
    """The attention of all steps so far, the cache, and the errors of keys that became old."""
    encoding = s.make_encoding()
    cache = KVCache(encoding, rotate_on_write=s.rotate_on_write)
    with seat(s.memory):
        qkv = s.project(encoding)
        rotates = decoding.rotates_keys(encoding, qkv)
        device.synchronize(s.device)
        with screen.timed() as watch:
            decoded = decoding.decode(s, cache, qkv)
            device.synchronize(s.device)
    full = s.whole_pass(encoding, qkv)
    keys, values = cache.keys, cache.values
    assert keys is not None  # at least one step was decoded
    assert values is not None
    rotated = _(
        "{count} of {keys}", count=1 if s.rotate_on_write else s.decoding_step, keys=s.decoding_step
    )
    in_cache = _("in the cache")
    return screen.Picture(
        figures=[
            attention(s, decoded),
            cached_keys(s, encoding, qkv[1][0, s.head], keys[0, s.head], rotates),
            partial(changed_base, s),
        ],
        readouts={
            in_cache: f"2 × {tuple(keys.shape)}",
            _("bytes"): readable_bytes(keys.nbytes + values.nbytes),
            _("keys rotated in this step"): rotated if rotates else _("none"),
            _("largest difference from one full pass"): decoding.largest(decoded.output - full),
            _("computed in"): _(
                "{time:.0f} ms on {device} in {dtype}",
                time=watch.milliseconds,
                device=s.device.type,
                dtype=str(keys.dtype).removeprefix("torch."),
            ),
        },
        help={in_cache: _("Keys and values: (batch, heads, tokens, head_dim) each.")},
        code=lambda shown: (decoding.MODEL + CODE).format(
            **s.code_fields, rows=shown.rows, cols=shown.cols
        ),
    )


def attention(s: Settings, decoded: Decoded) -> screen.MatrixFigure:
    """A row for each step."""
    return decoding.attention(
        s,
        decoded.weights,
        decoded.steps,
        key=min(s.length - 1, 1),
        title=_(
            "Attention of head {head} after step {step} of {steps}, {encoding}",
            head=s.head,
            step=s.decoding_step,
            steps=s.length,
            encoding=s.title,
        ),
        alt=_(
            "Heatmap of attention: a row for each of {steps} steps, the last framed",
            steps=s.decoding_step,
        ),
        settings=s.program if s.encoding == "rope" else None,
        clicks={"stale": cell_there},
        caption=plural(
            "The framed row is that of the new query, over {count} cached key and its own. "
            "Embeddings and projections are random numbers; no model is trained here.",
            "The framed row is that of the new query, over {count} cached keys and its own. "
            "Embeddings and projections are random numbers; no model is trained here.",
            s.decoding_step - 1,
        ),
    )


def cached_keys(
    s: Settings, encoding: PositionalEncoding, made: Tensor, keys: Tensor, rotates: bool
) -> screen.MatrixFigure:
    """The keys in the cache: one row for each token so far; `made` are the keys before."""

    def steps(token: int, channel: int) -> tuple[Step, ...]:
        angles: Tensor | None = None
        layout: Layout = "interleaved"
        if type(encoding) is RoPE and s.rotate_on_write:
            angles = rope_angles(torch.tensor(token), encoding.inv_freq)
            layout = encoding.layout
        return cached_key_steps(
            made[token].cpu(), keys[token].cpu(), token, channel, angles, layout
        )

    count, width = keys.shape
    program = s.program | {"rotate_on_write": s.rotate_on_write}
    tokens = Axis(say("token"), count, live.token_labels(s.first_tokens)[:count])
    return screen.MatrixFigure(
        key="keys",
        quantity=Computed(
            keys.cpu(), say("key"), tokens, Axis(say("channel"), width), signed=True, explain=steps
        ),
        title=(
            _("Cached keys of head {head}, rotated", head=s.head)
            if rotates and s.rotate_on_write
            else _("Cached keys of head {head}, not rotated", head=s.head)
        ),
        alt=_(
            "Heatmap of the cached keys: a row for each of {tokens} tokens, a column for each of "
            "{channels} channels",
            tokens=count,
            channels=width,
        ),
        cell=(min(1, count - 1), 0),
        table=say("keys"),
        settings=program if s.encoding == "rope" else None,
        height=320,
        frame=((count - 1, count), (0, width)),
    )


def changed_base(s: Settings, shown: Shown) -> screen.ColumnFigure:
    """Scores of keys rotated under the base of their own time, minus those rotated anew."""
    rope = RoPE(s.head_dim, s.base, scaling=DynamicNTK(s.factor, s.original_length))
    with seat(2 * s.memory):
        qkv: Projected = s.project(rope)
        q, k, v = qkv
        written = (*rotate_when_written(rope, q, k), v)
        stale = decoding.decode(s, KVCache(NoPE()), written)
        fresh = decoding.decode(s, KVCache(rope), qkv)
    errors = stale.scores - fresh.scores

    def steps(query: int, key: int) -> tuple[Step, ...]:
        old = stale.steps(query, key, "scaled")
        value = errors[query, key].item()
        if value != value:
            return old
        names = (say("on write"), say("on read"))
        return difference_steps(old, fresh.steps(query, key, "scaled"), names, value)

    matrix = screen.MatrixFigure(
        key="stale",
        quantity=live.quantity(
            errors, s.first_tokens, say("score error"), signed=True, explain=steps
        ),
        title=_(
            "Score error of keys rotated on write: dynamic NTK, trained length {length}, head "
            "{head}",
            length=s.original_length,
            head=s.head,
        ),
        alt=_("Heatmap of the error that each score takes from a key cached under an older base"),
        cell=shown.cell,
        is_chosen=True,
        table=say("score errors"),
        settings={
            **s.program,
            "base": s.base,
            "alpha": s.factor,
            "trained": s.original_length,
        },
        height=430,
        frame=s.frame,
    )
    words = _(
        "Each row has the base that belongs to its length. Keys rotated on write keep the base of "
        "the step that cached them. Keys rotated on read follow the new base; their scores are the "
        "right ones."
    )
    row = s.decoding_step - 1, slice(s.decoding_step)
    readouts = {
        _("largest score error of this step"): decoding.largest(errors[row]),
        _("largest error of its attention"): decoding.largest((stale.weights - fresh.weights)[row]),
        _("largest error of its output"): decoding.largest(stale.output - fresh.output),
    }
    return screen.ColumnFigure(
        figures=[
            screen.WordsFigure(words, title=_("When the base grows with the text")),
            matrix,
            screen.ReadoutsFigure(readouts=readouts),
        ]
    )
