"""How each claim is put to the test on the real model, by the id of the claim.

L is the length that it was trained on, n that of the long passes. Methods have the factor 4, as
where a server sets one for all texts, if nothing else is said. Every number is a difference within
a text, and the mean over texts decides.
"""

import pandas as pd

from lab.results.comparisons import Comparison, SeedValues
from lab.results.judging import OnReal
from lab.results.real import RealModel
from posenc import rope_inv_freq
from posenc.scaling import DynamicNTK
from posenc.words import say

CLOSE_BITS = 0.05  # bits per token that count as the same


def _dynamic(m: RealModel) -> list[Comparison]:
    about = m.measured.about
    args = about.head_dim, about.base
    dynamic = DynamicNTK(4.0, about.trained)
    plain = rope_inv_freq(*args)[0]
    changed = not bool((rope_inv_freq(*args, dynamic, about.trained)[0] == plain).all())
    behind = m.beyond(say("beyond L, dynamic − as trained"), "dynamic_ntk", "none", "below")
    exact = pd.Series(0.0, behind.measured.values.index)
    same = SeedValues(exact + changed, exact, "lengths")
    return [Comparison(say("with another frequency, up to L"), same, "below", 0.5), behind]


ON_REAL: dict[str, OnReal] = {
    "plain_rope_breaks": OnReal(
        say("Beyond L, as trained costs more bits than the sliding window."),
        lambda m: [
            m.beyond(say("beyond L, as trained − sliding window"), "none", "slide", "above"),
        ],
    ),
    "interpolation_hurts": OnReal(
        say("Up to L, interpolated with factor 4, a text costs more bits than as trained."),
        lambda m: [m.inside(say("up to L, PI − as trained"), "linear", "none", "above")],
    ),
    "ntk_beats_interpolation": OnReal(
        say("NTK costs fewer bits than PI, up to L and beyond it."),
        lambda m: [
            m.inside(say("up to L, NTK − PI"), "ntk", "linear", "below"),
            m.beyond(say("beyond L, NTK − PI"), "ntk", "linear", "below"),
        ],
    ),
    "ntk_breaks_early": OnReal(
        say(
            "Scaled by n / L, the last quarter of the positions beyond L costs more bits than with "
            "the sliding window."
        ),
        lambda m: [
            m.beyond(
                say("last quarter beyond L, NTK − sliding window"),
                "ntk",
                "slide",
                "above",
                factor=m.length / m.trained,
                last=0.25,
            )
        ],
    ),
    "yarn_extends": OnReal(
        say(
            "Beyond L, YaRN costs fewer bits than as trained, and what it costs more than the "
            "sliding window is at most 0.05 bits above what it costs more up to L."
        ),
        lambda m: [
            m.beyond(say("beyond L, YaRN − as trained"), "yarn", "none", "below"),
            m.rise(say("YaRN − sliding window, beyond L − up to L"), "yarn", "slide", CLOSE_BITS),
        ],
    ),
    "yarn_gains_on_text": OnReal(
        say("Beyond L, YaRN with factor n / L costs fewer bits than the sliding window."),
        lambda m: [
            m.beyond(
                say("beyond L, YaRN with factor n / L − sliding window"),
                "yarn",
                "slide",
                "below",
                factor=m.length / m.trained,
            )
        ],
    ),
    "temperature_helps": OnReal(
        say("Beyond L, YaRN costs fewer bits with its temperature than without."),
        lambda m: [
            m.beyond(say("beyond L, with − without"), "yarn", "yarn_no_temperature", "below"),
        ],
    ),
    "yarn_beats_llama3": OnReal(
        say("Beyond L, YaRN costs fewer bits than the Llama-3 rule."),
        lambda m: [m.beyond(say("beyond L, YaRN − Llama-3"), "yarn", "llama3", "below")],
    ),
    "dynamic_leaves_the_inside": OnReal(
        say(
            "Up to L every frequency is that of plain RoPE; beyond L, a text costs fewer bits than "
            "as trained."
        ),
        _dynamic,
    ),
    "short_texts_pay": OnReal(
        say(
            "In texts of 2,048 tokens, each of PI, NTK and YaRN, with factor 4, costs more bits "
            "than as trained: the mean over texts, by its 95% interval (Student's t)."
        ),
        lambda m: [
            m.short(say("{method} ×4 − as trained, short texts", method=title), method, 4.0)
            for method, title in (("linear", "PI"), ("ntk", "NTK"), ("yarn", "YaRN"))
        ],
    ),
    "keys_beyond": OnReal(
        say("In texts longer than L, YaRN with factor 4 finds more keys than as trained."),
        lambda m: m.found(say("keys found, YaRN − as trained"), "yarn", "none"),
    ),
}
"""Claims that are not here need training at the longer length, or another encoding."""
