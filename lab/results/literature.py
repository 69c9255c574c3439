"""Claims of the literature on long contexts, each beside the results of the shipped runs.

A claim says no more than its source does, in the section that is named. What no source claims, or
not of models like these, is a hypothesis of ours and stands apart.

A criterion is what a claim's function compares, in words; the screen shows it. L is the training
length; near keys lie at most L tokens back, far keys beyond. How the real model is asked the same
stands in `on_real`.
"""

from collections.abc import Callable
from functools import lru_cache

import pandas as pd
import torch

from lab.model.methods import SLIDE
from lab.results.comparisons import Comparison, SeedValues
from lab.results.judging import Claim, Criterion, Judgement, judge, judge_real
from lab.results.on_real import ON_REAL
from lab.results.one_model import ModelResults
from lab.results.real import RealModel
from lab.results.tables import Results
from models.results.tables import Measured
from posenc import DynamicNTK, rope_inv_freq
from posenc.words import Sentence, say

CLOSE = 5.0  # points of recall that count as kept
CLOSE_BITS = 0.05  # bits per byte that count as the same
TUNED = 4
ROPE = ("rope-base128", "rope")
NEAR, FAR = say("near"), say("far")


CLAIMS: dict[str, Claim] = {}
"""By id."""


def claim(
    says: Sentence,
    source: Sentence,
    about: tuple[str, ...],
    criterion: Sentence,
    needs_recall: bool = False,
    name: str = "",
    is_ours: bool = False,
) -> Callable[[Criterion], Criterion]:
    """Put a claim on the list, by this name or else by that of the function that compares."""

    def listed(compare: Criterion) -> Criterion:
        known = name or compare.__name__.removeprefix("_")
        CLAIMS[known] = Claim(
            known,
            says,
            source,
            about,
            criterion,
            compare,
            needs_recall,
            is_ours,
            ON_REAL.get(known),
        )
        return compare

    return listed


@lru_cache(maxsize=2)
def judgements(results: Results) -> tuple[Judgement, ...]:
    """Every claim for every small model that it is about."""
    return tuple(judge(results, one, model) for one in CLAIMS.values() for model in one.about)


@lru_cache(maxsize=2)
def real_judgements(measured: Measured) -> tuple[Judgement, ...]:
    """Every claim that the real model can be asked."""
    real = RealModel(measured)
    found = (judge_real(real, one) for one in CLAIMS.values())
    return tuple(one for one in found if one is not None)


@claim(
    say("RoPE without scaling breaks beyond its training length"),
    say(
        "Chen et al. 2023, arXiv:2306.15595, section 2.2; Press et al. 2021, arXiv:2108.12409, "
        "section 2.2"
    ),
    ROPE,
    say("At 4L near recall is below the sliding window's, and text costs more bits than with it."),
)
def _plain_rope_breaks(m: ModelResults) -> list[Comparison]:
    near = m.near("none", 4).less(m.near(SLIDE, 4))
    return [
        Comparison(say("near at 4L, plain − window"), near, "below"),
        Comparison(say("text at 4L, plain − window"), m.text("none", 4), "above"),
    ]


@claim(
    say("Linear interpolation (PI) without fine-tuning hurts"),
    say("Chen et al. 2023, arXiv:2306.15595, section 3.2, table 3 at step 0"),
    ROPE,
    say("At 2L, interpolated with factor 2, near recall is below the sliding window's."),
)
def _interpolation_hurts(m: ModelResults) -> list[Comparison]:
    near = m.near("linear", 2).less(m.near(SLIDE, 2))
    return [Comparison(say("near at 2L, PI − window"), near, "below")]


