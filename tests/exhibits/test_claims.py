"""Claims of lessons in words or typed numbers, tried on the data and the library."""

import math
import re

import pandas as pd
import torch

from advisor.comparing.layer import RopeLayer
from advisor.comparing.outcome import cost
from advisor.comparing.task import Task
from exhibits.answers import answer
from posenc.alibi.formula import alibi_slopes
from posenc.alibi.window import alibi_window
from posenc.rope.formula import rope_inv_freq
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.methods import METHODS
from posenc.scaling.yarn import YaRN
from posenc.t5.formula import t5_bucket
from tests.conftest import ROOT


def recall(method: str, near: bool) -> pd.Series:
    """Shares found by the lab's RoPE models of base 128 at four times their length, by seed."""
    rows = pd.read_csv(ROOT / "data/lab/recall.csv")
    rows = rows[rows.run.str.startswith("recall-rope-base128") & (rows.length == 512)]
    rows = rows[(rows.tuned == 0) & (rows.method == method) & ((rows.distance <= 128) == near)]
    counts = rows.groupby("run")[["right", "asked"]].sum()
    return counts.right / counts.asked


def test_lab_a_long_text_spoils_about_half_of_the_near_keys() -> None:
    assert recall("none", near=True).between(0.45, 0.55).all()
    assert recall("slide", near=True).min() > 0.98
    assert recall("yarn", near=False).between(0.75, 0.85).all()


def test_lab_nothing_far_is_found_through_a_window_in_each_layer() -> None:
    assert recall("window", near=False).max() < 2 / 32  # a guess is one in 32


def test_lab_yarn_keeps_one_pair_of_sixteen() -> None:
    theta = rope_inv_freq(32, 128.0)[0]
    scaled, factor = YaRN(4, 128).apply(theta, 128.0)
    assert [pair for pair in range(16) if scaled[pair] == theta[pair]] == [0]
    assert factor > 1


def test_how_far_scores_move_does_not_say_what_a_model_loses() -> None:
    task = Task(RopeLayer(16, 16, 10000.0, "half", None, 4096, 4096), 4096, 16384, 4.0)
    names = ("linear", "ntk", "yarn")
    moved = [cost(task.rule(METHODS[name]), task, 100) for name in names]
    lost = [answer(f"real_short_{name}") for name in names]
    assert moved[0] > moved[1] > moved[2]
    assert lost[0] > lost[2] > lost[1]


def test_the_factor_finds_keys_and_not_the_ramp() -> None:
    """Of the same questions in texts of 8,192 tokens, which of two ways alone answers."""
    rows = pd.read_csv(ROOT / "data/models/passkeys.csv").query("length == 8192")
    right = rows.pivot(index=["text", "name"], columns="method", values="right")

    def alone(one: str, other: str) -> tuple[int, int]:
        return int((right[one] > right[other]).sum()), int((right[one] < right[other]).sum())

    for sharp, flat in (("yarn", "yarn_no_temperature"), ("yarn_paper", "ntk_by_parts")):
        more, fewer = alone(sharp, flat)
        assert more >= 9
        assert fewer <= 1
    for code, paper in (("yarn", "yarn_paper"), ("yarn_no_temperature", "ntk_by_parts")):
        more, fewer = alone(code, paper)
        assert more == fewer


def test_after_2048_tokens_half_the_cached_angles_are_opposite() -> None:
    """Of Llama 2's keys under dynamic NTK, in every pair: KV cache tells it."""
    prompt, length = 4096, 4096 + 2048
    speeds = [
        rope_inv_freq(128, 10000.0, DynamicNTK(2.0, prompt), n)[0]
        for n in range(prompt, length + 1)
    ]
    then = torch.stack([speeds[max(place + 1 - prompt, 0)] for place in range(length)])
    off = (torch.arange(length)[:, None] * (then - speeds[-1])).abs()
    share = (off > math.pi).double().mean()
    assert 0.5 <= share < 0.55


def test_a_forgotten_scale_picks_one_key() -> None:
    """Scores of 32 queries and 32 keys of 64 channels, in 500 draws."""
    q, k = torch.randn(2, 500, 32, 64, generator=torch.Generator().manual_seed(0))
    forgotten, right = (
        scores.softmax(-1).max(-1).values.mean().item() for scores in (q @ k.mT, q @ k.mT / 64**0.5)
    )
    lesson = (ROOT / "pages/pitfalls/lesson.en.md").read_text()
    told = re.search(r"is (0\.\d+) on average over 500 draws, against (0\.\d+)\.", lesson)
    assert told is not None
    assert (float(told[1]), float(told[2])) == (round(forgotten, 2), round(right, 2))


def test_fire_and_cope_lose_near_keys_at_sixteen_times() -> None:
    rows = pd.read_csv(ROOT / "data/lab/recall.csv")
    rows = rows[(rows.length == 2048) & (rows.tuned == 0) & (rows.method == "none")]

    def found(encoding: str) -> str:
        own = rows[rows.run.str.match(f"recall-{encoding}-s") & (rows.distance <= 128)]
        counts = own.groupby("run")[["right", "asked"]].sum()
        percent = 100 * counts.right / counts.asked
        return f"{percent.min():.0f} to {percent.max():.0f}%"

    lesson = (ROOT / "pages/measured/lesson.en.md").read_text("utf-8")
    told = f"at 16 L FIRE finds {found('fire')} of them, CoPE {found('cope')}, by seed."
    assert f"both lose near keys: {told}" in lesson


def test_cope_is_compared_with_its_rivals_at_counting() -> None:
    rows = pd.read_csv(ROOT / "data/lab/counting.csv")
    rows = rows[rows.length == 4 * 64]

    def wrong(model: str, mix: str) -> float:
        own = rows[rows.run.str.match(f"counting-{model}-s") & (rows.mix == mix)]
        percent = 100 * own.wrong.sum() / own.asked.sum()
        return round(float(percent), 1 if percent < 10 else None)

    lesson = (ROOT / "pages/cope/lesson.en.md").read_text()
    (told,) = re.findall(r"In texts of four times .* three small models", lesson)
    means, three = (
        re.sub(r" \(its three models .*?%\)", "", told),
        re.findall(r"models (.*?)%", told),
    )
    assert [float(one) for one in re.findall(r"([\d.]+)%", means)] == [
        *(wrong(one, "as trained") for one in ("alibi", "cope-max_positions16", "rope", "cope")),
        *(wrong(one, "diluted") for one in ("cope-max_positions16", "alibi")),
    ]
    own = rows[rows.run.str.match("counting-cope-max_positions16-s") & (rows.mix == "as trained")]
    each = (100 * own.wrong / own.asked).round(1)
    assert [float(one) for one in re.findall(r"[\d.]+", three[0])] == sorted(each)


def test_alibis_flattest_head_sees_590_tokens() -> None:
    lesson = (ROOT / "pages/alibi/lesson.en.md").read_text("utf-8")
    told = re.search(
        r"(\d+) for the flattest .*? of 4,096 tokens or more, (\d+) if .*? 1,024", lesson
    )
    assert told
    windows = [int(alibi_window(alibi_slopes(8), length)[-1]) for length in (4096, 1024)]
    assert windows == [int(told[1]), int(told[2])]


def test_t5_tells_20_from_60_but_not_in_the_last_bucket() -> None:
    """A wrong option of the course's question has to be wrong."""
    near, far, last, further = t5_bucket(-torch.tensor([20, 60, 113, 500]), bidirectional=False)
    assert near < far < last == further


def test_a_fast_hand_turns_hundreds_of_times_between_words() -> None:
    assert 700 < (5000 - 100) / (2 * math.pi) < 800
