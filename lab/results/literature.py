"""What the literature says of long contexts, each beside what the shipped runs show.

The docstring of a claim's function is its criterion; the screen shows it. L is the training
length, "near" means distances that a window of L reaches, "far" those beyond L.
"""

from collections.abc import Callable

import numpy as np
import torch

from lab.model.methods import SLIDE
from lab.results.comparisons import Comparison, Measured
from lab.results.judging import Claim, Criterion, Finding, judge
from lab.results.one_model import Measures
from lab.results.tables import Results
from posenc import DynamicNTK, rope_inv_freq

CLOSE = 5.0  # points of recall that count as kept
CLOSE_BITS = 0.05  # bits per byte that count as the same
TUNED = 4
ROPE = ("rope-base128", "rope")


CLAIMS: list[Claim] = []


def claim(
    says: str, source: str, about: tuple[str, ...], needs_recall: bool = False
) -> Callable[[Criterion], Criterion]:
    """Put a criterion on the list."""

    def listed(compare: Criterion) -> Criterion:
        CLAIMS.append(Claim(says, source, about, compare, needs_recall))
        return compare

    return listed


def findings(results: Results) -> list[Finding]:
    """Every claim for every model that it is about."""
    return [judge(results, claim, model) for claim in CLAIMS for model in claim.about]


@claim(
    "RoPE without scaling breaks beyond its training length",
    "Chen et al. 2023, arXiv:2306.15595; Press et al. 2021, arXiv:2108.12409",
    ROPE,
)
def plain_rope_breaks(m: Measures) -> list[Comparison]:
    """At 4L near recall is below the sliding window's, and text costs more bits than with it."""
    return [
        Comparison("near at 4L, plain − window", m.near("none", 4).less(m.near(SLIDE, 4)), "below"),
        Comparison("text at 4L, plain − window", m.text("none", 4), "above"),
    ]


@claim(
    "Linear interpolation (PI) without fine-tuning hurts",
    "bloc97 2023 and Peng et al. 2023, arXiv:2309.00071",
    ROPE,
)
def interpolation_hurts(m: Measures) -> list[Comparison]:
    """At 2L, interpolated twice, near recall is below the sliding window's."""
    return [
        Comparison("near at 2L, PI − window", m.near("linear", 2).less(m.near(SLIDE, 2)), "below")
    ]


@claim(
    "NTK-aware scaling beats PI without fine-tuning",
    "bloc97 2023 and Peng et al. 2023, arXiv:2309.00071",
    ROPE,
)
def ntk_beats_interpolation(m: Measures) -> list[Comparison]:
    """At 4L NTK recalls more than PI, near and far."""
    return [
        Comparison(f"{part} at 4L, NTK − PI", read("ntk", 4).less(read("linear", 4)), "above")
        for part, read in (("near", m.near), ("far", m.far))
    ]


@claim(
    "NTK-aware scaling by s breaks before s · L",
    "Peng et al. 2023, arXiv:2309.00071, section 3.1",
    ROPE,
)
def ntk_breaks_early(m: Measures) -> list[Comparison]:
    """At 4L, scaled by 4, keys more than 3L back are recalled less often than keys L to 3L back."""
    drop = m.between("ntk", 4, 3, 4).less(m.between("ntk", 4, 1, 3))
    return [Comparison("at 4L, beyond 3L − L to 3L", drop, "below")]


@claim(
    "YaRN extends the context without fine-tuning",
    "Peng et al. 2023, arXiv:2309.00071",
    ROPE,
)
def yarn_extends(m: Measures) -> list[Comparison]:
    """At 4L far recall is above the sliding window's and above plain RoPE's."""
    far = m.far("yarn", 4)
    return [
        Comparison("far at 4L, YaRN − window", far.less(m.far(SLIDE, 4)), "above"),
        Comparison("YaRN − plain", far.less(m.far("none", 4)), "above"),
    ]


@claim(
    "YaRN reads text better with more context",
    "Peng et al. 2023, arXiv:2309.00071",
    ROPE,
)
def yarn_gains_on_text(m: Measures) -> list[Comparison]:
    """At 4L, without fine-tuning, text costs fewer bits than with a sliding window."""
    return [Comparison("text at 4L, YaRN − window", m.text("yarn", 4), "below")]


@claim("YaRN's temperature helps", "Peng et al. 2023, arXiv:2309.00071, section 3.4", ROPE)
def temperature_helps(m: Measures) -> list[Comparison]:
    """At 8L and at 16L near recall is higher with the temperature than without it."""
    return [
        Comparison(
            f"near at {n}L, with − without",
            m.near("yarn", n).less(m.near("yarn_no_temperature", n)),
            "above",
        )
        for n in (8, 16)
    ]


@claim(
    "YaRN beats the Llama-3 rule (no paper compares them untuned)",
    "Peng et al. 2023, arXiv:2309.00071; Llama team 2024, arXiv:2407.21783",
    ROPE,
)
def yarn_beats_llama3(m: Measures) -> list[Comparison]:
    """At 16L YaRN recalls more, near and far."""
    return [
        Comparison(
            f"{part} at 16L, YaRN − Llama-3", read("yarn", 16).less(read("llama3", 16)), "above"
        )
        for part, read in (("near", m.near), ("far", m.far))
    ]


