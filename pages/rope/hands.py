"""RoPE as two hands: the query's and the key's on every clock, and the arc that the score sees."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from pages.rope.settings import RopeSettings
from plots.figure import Figure
from plots.lines import Series, lines
from plots.style import MAX_POINTS, shade_outside_training
from posenc import Scaling, rope_angles, rope_cos_sin, rope_inv_freq, rope_wavelengths
from posenc.quantity.sampling import even_positions
from posenc.rope.pairs import Layout, split_pairs
from posenc.rope.score import pair_products, rope_score_at_distance, rope_score_terms
from posenc.rope.steps import arc_steps
from posenc.scaling.coverage import last_shown_angle
from posenc.scaling.methods import METHODS, Case
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.follow import follow
from ui.charts.moving import moving, reported
from ui.charts.points import Coordinate, PointField
from ui.notebooks import Code
from ui.text.tokens import word_tokens
from ui.words import _, plural, translate

KEY, PAIR = "hands", "hands_pair"
SHOWN = ("none", "linear", "ntk", "yarn")
CONTENTS = {"alike": say("left out"), "own": say("q and k")}
MOST_WORDS = 64
MAX_CHARS = 2000
HEIGHT = 560
SENTENCE = (
    "The keeper of the lighthouse wound its great old clock every evening before "
    "the ships came home because her mother had told her that a clock which stops "
    "will forget the sea"
)
WORDS = {
    "bothOn": say("Both +1"),
    "bothBack": say("Both −1"),
    "play": say("Play"),
    "pause": say("Pause"),
    "addUp": say("Add up"),
    "method": say("Read with"),
    "content": say("Content"),
    "queryHandle": say("Position of the query"),
    "keyHandle": say("Position of the key"),
    "bothHandle": say("Query and key together"),
    "uptoHandle": say("Pairs that are added up"),
    "atWord": say("position {place}, “{word}”"),
    "atPlace": say("position {place}"),
    "bothAt": say("query at {m}, key at {n}, {distance} apart"),
    "uptoAt": say("{count} of {pairs} pairs"),
    "dials": say("The {pairs} pairs"),
    "pair": say("pair {pair}"),
    "turn": say("turns in {count}"),
    "dial": say("Pair {pair}: arc of {arc} radians, adds {term}"),
    "dialNew": say("Pair {pair}: arc of {arc} radians, never met in training, adds {term}"),
    "followed": say(
        "Pair {pair}: θ = {theta}. The query has turned by m·θ = {query}, the key by n·θ = {key}; "
        "the arc between them is (m − n)·θ = {arc}, its cosine {cosine}. The pair adds {term}."
    ),
    "sums": say("What each pair adds"),
    "curve": say("Their sum q·k against the distance"),
    "part": say("Sum of the first {count} of {pairs} pairs"),
    "beyond": say("beyond training"),
    "stand": say("Query at {m}, key at {n}: {distance} apart, and the score is {score}."),
    "covered": say("Every arc ends where training has been."),
    "slowed": say(
        "The two are further apart than any two words of training, yet every arc ends where "
        "training has been: the hands were slowed."
    ),
    "factor": say("The method also multiplies every score by {factor}."),
    "passed": say("The channels that are not rotated add {passed}."),
    "unseen": say(
        "Red: arcs that end where training never was, outside the shaded part of their dial. They "
        "are {count} of {pairs}."
    ),
}
"""What the browser's half says, by its names there."""


@dataclass(frozen=True)
class Reading:
    """What the controls of this picture say."""

    trained: int
    """L₀, positions of the training."""
    words: list[str]
    """On the first positions; none where there are too many positions for words."""


@dataclass(frozen=True)
class Content:
    """A query and a key, and how their channels are paired."""

    query: Tensor
    key: Tensor
    layout: Layout
    code: str
    """Python that makes `query` and `key`."""
    vectors: Code
    """An expression of numpy that makes both."""


@dataclass(frozen=True)
class Turned:
    """The frequencies of one method."""

    scaling: Scaling | None
    inv_freq: Tensor
    factor: float
    """On rotated queries and keys."""