@claim(
    say("NTK-aware scaling beats PI without fine-tuning"),
    say("bloc97 2023; Peng et al. 2023, arXiv:2309.00071, section 3.1"),
    ROPE,
    say("At 4L NTK recalls more than PI, near and far."),
)
def _ntk_beats_interpolation(m: ModelResults) -> list[Comparison]:
    return [
        Comparison(
            say("{part} at 4L, NTK − PI", part=part),
            read("ntk", 4).less(read("linear", 4)),
            "above",
        )
        for part, read in ((NEAR, m.near), (FAR, m.far))
    ]


@claim(
    say("NTK-aware scaling by s breaks before s · L"),
    say("Peng et al. 2023, arXiv:2309.00071, section 3.1"),
    ROPE,
    say(
        "At 4L, with factor 4, keys more than 3L back are recalled less often than keys L to 3L "
        "back."
    ),
)
def _ntk_breaks_early(m: ModelResults) -> list[Comparison]:
    drop = m.between("ntk", 4, 3, 4).less(m.between("ntk", 4, 1, 3))
    return [Comparison(say("at 4L, beyond 3L − L to 3L"), drop, "below")]


@claim(
    say("YaRN extends the context without fine-tuning"),
    say("Peng et al. 2023, arXiv:2309.00071, section 3.4"),
    ROPE,
    say("At 4L far recall is above the sliding window's and above plain RoPE's."),
)
def _yarn_extends(m: ModelResults) -> list[Comparison]:
    far = m.far("yarn", 4)
    return [
        Comparison(say("far at 4L, YaRN − window"), far.less(m.far(SLIDE, 4)), "above"),
        Comparison(say("YaRN − plain"), far.less(m.far("none", 4)), "above"),
    ]


@claim(
    say("YaRN without fine-tuning reads text better with more context"),
    say(
        "Peng et al. 2023, arXiv:2309.00071, section 4.3.1, show it of models that were fine-tuned "
        "with YaRN; these were not"
    ),
    ROPE,
    say("At 4L, without fine-tuning, text costs fewer bits than with a sliding window."),
    is_ours=True,
)
def _yarn_gains_on_text(m: ModelResults) -> list[Comparison]:
    return [Comparison(say("text at 4L, YaRN − window"), m.text("yarn", 4), "below")]


@claim(
    say("YaRN's temperature helps"),
    say("Peng et al. 2023, arXiv:2309.00071, section 3.4 and appendix A.2, by perplexity"),
    ROPE,
    say("At 8L and at 16L near recall is higher with the temperature than without it."),
)
def _temperature_helps(m: ModelResults) -> list[Comparison]:
    return [
        Comparison(
            say("near at {times}L, with − without", times=times),
            m.near("yarn", times).less(m.near("yarn_no_temperature", times)),
            "above",
        )
        for times in (8, 16)
    ]


@claim(
    say("YaRN beats the Llama-3 rule"),
    say("We know of no paper that compares the two without fine-tuning"),
    ROPE,
    say("At 16L YaRN recalls more, near and far."),
    is_ours=True,
)
def _yarn_beats_llama3(m: ModelResults) -> list[Comparison]:
    return [
        Comparison(
            say("{part} at 16L, YaRN − Llama-3", part=part),
            read("yarn", 16).less(read("llama3", 16)),
            "above",
        )
        for part, read in ((NEAR, m.near), (FAR, m.far))
    ]


@claim(
    say("Dynamic NTK leaves texts within L alone and still extends"),
    say("emozilla 2023; Peng et al. 2023, arXiv:2309.00071, section 3.3"),
    ROPE,
    say(
        "Up to L every frequency is that of plain RoPE; at 4L far recall is above the sliding "
        "window's."
    ),
)
def _dynamic_leaves_the_inside(m: ModelResults) -> list[Comparison]:
    far = m.far("dynamic_ntk", 4).less(m.far(SLIDE, 4))
    spec = m.spec("recall")
    args = spec.head_dim, spec.setting("base")
    plain, _ = rope_inv_freq(*args)
    dynamic = DynamicNTK(2.0, spec.train_length)
    changed = sum(
        not torch.equal(rope_inv_freq(*args, scaling=dynamic, length=n)[0], plain)
        for n in range(1, spec.train_length + 1)
    )
    exact = pd.Series(0.0, far.values.index)
    return [
        Comparison(
            say("with another frequency, up to L"),
            SeedValues(exact + changed, exact, "lengths"),
            "below",
            0.5,
        ),
        Comparison(say("far at 4L, dynamic − window"), far, "above"),
    ]


