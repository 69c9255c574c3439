"""Claims of the literature on long contexts, each beside the results of the shipped runs.

A claim says no more than its source does, in the section that is named. What no source claims, or
not of models like these, is a hypothesis of ours and stands apart.

A criterion is what a claim compares, in words; the screen shows it. L is the training length; near
keys lie at most L tokens back, far keys beyond. How the real model is asked the same stands in
`on_real`.
"""

from functools import lru_cache

import pandas as pd
import torch

from lab.model.methods import SLIDE
from lab.results.comparisons import Comparison, SeedValues
from lab.results.judging import Claim, Judgement, judge, judge_real
from lab.results.on_real import ON_REAL
from lab.results.one_model import ModelResults
from lab.results.real import RealModel
from lab.results.tables import Results
from models.results.tables import Measured
from posenc import rope_inv_freq
from posenc.scaling import DynamicNTK
from posenc.words import say

CLOSE = 5.0  # points of recall that count as kept
CLOSE_BITS = 0.05  # bits per byte that count as the same
TUNED = 4
ROPE = ("rope-base128", "rope")


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


def _dynamic(m: ModelResults) -> list[Comparison]:
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


def _extrapolates(m: ModelResults) -> list[Comparison]:
    near = m.near("none", 4).less(m.near(SLIDE, 4))
    return [
        Comparison(say("near at 4L, whole − window"), near, "above", -CLOSE),
        Comparison(say("far at 4L"), m.far("none", 4), "above", 50.0),
    ]


EXTRAPOLATES = (
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
)
"""Encodings of which it is claimed, with the claim, its source, and whether it is ours."""

