"""RoPE as two hands: the query's and the key's on every clock, and the arc that the score sees."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pages.rope import settings
from plots.figure import Figure
from plots.lines import Series, lines
from plots.style import MAX_POINTS, shade_outside_training
from posenc import rope_angles, rope_cos_sin, rope_inv_freq
from posenc.quantity.sampling import even_positions
from posenc.quantity.step import Step
from posenc.rope.pairs import Layout, split_pairs
from posenc.rope.score import pair_products, rope_score_at_distance, rope_score_terms
from posenc.rope.steps import arc_steps
from posenc.scaling import Scaling
from posenc.scaling.coverage import last_shown_angle
from posenc.scaling.methods import METHODS, Case
from posenc.study import rope_wavelengths
from posenc.words import say
from ui import controls, screen
from ui.charts.moving import reported
from ui.charts.points import Coordinate, PointField
from ui.controls import rope
from ui.notebooks import Code
from ui.text.tokens import word_tokens
from ui.words import _, plural, translate

KEY = "hands"
PAIR = "hands_pair"
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
    "curve": say("Their sum, (Rₘq)·(Rₙk), against the distance"),
    "part": say("Sum of the first {count} of {pairs} pairs"),
    "beyond": say("beyond training"),
    "stand": say("Query at {m}, key at {n}: {distance} apart, and the score is {score}."),
    "covered": say("Every arc ends at an angle that training has seen."),
    "slowed": say(
        "The two are further apart than any two words of training, yet every arc ends at an "
        "angle that training has seen: the hands were slowed."
    ),
    "factor": say("The method also multiplies what each pair adds by {factor}."),
    "passed": say("The channels that are not rotated add {passed}."),
    "unseen": say(
        "Red: arcs that end where training never was, outside the shaded part of their dial. They "
        "are {count} of {pairs}."
    ),
}
"""Interface words of the browser side, by its names for them."""


@dataclass(frozen=True)
class Content:
    """A query and a key, and how their channels are paired."""

    query: Tensor
    key: Tensor
    layout: Layout
    vectors: Code
    """An expression of numpy that makes both."""


@dataclass(frozen=True)
class Turned:
    scaling: Scaling | None
    inv_freq: Tensor
    factor: float
    """On rotated queries and keys."""


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Places):
    """Settings of the picture, but for the pair that is followed."""

    layout: Layout = controls.entry(
        controls.choice,
        say("Layout"),
        settings.LAYOUTS,
        help=settings.CHANNELS,
        under=rope.QUERY_AND_KEY,
    )
    trained: int = controls.entry(
        controls.powers,
        say("Trained length L₀"),
        16,
        4,
        settings.LENGTHS,
        help=say("Positions in training; 4096 in Llama 2. A method stretches longer texts to fit."),
    )
    text: str = controls.entry(
        controls.text,
        say("Words"),
        SENTENCE,
        max_chars=MAX_CHARS,
        help=say("One word for each position, up to {most} of them.", most=MOST_WORDS),
        when=lambda s: s.length <= MOST_WORDS,
    )
    method: str = controls.entry(
        controls.held,
        say("Read with"),
        # A single pair has no larger base for NTK.
        lambda s: [one for one in SHOWN if one != "ntk" or (s.rotary_dim or s.head_dim) > 2],
    )
    content: str = controls.entry(controls.held, say("Content"), CONTENTS)

    @property
    def words(self) -> list[str]:
        """On the first positions; none where there are too many positions for words."""
        return word_tokens(self.text).texts[: self.length] if self.length <= MOST_WORDS else []

    @property
    def stretch(self) -> float:
        """How many times as long as the training the text is."""
        return max(1.0, self.length / self.trained)

    @property
    def places(self) -> tuple[int, int]:
        """Positions of the query and of the key, which stands at or before it, within the text."""
        m = min(self.m, self.length - 1)
        return m, min(self.n, m)

    @cached_property
    def methods(self) -> dict[str, Turned]:
        """The methods that can be made here, by id."""
        case = Case(self.stretch, self.trained, inv_freq=self.inv_freq)
        scalings = {
            name: METHODS[name].scaling(case) for name in SHOWN if name != "ntk" or self.pairs > 1
        }
        return {
            name: Turned(scaling, *rope_inv_freq(self.rope.rotary_dim, self.base, scaling))
            for name, scaling in scalings.items()
        }

    @cached_property
    def contents(self) -> dict[str, Content]:
        """Vectors that the hands can show, by id."""
        return {"alike": alike(self.pairs), "own": own(self)}

    @property
    def turned(self) -> Turned:
        """The frequencies of the chosen method."""
        return self.methods[self.method]

    @property
    def chosen(self) -> Content:
        return self.contents[self.content]

    def score(self, distances: Tensor, method: str) -> Tensor:
        """(Rₘq)·(Rₙk) at some distances, (n,)."""
        c = self.chosen
        one = self.methods[method]
        return rope_score_at_distance(c.query, c.key, one.inv_freq, distances, c.layout, one.factor)


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    for key in ("m", "n"):
        if isinstance(place := report.get(key), int) and 0 <= place < settings.LENGTHS:
            controls.put(key, place)
    for key, allowed in (("method", SHOWN), ("content", tuple(CONTENTS))):
        if report.get(key) in allowed:
            controls.put(key, report[key])
    if isinstance(pair := report.get("pair"), int):
        controls.put(PAIR, str(pair))


def picture(s: Settings) -> screen.Picture:
    """The hands, one pair followed."""
    m, n = s.places
    captions = [
        _(
            "A dial is a pair of channels; its hands turn counterclockwise, the query's by m·θ and "
            "the key's by n·θ, from the right where the content is left out. The grey sector is "
            "the arc between them, and a dotted ring says that it is more than a full turn. "
            "Shaded is every arc of the training. A dashed curve is the score without scaling, the "
            "thin one what the chosen pair adds."
        )
    ]
    if (m, n) != (s.m, s.n):
        captions.append(
            _(
                "The picture has positions up to {last:,}, and the key stands at or before the "
                "query: m = {m:,} and n = {n:,} are shown.",
                last=s.length - 1,
                m=m,
                n=n,
            )
        )
    trained = plural("trained on {count:,} position", "trained on {count:,} positions", s.trained)
    sent = data(s)
    figure = screen.MovingFigure(
        key=KEY,
        alt=_(
            "Words with a query and a key on them, a dial with two hands for each of {pairs} "
            "pairs, and their score against the distance",
            pairs=s.pairs,
        ),
        words=WORDS | {"trained": trained},
        data=lambda pair: {**sent, "at": sent["at"] | {"pair": pair[0]}},
        still=lambda _pair: curve(s),
        settings=lambda _pair: program(s),
        height=HEIGHT,
        field=PointField(
            PAIR, say("dial"), (Coordinate(_("pair"), range(s.pairs)),), (0,), {}, width=160
        ),
        steps=lambda pair: steps(s, *pair),
        parts=[f"methods/{s.method}"],
        captions=captions,
        tables=lambda: tables(s),
    )
    return screen.Picture(figures=[figure])


def steps(s: Settings, pair: int) -> tuple[Step, ...]:
    """From the places of both words to what a pair adds."""
    c = s.chosen
    product, _passed = pair_products(c.query, c.key, s.pairs, c.layout)
    return arc_steps(s.places, pair, s.turned.inv_freq, product, s.turned.factor)


def alike(pairs: int) -> Content:
    """Every pair of query and key is (1, 0): all hands start to the right, each adds a cosine."""
    vector = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(pairs)
    both = Code(f"np.resize([1.0, 0.0], (2, {2 * pairs}))")
    return Content(vector, vector, "interleaved", both)


def own(s: Settings) -> Content:
    """The query and the key of the controls."""
    return Content(*s.query_and_key, s.layout, s.vectors_program(s.head_dim))


def program(s: Settings) -> dict[str, Any]:
    """Settings of the score for a program."""
    return {
        **s.program,
        "vectors": s.chosen.vectors,
        "layout": s.chosen.layout,
        "length": s.length,
        "points": MAX_POINTS,
        "k": s.stretch,
        "trained": s.trained,
        "methods": [s.method],
        "alpha": 2.0,
        "m": s.places[0],
        "n": s.places[1],
    }


def data(s: Settings) -> dict[str, Any]:
    """The numbers of every method and content, which the browser gets once."""
    m, n = s.places
    methods = [
        {
            "id": name,
            "label": translate(METHODS[name].title),
            "theta": one.inv_freq.tolist(),
            "factor": one.factor,
        }
        for name, one in s.methods.items()
    ]
    contents = {
        name: {"label": translate(CONTENTS[name])} | numbers(one, s.pairs)
        for name, one in s.contents.items()
    }
    return {
        "at": {"m": m, "n": n, "method": s.method, "content": s.content},
        "length": s.length,
        "trained": s.trained,
        "pairs": s.pairs,
        "words": s.words,
        "limit": last_shown_angle(s.inv_freq, s.trained).clamp(max=1e300).tolist(),
        "methods": methods,
        "contents": contents,
    }


def numbers(content: Content, pairs: int) -> dict[str, Any]:
    """Angle and length of every pair of query and key, which turn and lengthen the hands."""
    product, passed = pair_products(content.query, content.key, pairs, content.layout)
    found: dict[str, Any] = {"dot": product.real.tolist(), "cross": (-product.imag).tolist()}
    for name, vector in (("query", content.query), ("key", content.key)):
        hands = torch.complex(*split_pairs(vector[: 2 * pairs], content.layout))
        longest = hands.abs().max().clamp(min=1e-300)
        found[f"{name}Angle"] = hands.angle().tolist()
        found[f"{name}Size"] = (hands.abs() / longest).tolist()
    return found | {"passed": passed}


def curve(s: Settings) -> Figure:
    """The score against the distance as a figure that stands still: for the file of pictures."""
    distances = even_positions(s.length, MAX_POINTS)
    figure = lines(
        distances.numpy(),
        [Series("(Rₘq)·(Rₙk)", s.score(distances, s.method).numpy(), marker="")],
        title=_("Score against the distance"),
        x_title=_("distance m − n (tokens)"),
        y_title="(Rₘq)·(Rₙk)",
    )
    return shade_outside_training(figure, s.trained - 0.5, s.length - 1)


def tables(s: Settings) -> screen.Frames:
    """The dials pair by pair, and the curves of all methods, as tables."""
    m, n = s.places
    theta = s.turned.inv_freq
    factor = s.turned.factor
    query, key, arc = rope_angles(torch.tensor([m, n, m - n]), theta)
    distance = torch.tensor([m - n])
    c = s.chosen
    dials: dict[str, np.ndarray] = {
        "θ": theta.numpy(),
        _("positions for a full turn"): rope_wavelengths(theta).numpy(),
        "m·θ": query.numpy(),
        "n·θ": key.numpy(),
        "(m − n)·θ": arc.numpy(),
        _("widest arc of training"): ((s.trained - 1) * s.inv_freq).numpy(),
        _("cosine of the arc"): rope_cos_sin(distance, theta)[0][0].numpy(),
        _("adds to the score"): rope_score_terms(c.query, c.key, theta, distance, c.layout, factor)[
            0
        ].numpy(),
    }
    distances = even_positions(s.length, MAX_POINTS)
    curves = {
        translate(METHODS[name].title): s.score(distances, name).numpy() for name in s.methods
    }
    return {
        _("pairs"): screen.curve_frame(_("pair"), range(s.pairs), dials),
        _("distance"): screen.curve_frame(_("distance"), distances.numpy(), curves),
    }