def _nothing(m: ModelResults) -> list[Comparison]:
    """No comparison: of a claim that no small model is asked."""
    return []


claim(
    say("A static factor costs short texts something"),
    say("Peng et al. 2023, arXiv:2309.00071, section 3.3, of a fixed scale at lengths below L"),
    (),
    say("The small models were read by n / L at each length, so short texts were never stretched."),
    name="short_texts_pay",
)(_nothing)
claim(
    say("Without fine-tuning, YaRN finds keys in texts longer than in training"),
    say(
        "Chen et al. 2023, arXiv:2306.15595, table 4, and Peng et al. 2023, arXiv:2309.00071, "
        "section 4.3.2, show it of models that were fine-tuned; this one was not"
    ),
    (),
    say("The recall of far keys under YaRN is judged above, in a claim of its own."),
    name="keys_beyond",
    is_ours=True,
)(_nothing)


@claim(
    say("A short fine-tuning suffices with PI, and does not without scaling"),
    say("Chen et al. 2023, arXiv:2306.15595, section 3.3, table 4, by passkey retrieval"),
    ROPE,
    say("After 100 updates at 4L far recall with PI is above what it was and above plain RoPE's."),
)
def _interpolation_recovers(m: ModelResults) -> list[Comparison]:
    after = m.far("linear", 4, TUNED)
    return [
        Comparison(say("far at 4L, PI after − before"), after.less(m.far("linear", 4)), "above"),
        Comparison(say("after, PI − unscaled"), after.less(m.far("none", 4, TUNED)), "above"),
    ]


@claim(
    say("After fine-tuning, YaRN is better than PI and than NTK"),
    say("Peng et al. 2023, arXiv:2309.00071, section 3.4"),
    ROPE,
    say("After 100 updates at 4L far recall with YaRN is above that with PI and that with NTK."),
)
def _yarn_is_best_tuned(m: ModelResults) -> list[Comparison]:
    after = m.far("yarn", 4, TUNED)
    return [
        Comparison(say("far at 4L, YaRN − PI"), after.less(m.far("linear", 4, TUNED)), "above"),
        Comparison(say("YaRN − NTK"), after.less(m.far("ntk", 4, TUNED)), "above"),
    ]


@claim(
    say("ALiBi extrapolates: longer texts do it no harm"),
    say("Press et al. 2021, arXiv:2108.12409, section 4"),
    ("alibi",),
    say(
        "At 16L near recall is less than 5 points below the sliding window's, and text costs less "
        "than 0.05 bits more than with it."
    ),
    needs_recall=True,
)
def _alibi_keeps_near(m: ModelResults) -> list[Comparison]:
    near = m.near("none", 16).less(m.near(SLIDE, 16))
    text = m.text("none", 16)
    return [
        Comparison(say("near at 16L, ALiBi − window"), near, "above", -CLOSE),
        Comparison(say("text at 16L, ALiBi − window"), text, "below", CLOSE_BITS),
    ]


@claim(
    say("What ALiBi can look back to fades with distance"),
    say("Press et al. 2021, arXiv:2108.12409, section 3: a bias towards recency"),
    ("alibi",),
    say("Far recall at 16L is below far recall at 2L."),
    needs_recall=True,
)
def _alibi_fades(m: ModelResults) -> list[Comparison]:
    fall = m.far("none", 16).less(m.far("none", 2))
    return [Comparison(say("far, 16L − 2L"), fall, "below")]