_ALL = (
    Claim(
        "plain_rope_breaks",
        say("RoPE without scaling breaks beyond its training length"),
        say(
            "Chen et al. 2023, arXiv:2306.15595, section 2.2; Press et al. 2021, arXiv:2108.12409, "
            "section 2.2"
        ),
        ROPE,
        say(
            "At 4L near recall is below the sliding window's, and text costs more bits than with "
            "it."
        ),
        lambda m: [
            Comparison(
                say("near at 4L, plain − window"), m.near("none", 4).less(m.near(SLIDE, 4)), "below"
            ),
            Comparison(say("text at 4L, plain − window"), m.text("none", 4), "above"),
        ],
    ),
    Claim(
        "interpolation_hurts",
        say("Linear interpolation (PI) without fine-tuning hurts"),
        say("Chen et al. 2023, arXiv:2306.15595, section 3.2, table 3 at step 0"),
        ROPE,
        say("At 2L, interpolated with factor 2, near recall is below the sliding window's."),
        lambda m: [
            Comparison(
                say("near at 2L, PI − window"), m.near("linear", 2).less(m.near(SLIDE, 2)), "below"
            )
        ],
    ),
    Claim(
        "ntk_beats_interpolation",
        say("NTK-aware scaling beats PI without fine-tuning"),
        say("bloc97 2023; Peng et al. 2023, arXiv:2309.00071, section 3.1"),
        ROPE,
        say("At 4L NTK recalls more than PI, near and far."),
        lambda m: [
            Comparison(
                say("{part} at 4L, NTK − PI", part=part),
                read("ntk", 4).less(read("linear", 4)),
                "above",
            )
            for part, read in ((say("near"), m.near), (say("far"), m.far))
        ],
    ),
    Claim(
        "ntk_breaks_early",
        say("NTK-aware scaling by s breaks before s · L"),
        say("Peng et al. 2023, arXiv:2309.00071, section 3.1"),
        ROPE,
        say(
            "At 4L, with factor 4, keys more than 3L back are recalled less often than keys L to "
            "3L back."
        ),
        lambda m: [
            Comparison(
                say("at 4L, beyond 3L − L to 3L"),
                m.between("ntk", 4, 3, 4).less(m.between("ntk", 4, 1, 3)),
                "below",
            )
        ],
    ),
    Claim(
        "yarn_extends",
        say("YaRN extends the context without fine-tuning"),
        say("Peng et al. 2023, arXiv:2309.00071, section 3.4"),
        ROPE,
        say("At 4L far recall is above the sliding window's and above plain RoPE's."),
        lambda m: [
            Comparison(
                say("far at 4L, YaRN − window"), m.far("yarn", 4).less(m.far(SLIDE, 4)), "above"
            ),
            Comparison(say("YaRN − plain"), m.far("yarn", 4).less(m.far("none", 4)), "above"),
        ],
    ),
    Claim(
        "yarn_gains_on_text",
        say("YaRN without fine-tuning reads text better with more context"),
        say(
            "Peng et al. 2023, arXiv:2309.00071, section 4.3.1, show it of models that were "
            "fine-tuned with YaRN; these were not"
        ),
        ROPE,
        say("At 4L, without fine-tuning, text costs fewer bits than with a sliding window."),
        lambda m: [Comparison(say("text at 4L, YaRN − window"), m.text("yarn", 4), "below")],
        is_ours=True,
    ),
    Claim(
        "temperature_helps",
        say("YaRN's temperature helps"),
        say("Peng et al. 2023, arXiv:2309.00071, section 3.4 and appendix A.2, by perplexity"),
        ROPE,
        say("At 8L and at 16L near recall is higher with the temperature than without it."),
        lambda m: [
            Comparison(
                say("near at {times}L, with − without", times=times),
                m.near("yarn", times).less(m.near("yarn_no_temperature", times)),
                "above",
            )
            for times in (8, 16)
        ],
    ),
    Claim(
        "yarn_beats_llama3",
        say("YaRN beats the Llama-3 rule"),
        say("We know of no paper that compares the two without fine-tuning"),
        ROPE,
        say("At 16L YaRN recalls more, near and far."),
        lambda m: [
            Comparison(
                say("{part} at 16L, YaRN − Llama-3", part=part),
                read("yarn", 16).less(read("llama3", 16)),
                "above",
            )
            for part, read in ((say("near"), m.near), (say("far"), m.far))
        ],
        is_ours=True,
    ),
    Claim(
        "dynamic_leaves_the_inside",
        say("Dynamic NTK leaves texts within L alone and still extends"),
        say("emozilla 2023; Peng et al. 2023, arXiv:2309.00071, section 3.3"),
        ROPE,
        say(
            "Up to L every frequency is that of plain RoPE; at 4L far recall is above the sliding "
            "window's."
        ),
        _dynamic,
    ),
    Claim(
        "short_texts_pay",
        say("A static factor costs short texts something"),
        say("Peng et al. 2023, arXiv:2309.00071, section 3.3, of a fixed scale at lengths below L"),
        (),
        say(
            "The small models were read by n / L at each length, so short texts were never "
            "stretched."
        ),
        lambda m: [],
    ),
    Claim(
        "keys_beyond",
        say("Without fine-tuning, YaRN finds keys in texts longer than in training"),
        say(
            "Chen et al. 2023, arXiv:2306.15595, table 4, and Peng et al. 2023, arXiv:2309.00071, "
            "section 4.3.2, show it of models that were fine-tuned; this one was not"
        ),
        (),
        say("The recall of far keys under YaRN is judged above, in a claim of its own."),
        lambda m: [],
        is_ours=True,
    ),
    Claim(
        "interpolation_recovers",
        say("A short fine-tuning suffices with PI, and does not without scaling"),
        say("Chen et al. 2023, arXiv:2306.15595, section 3.3, table 4, by passkey retrieval"),
        ROPE,
        say(
            "After 100 updates at 4L far recall with PI is above what it was and above plain "
            "RoPE's."
        ),
        lambda m: [
            Comparison(
                say("far at 4L, PI after − before"),
                m.far("linear", 4, TUNED).less(m.far("linear", 4)),
                "above",
            ),
            Comparison(
                say("after, PI − unscaled"),
                m.far("linear", 4, TUNED).less(m.far("none", 4, TUNED)),
                "above",
            ),
        ],
    ),
    Claim(
        "yarn_is_best_tuned",
        say("After fine-tuning, YaRN is better than PI and than NTK"),
        say("Peng et al. 2023, arXiv:2309.00071, section 3.4"),
        ROPE,
        say(
            "After 100 updates at 4L far recall with YaRN is above that with PI and that with NTK."
        ),
        lambda m: [
            Comparison(name, m.far("yarn", 4, TUNED).less(m.far(other, 4, TUNED)), "above")
            for other, name in (
                ("linear", say("far at 4L, YaRN − PI")),
                ("ntk", say("YaRN − NTK")),
            )
        ],
    ),
    Claim(
        "alibi_keeps_near",
        say("ALiBi extrapolates: longer texts do it no harm"),
        say("Press et al. 2021, arXiv:2108.12409, section 4"),
        ("alibi",),
        say(
            "At 16L near recall is less than 5 points below the sliding window's, and text costs "
            "less than 0.05 bits more than with it."
        ),
        lambda m: [
            Comparison(
                say("near at 16L, ALiBi − window"),
                m.near("none", 16).less(m.near(SLIDE, 16)),
                "above",
                -CLOSE,
            ),
            Comparison(say("text at 16L, ALiBi − window"), m.text("none", 16), "below", CLOSE_BITS),
        ],
        needs_recall=True,
    ),
    Claim(
        "alibi_fades",
        say("What ALiBi can look back to fades with distance"),
        say("Press et al. 2021, arXiv:2108.12409, section 3: a bias towards recency"),
        ("alibi",),
        say("Far recall at 16L is below far recall at 2L."),
        lambda m: [
            Comparison(say("far, 16L − 2L"), m.far("none", 16).less(m.far("none", 2)), "below")
        ],
        needs_recall=True,
    ),
    Claim(
        "alibi_gains_nothing_on_text",
        say("On text ALiBi gains nothing over a sliding window"),
        say("Press et al. 2021, arXiv:2108.12409, appendix B"),
        ("alibi",),
        say("At 16L text costs neither 0.05 bits less nor 0.05 bits more than with the window."),
        lambda m: [
            Comparison(
                say("text at 16L, ALiBi − window"), m.text("none", 16), "above", -CLOSE_BITS
            ),
            Comparison(say("the same"), m.text("none", 16), "below", CLOSE_BITS),
        ],
    ),
    *(
        Claim(
            f"{encoding}_reaches",
            says,
            source,
            (encoding,),
            say(
                "At 4L near recall is less than 5 points below the sliding window's, and far "
                "recall is above 50%."
            ),
            _extrapolates,
            needs_recall=True,
            is_ours=is_ours,
        )
        for encoding, says, source, is_ours in EXTRAPOLATES
    ),
    Claim(
        "absolute_breaks",
        say("Absolute positions do not extrapolate"),
        say(
            "Press et al. 2021, arXiv:2108.12409, section 2.2, of sinusoidal ones; the rows of a "
            "learned table beyond L were never trained"
        ),
        ("sinusoidal", "learned"),
        say("At 2L text costs more bits than with the model's own sliding window."),
        lambda m: [Comparison(say("text at 2L, whole − window"), m.text("none", 2), "above")],
    ),
    Claim(
        "cope_counts",
        say("CoPE counts where other encodings cannot"),
        say("Golovneva et al. 2024, arXiv:2405.18719, abstract"),
        ("cope-max_positions16", "cope"),
        say("At 4L it errs less often than each of ALiBi, RoPE and learned positions."),
        lambda m: [
            Comparison(
                say("wrong at 4L, CoPE − {other}", other=name),
                m.counting(m.model, 4).less(m.counting(model, 4)),
                "below",
            )
            for model, name in (("alibi", "ALiBi"), ("rope", "RoPE"), ("learned", say("learned")))
        ],
    ),
)

CLAIMS = {one.id: one._replace(real=ON_REAL.get(one.id)) for one in _ALL}
"""By id."""