@dataclass(frozen=True)
class Scene:
    """Everything that the picture can show, and where it stands."""

    settings: RopeSettings
    reading: Reading
    methods: Mapping[str, Turned]
    contents: Mapping[str, Content]
    method: str
    content: str
    m: int
    n: int

    @property
    def turned(self) -> Turned:
        """The frequencies of the chosen method."""
        return self.methods[self.method]

    @property
    def words(self) -> Content:
        """The chosen query and key."""
        return self.contents[self.content]

    def score(self, distances: Tensor) -> Tensor:
        """q·k at some distances, (n,)."""
        one, c = self.turned, self.words
        return rope_score_at_distance(c.query, c.key, one.inv_freq, distances, c.layout, one.factor)

    def terms(self) -> Tensor:
        """What each pair adds to the score, (pairs,)."""
        one = self.turned
        c = self.words
        distance = torch.tensor([self.m - self.n])
        return rope_score_terms(c.query, c.key, one.inv_freq, distance, c.layout, one.factor)[0]


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    if report is None:
        return
    for key in ("m", "n"):
        if isinstance(place := report.get(key), int) and 0 <= place < 2**27:
            controls.put(key, place)
    for key, allowed in (("method", SHOWN), ("content", tuple(CONTENTS))):
        if report.get(key) in allowed:
            controls.put(key, report[key])
    if isinstance(pair := report.get("pair"), int):
        controls.put(PAIR, str(pair))


def read(length: int) -> Reading:
    """Draw the controls of this picture below those of the screen."""
    trained = controls.powers(
        "trained",
        _("Trained length L₀"),
        16,
        4,
        2**27,
        help=_("Positions in training; 4096 in Llama 2. A method stretches longer texts to fit."),
    )
    if length > MOST_WORDS:
        return Reading(trained, [])
    text = controls.text(
        "text",
        _("Words"),
        SENTENCE,
        max_chars=MAX_CHARS,
        help=_("One word for each position, up to {most} of them.", most=MOST_WORDS),
    )
    return Reading(trained, word_tokens(text).texts[:length])


def show(s: RopeSettings, reading: Reading) -> screen.ScreenView:
    """The picture, one pair followed, tables and the program."""
    methods = stretched(s, reading.trained)
    contents = {"alike": alike(len(s.inv_freq)), "own": own(s)}
    m = min(s.positions[0], s.length - 1)
    n = min(s.positions[1], m)
    method = controls.held("method", _("Read with"), [*methods], "none")
    content = controls.held("content", _("Content"), CONTENTS, "alike")
    scene = Scene(s, reading, methods, contents, method, content, m, n)
    picture = st.container()
    st.caption(
        _(
            "A dial is a pair of channels; its hands turn counterclockwise, the query's by m·θ and "
            "the key's by n·θ, from the right where the content is left out. The grey sector is "
            "the arc between them, and a dotted ring says that it has come round at least once. "
            "Shaded is every arc of the training. A dashed curve is the score without scaling, the "
            "thin one what the chosen pair adds."
        )
    )
    if (m, n) != s.positions:
        st.caption(
            _(
                "The picture has positions up to {last:,}, and the key stands at or before the "
                "query: m = {m:,} and n = {n:,} are shown.",
                last=s.length - 1,
                m=m,
                n=n,
            )
        )
    pairs = Coordinate(_("pair"), range(len(s.inv_freq)))
    field = PointField(PAIR, say("dial"), (pairs,), (0,), {}, width=160)
    (pair,) = chosen = field.choose()
    words = scene.words
    product, _passed = pair_products(words.query, words.key, len(s.inv_freq), words.layout)
    steps = arc_steps((m, n), pair, scene.turned.inv_freq, product, scene.turned.factor)
    follow(steps, key=KEY, place=field.words(chosen))
    with picture:
        draw(scene, pair)
    return screen.ScreenView(lambda: tables(scene), program(scene))


def stretched(s: RopeSettings, trained: int) -> dict[str, Turned]:
    """The methods that can be made here, by id: a single pair has no larger base for NTK."""
    case = Case(max(1.0, s.length / trained), trained, inv_freq=s.inv_freq)
    made = {}
    for name in SHOWN:
        if name == "ntk" and len(s.inv_freq) == 1:
            continue
        scaling = METHODS[name].scaling(case)
        made[name] = Turned(scaling, *rope_inv_freq(s.rope.rotary_dim, s.rope.base, scaling))
    return made


def alike(pairs: int) -> Content:
    """Every pair of query and key is (1, 0): all hands start to the right, each adds a cosine."""
    vector = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(pairs)
    code = f"query = key = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat({pairs})\n"
    both = Code(f"np.resize([1.0, 0.0], (2, {2 * pairs}))")
    return Content(vector, vector, "interleaved", code, both)


def own(s: RopeSettings) -> Content:
    """The query and the key of the controls."""
    return Content(s.query, s.key, s.rope.layout, s.vectors_code, s.vectors)