@claim(
    say("On text ALiBi gains nothing over a sliding window"),
    say("Press et al. 2021, arXiv:2108.12409, appendix B"),
    ("alibi",),
    say("At 16L text costs neither 0.05 bits less nor 0.05 bits more than with the window."),
)
def _alibi_gains_nothing_on_text(m: ModelResults) -> list[Comparison]:
    text = m.text("none", 16)
    return [
        Comparison(say("text at 16L, ALiBi − window"), text, "above", -CLOSE_BITS),
        Comparison(say("the same"), text, "below", CLOSE_BITS),
    ]


def _reaches(m: ModelResults) -> list[Comparison]:
    near = m.near("none", 4).less(m.near(SLIDE, 4))
    return [
        Comparison(say("near at 4L, whole − window"), near, "above", -CLOSE),
        Comparison(say("far at 4L"), m.far("none", 4), "above", 50.0),
    ]


for _encoding, _says, _source, _is_ours in (
    (
        "kerple",
        say("Kerple extrapolates"),
        say("Chi et al. 2022, arXiv:2205.09921, abstract, by perplexity"),
        False,
    ),
    ("fire", say("FIRE extrapolates"), say("Li et al. 2023, arXiv:2310.04418, abstract"), False),
    (
        "sandwich",
        say("Sandwich extrapolates"),
        say("Chi et al. 2022, arXiv:2212.10356, abstract, by perplexity"),
        False,
    ),
    (
        "nope",
        say("No encoding (NoPE) extrapolates"),
        say("Kazemnejad et al. 2023, arXiv:2305.19466, figure 1, on ten small tasks"),
        False,
    ),
    (
        "cope",
        say("CoPE extrapolates on recall"),
        say(
            "Golovneva et al. 2024, arXiv:2405.18719, abstract, claim counting, copying and "
            "flip-flop tasks"
        ),
        True,
    ),
    (
        "xpos",
        say("xPos extrapolates with attention to the whole text"),
        say(
            "Sun et al. 2022, arXiv:2212.10554, section 3.2, claim it together with blockwise "
            "attention, which these runs do not have"
        ),
        True,
    ),
    (
        "t5",
        say("T5's bias extrapolates"),
        say(
            "In figure 1 of Press et al. 2021, arXiv:2108.12409, T5's bias degrades beyond the "
            "training length too, later than sinusoidal and rotary positions"
        ),
        True,
    ),
):
    claim(
        _says,
        _source,
        (_encoding,),
        say(
            "At 4L near recall is less than 5 points below the sliding window's, and far recall "
            "is above 50 %."
        ),
        needs_recall=True,
        name=f"{_encoding}_reaches",
        is_ours=_is_ours,
    )(_reaches)


@claim(
    say("Absolute positions do not extrapolate"),
    say(
        "Press et al. 2021, arXiv:2108.12409, section 2.2, of sinusoidal ones; the rows of a "
        "learned table beyond L were never trained"
    ),
    ("sinusoidal", "learned"),
    say("At 2L text costs more bits than with the model's own sliding window."),
)
def _absolute_breaks(m: ModelResults) -> list[Comparison]:
    return [Comparison(say("text at 2L, whole − window"), m.text("none", 2), "above")]


@claim(
    say("CoPE counts where other encodings cannot"),
    say("Golovneva et al. 2024, arXiv:2405.18719, abstract"),
    ("cope-max_positions16", "cope"),
    say("At 4L it errs less often than each of ALiBi, RoPE and learned positions."),
)
def _cope_counts(m: ModelResults) -> list[Comparison]:
    mine = m.counting(m.model, 4)
    others = {"alibi": "ALiBi", "rope": "RoPE", "learned": say("learned")}
    return [
        Comparison(
            say("wrong at 4L, CoPE − {other}", other=name), mine.less(m.counting(model, 4)), "below"
        )
        for model, name in others.items()
    ]