@claim(
    "Dynamic NTK leaves texts within L alone and still extends",
    "emozilla 2023 and Peng et al. 2023, arXiv:2309.00071, section 3.3",
    ROPE,
)
def dynamic_leaves_the_inside(m: Measures) -> list[Comparison]:
    """Up to L every frequency is that of plain RoPE; at 4L far recall is above the window's."""
    far = m.far("dynamic_ntk", 4).less(m.far(SLIDE, 4))
    spec = m.spec("recall")
    args = spec.head_dim, spec.setting("base")
    plain, _ = rope_inv_freq(*args)
    dynamic = DynamicNTK(2.0, spec.train_length)
    changed = sum(
        not torch.equal(rope_inv_freq(*args, scaling=dynamic, length=n)[0], plain)
        for n in range(1, spec.train_length + 1)
    )
    exact = np.zeros(len(far.seeds))
    lengths = Measured(far.seeds, exact + changed, exact, "lengths")
    return [
        Comparison("with another frequency, up to L", lengths, "below", 0.5),
        Comparison("far at 4L, dynamic − window", far, "above"),
    ]


@claim(
    "A short fine-tuning suffices with PI, and does not without scaling",
    "Chen et al. 2023, arXiv:2306.15595",
    ROPE,
)
def interpolation_recovers(m: Measures) -> list[Comparison]:
    """After 100 updates at 4L far recall with PI is above what it was and above unscaled RoPE's."""
    after = m.far("linear", 4, TUNED)
    return [
        Comparison("far at 4L, PI after − before", after.less(m.far("linear", 4)), "above"),
        Comparison("after, PI − unscaled", after.less(m.far("none", 4, TUNED)), "above"),
    ]


@claim(
    "After fine-tuning, YaRN is better than PI and than NTK",
    "Peng et al. 2023, arXiv:2309.00071",
    ROPE,
)
def yarn_is_best_tuned(m: Measures) -> list[Comparison]:
    """After 100 updates at 4L far recall with YaRN is above that with PI and that with NTK."""
    after = m.far("yarn", 4, TUNED)
    return [
        Comparison("far at 4L, YaRN − PI", after.less(m.far("linear", 4, TUNED)), "above"),
        Comparison("YaRN − NTK", after.less(m.far("ntk", 4, TUNED)), "above"),
    ]


@claim(
    "ALiBi extrapolates: longer texts do it no harm", "Press et al. 2021, arXiv:2108.12409",
    ("alibi",), needs_recall=True,
)  # fmt: skip
def alibi_keeps_near(m: Measures) -> list[Comparison]:
    """At 16L near recall is less than 5 points, and text less than 0.05 bits, behind the window."""
    near = m.near("none", 16).less(m.near(SLIDE, 16))
    return [
        Comparison("near at 16L, ALiBi − window", near, "above", -CLOSE),
        Comparison("text at 16L, ALiBi − window", m.text("none", 16), "below", CLOSE_BITS),
    ]


@claim(
    "What ALiBi can look back to fades with distance", "Chi et al. 2022, arXiv:2212.10356",
    ("alibi",), needs_recall=True,
)  # fmt: skip
def alibi_fades(m: Measures) -> list[Comparison]:
    """Far recall at 16L is below far recall at 2L."""
    return [Comparison("far, 16L − 2L", m.far("none", 16).less(m.far("none", 2)), "below")]


@claim(
    "On text ALiBi gains nothing over a sliding window",
    "Press et al. 2021, arXiv:2108.12409, analysis",
    ("alibi",),
)
def alibi_gains_nothing_on_text(m: Measures) -> list[Comparison]:
    """At 16L text costs neither 0.05 bits less nor 0.05 bits more than with the window."""
    text = m.text("none", 16)
    return [
        Comparison("text at 16L, ALiBi − window", text, "above", -CLOSE_BITS),
        Comparison("the same", text, "below", CLOSE_BITS),
    ]


def reaches(m: Measures) -> list[Comparison]:
    """At 4L near recall is less than 5 points behind the window's, and far recall above 50 %."""
    near = m.near("none", 4).less(m.near(SLIDE, 4))
    return [
        Comparison("near at 4L, whole − window", near, "above", -CLOSE),
        Comparison("far at 4L", m.far("none", 4), "above", 50.0),
    ]


for _encoding, _says, _source in (
    ("kerple", "Kerple extrapolates", "Chi et al. 2022, arXiv:2205.09921"),
    ("fire", "FIRE extrapolates", "Li et al. 2023, arXiv:2310.04418"),
    ("cope", "CoPE extrapolates", "Golovneva et al. 2024, arXiv:2405.18719"),
    ("sandwich", "Sandwich extrapolates", "Chi et al. 2022, arXiv:2212.10356"),
    ("xpos", "xPos extrapolates", "Sun et al. 2022, arXiv:2212.10554"),
    ("t5", "T5's bias extrapolates", "Press et al. 2021, arXiv:2108.12409"),
    ("nope", "No encoding (NoPE) extrapolates", "Kazemnejad et al. 2023, arXiv:2305.19466"),
):
    claim(_says, _source, (_encoding,), needs_recall=True)(reaches)


@claim(
    "Absolute positions do not extrapolate",
    "Press et al. 2021, arXiv:2108.12409",
    ("sinusoidal", "learned"),
)
def absolute_breaks(m: Measures) -> list[Comparison]:
    """At 2L text costs more bits than with the model's own sliding window."""
    return [Comparison("text at 2L, whole − window", m.text("none", 2), "above")]


@claim(
    "CoPE counts where other encodings cannot",
    "Golovneva et al. 2024, arXiv:2405.18719",
    ("cope-max_positions16", "cope"),
)
def cope_counts(m: Measures) -> list[Comparison]:
    """At 4L it errs less often than each of ALiBi, RoPE and learned positions."""
    mine = m.counting(m.model, 4)
    return [
        Comparison(f"wrong at 4L, CoPE − {name}", mine.less(m.counting(other, 4)), "below")
        for other, name in (("alibi", "ALiBi"), ("rope", "RoPE"), ("learned", "learned"))
    ]
