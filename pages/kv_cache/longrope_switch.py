"""LongRoPE: two lists of divisors, and a cache whose text outgrows the first of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from advisor import known_models
from pages.kv_cache import errors
from plots.lines import Series
from posenc import rope_inv_freq
from posenc.cache.steps import longrope_list_steps
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.reading.formula import Reading, mean_cosine
from posenc.reading.steps import mean_cosine_steps
from posenc.scaling import LongRoPE
from posenc.words import say
from ui import controls, screen
from ui.controls import MORE, rope
from ui.words import _, number

PHI3 = "Phi-3-mini-128k"
LISTS = {"phi_3": PHI3, "typed": say("typed")}
CURVE = 400


def typed_list(label: str, default: str) -> Any:
    """A list of divisors."""
    help = say("One number for each pair, up to 64; used when the lists are typed.")
    return controls.entry(controls.vector, label, default, help=help, under=MORE)


@dataclass(frozen=True, kw_only=True)
class Settings(errors.GrowingSettings):
    """A text under LongRoPE."""

    prompt: int = errors.prompt(4000)
    decoded: int = errors.decoded(200)
    lists: str = controls.entry(
        controls.choice,
        say("Lists"),
        LISTS,
        help=say("What the frequency of each pair is divided by. Under More you can type lists."),
    )
    short_factor: tuple[float, ...] = typed_list(say("Short list"), "1, 1, 1, 1")
    long_factor: tuple[float, ...] = typed_list(say("Long list"), "1, 2, 8, 32")
    switch_length: int = controls.entry(
        controls.number,
        say("Trained length L₀"),
        4096,
        2,
        2**20,
        step=1024,
        help=say("Texts that are longer than L₀ take the long list."),
        under=MORE,
    )
    longrope_base: float = rope.base(10000.0, under=MORE)

    @cached_property
    def frequencies(self) -> tuple[LongRoPE, int, float]:
        """The scaling, the width of the head and the base.

        Raises:
            ValueError: If the typed lists differ in length or hold a number that is not above 0.
        """
        if self.lists == "phi_3":
            scaling, base = known_lists(known_models()[PHI3].config)
        else:
            scaling = typed_lists(self.short_factor, self.long_factor, self.switch_length)
            base = self.longrope_base
        return scaling, 2 * len(scaling.short_factor), base


def known_lists(config: dict[str, Any]) -> tuple[LongRoPE, float]:
    """The scaling and the base of a known model's file."""
    original = config["original_max_position_embeddings"]
    lists = config["rope_scaling"]
    factor = config["max_position_embeddings"] / original
    scaling = LongRoPE(lists["short_factor"], lists["long_factor"], original, factor)
    return scaling, config["rope_theta"]


def typed_lists(short: tuple[float, ...], long: tuple[float, ...], original: int) -> LongRoPE:
    """The scaling of two typed lists; the attention factor does not matter here.

    Raises:
        ValueError: If the lists differ in length or hold a number that is not above 0.
    """
    if len(short) != len(long):
        raise ValueError(
            say(
                "long_factor must hold {wanted} numbers like short_factor; got {count}.",
                wanted=len(short),
                count=len(long),
            )
        )
    return LongRoPE(short, long, original, factor=1.0)


def picture(s: Settings) -> screen.Picture:
    """The lists, the errors of cached keys, and the jump of fresh ones."""
    scaling, _width, base = s.frequencies
    short, long = np.array(scaling.short_factor), np.array(scaling.long_factor)
    trained = scaling.original_length
    steepest = int((long / short).argmax())
    values = {
        "length": s.length,
        "switch": trained + 1,
        "pair": steepest,
        "ratio": long[steepest] / short[steepest],
        "errors": errors.errors_in_words(s),
    }
    both = {"short": short.tolist(), "long": long.tolist()}
    program = both | {"base": base, "trained": trained}
    more = {"prompt": s.prompt, "length": s.length, "is_stale": s.cache == "on_write"}
    return screen.Picture(
        figures=[
            list_curves(scaling, short, long, both),
            errors.errors(s, program | more, "list_errors"),
            jump(s, trained, program | {"points": CURVE}),
            s.config_links(trained),
        ],
        words=(
            _(
                "A text of **{length:,} tokens** takes the **long list**. Token {switch:,} "
                "switches, and pair {pair} then rotates {ratio:.3g} times more slowly at once. "
                "{errors}",
                **values,
            )
            if s.length > trained
            else _(
                "A text of **{length:,} tokens** takes the **short list**. Token {switch:,} "
                "switches, and pair {pair} then rotates {ratio:.3g} times more slowly at once. "
                "{errors}",
                **values,
            )
        ),
        readouts={
            _("short list"): ends(short),
            _("long list"): ends(long),
            _("largest ratio"): f"{number((long / short).max(), '.3g')} ×",
            _("switches at token"): number(trained + 1),
        },
    )


def ends(divisors: np.ndarray) -> str:
    """The least and the largest of a list."""
    return f"{number(divisors.min(), '.3g')} … {number(divisors.max(), '.3g')}"


def list_curves(
    scaling: LongRoPE, short: np.ndarray, long: np.ndarray, program: dict[str, Any]
) -> screen.LinesFigure:
    """Divisor of each pair in both lists, and their ratio."""
    return screen.LinesFigure(
        key="lists_drawn",
        alt=_("Curves of both lists and of their ratio"),
        x=np.arange(len(short)),
        series=[
            Series(_("short list"), short),
            Series(_("long list"), long),
            Series(_("ratio long ÷ short"), long / short),
        ],
        title=_("What each pair's frequency is divided by"),
        x_title=_("pair i, fastest first"),
        y_title=_("divisor"),
        log_y=True,
        steps=lambda curve, pair: longrope_list_steps(scaling, curve, pair),
        x_name=_("pair"),
        point=(2, int((long / short).argmax())),
        table=say("lists"),
        settings=program,
        height=380,
    )


def jump(s: Settings, trained: int, program: dict[str, Any]) -> screen.LinesFigure:
    """A query's view just before and just after the switch, all keys fresh."""
    scaling, width, base = s.frequencies
    distances = log_positions(trained + 1, CURVE)
    readings = {
        length: Reading(rope_inv_freq(width, base, scaling, length)[0])
        for length in (trained, trained + 1)
    }

    def steps(curve: int, distance: int) -> tuple[Step, ...]:
        length = trained + curve
        return mean_cosine_steps(readings[length], distance, length)

    return screen.LinesFigure(
        key="jump",
        alt=_("Two curves of the mean cosine against distance, one for each list"),
        x=distances,
        series=[
            Series(
                _("at {length:,} tokens", length=length),
                mean_cosine(reading, distances, length),
                marker="",
            )
            for length, reading in readings.items()
        ],
        title=_("The jump at the trained length: mean cosine of the pairs, keys and query alike"),
        x_title=_("distance m − n (tokens)"),
        y_title=_("mean of cos (m − n)θᵢ"),
        log_x=True,
        steps=steps,
        x_name=_("distance"),
        point=(1, int(distances[len(distances) // 2])),
        table=say("jump"),
        settings=program,
        height=320,
        caption=_(
            "Each curve is the score of two equal vectors of ones over d, without the attention "
            "factor, which is the same for both lists."
        ),
    )