def draw(scene: Scene, pair: int) -> None:
    """Hand the numbers of every method and content to the browser, once."""
    s = scene.settings
    reading = scene.reading
    pairs = len(scene.settings.inv_freq)
    alt = _(
        "Words with a query and a key on them, a dial with two hands for each of {pairs} pairs, "
        "and their score against the distance",
        pairs=pairs,
    )
    trained = plural(
        "trained on {count:,} position", "trained on {count:,} positions", reading.trained
    )
    methods = [
        {
            "id": name,
            "label": translate(METHODS[name].title),
            "theta": one.inv_freq.tolist(),
            "factor": one.factor,
        }
        for name, one in scene.methods.items()
    ]
    contents = {
        name: {"label": translate(CONTENTS[name])} | numbers(one, pairs)
        for name, one in scene.contents.items()
    }
    at = {"m": scene.m, "n": scene.n, "pair": pair}
    data = {
        "alt": alt,
        "told": {name: translate(text) for name, text in WORDS.items()} | {"trained": trained},
        "at": at | {"method": scene.method, "content": scene.content},
        "length": s.length,
        "trained": reading.trained,
        "pairs": pairs,
        "words": reading.words,
        "limit": last_shown_angle(s.inv_freq, reading.trained).clamp(max=1e300).tolist(),
        "methods": methods,
        "contents": contents,
    }
    still = curve(scene)
    notebooks.computed(
        KEY,
        [f"methods/{scene.method}"],
        vectors=scene.words.vectors,
        **s.head,
        layout=scene.words.layout,
        length=s.length,
        points=MAX_POINTS,
        k=max(1.0, s.length / reading.trained),
        trained=reading.trained,
        methods=[scene.method],
        alpha=2.0,
    )
    moving("hands", data, key=KEY, height=HEIGHT, still=still)


def numbers(content: Content, pairs: int) -> dict[str, Any]:
    """What turns and lengthens the hands: angle and length of every pair of query and key."""
    product, passed = pair_products(content.query, content.key, pairs, content.layout)
    found: dict[str, Any] = {"dot": product.real.tolist(), "cross": (-product.imag).tolist()}
    for name, vector in (("query", content.query), ("key", content.key)):
        hands = torch.complex(*split_pairs(vector[: 2 * pairs], content.layout))
        longest = hands.abs().max().clamp(min=1e-300)
        found[f"{name}Angle"] = hands.angle().tolist()
        found[f"{name}Size"] = (hands.abs() / longest).tolist()
    return found | {"passed": passed}


def curve(scene: Scene) -> Figure:
    """The score against the distance as a figure that stands still: for the file of pictures."""
    distances = even_positions(scene.settings.length, MAX_POINTS)
    figure = lines(
        distances.numpy(),
        [Series("q·k", scene.score(distances).numpy(), marker="")],
        title=_("Score against the distance"),
        x_title=_("distance m − n (tokens)"),
        y_title="q·k",
    )
    return shade_outside_training(figure, scene.reading.trained - 0.5, scene.settings.length - 1)


def tables(scene: Scene) -> screen.Frames:
    """What the dials show, pair by pair, and the curves of all methods."""
    s, one, m, n = scene.settings, scene.turned, scene.m, scene.n
    query, key, arc = rope_angles(torch.tensor([m, n, m - n]), one.inv_freq)
    dials: dict[str, np.ndarray] = {
        "θ": one.inv_freq.numpy(),
        _("positions for a full turn"): rope_wavelengths(one.inv_freq).numpy(),
        "m·θ": query.numpy(),
        "n·θ": key.numpy(),
        "(m − n)·θ": arc.numpy(),
        _("widest arc of training"): ((scene.reading.trained - 1) * s.inv_freq).numpy(),
        _("cosine of the arc"): rope_cos_sin(torch.tensor([m - n]), one.inv_freq)[0][0].numpy(),
        _("adds to the score"): scene.terms().numpy(),
    }
    distances = even_positions(s.length, MAX_POINTS)
    curves = {
        translate(METHODS[name].title): replace(scene, method=name).score(distances).numpy()
        for name in scene.methods
    }
    return {
        _("pairs"): screen.curve_frame(_("pair"), range(len(s.inv_freq)), dials),
        _("distance"): screen.curve_frame(_("distance"), distances.numpy(), curves),
    }


def program(scene: Scene) -> str:
    """The numbers of the dials and their sum, by posenc alone."""
    rope = scene.settings.rope
    content = scene.words
    places = f"query, key, inv_freq, distance, {content.layout!r}, factor"
    return (
        f"scaling = {scene.turned.scaling!r}\n"
        f"inv_freq, factor = rope_inv_freq({rope.rotary_dim}, {rope.base}, scaling)\n"
        f"{content.code}"
        f"distance = torch.tensor([{scene.m} - {scene.n}])\n"
        f"values = rope_score_terms({places})[0]\n"
        f"score = rope_score_at_distance({places})\n"
        "print(values, score.item())\n"
    )
