"""Extrapolation, measured: every picture, every curve, the words beside them, and the atlas."""

import contextlib
import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from exhibits.answers import answer
from lab.results import curves
from lab.results.comparisons import REPRODUCED
from lab.results.judging import LEARNED
from lab.results.literature import CLAIMS, judgements, real_judgements
from lab.results.tables import load
from models.results.tables import DATA
from models.results.tables import load as load_real
from pages.home.reach import reach_words
from pages.measured.contenders import contenders
from pages.measured.draw import unlearned_words
from plots.looks import look
from posenc.catalogue import CATALOGUE
from tests.pages.drive import figures, links_of, open_screen, presets, sentences
from tests.pages.test_screens import check_snippet
from ui.screen.lesson import load as lesson
from ui.words import minus

PICTURES = {
    "loss": 1,
    "short": 1,
    "keys": 2,
    "distance": 1,
    "length": 2,
    "tuned": 4,
    "text": 1,
    "position": 1,
    "counting": 1,
}


ENCODINGS = ("alibi", "fire", "cope")


def said(app) -> str:
    return " ".join(element.value for element in (*app.caption, *app.markdown))


@pytest.mark.parametrize("view", PICTURES)
def test_every_picture_and_its_snippet(view: str) -> None:
    app = open_screen("measured", view=view, tab="code")
    assert not app.exception
    assert sentences(app) == []
    assert len(figures(app)) == PICTURES[view]
    check_snippet(app)


@pytest.mark.parametrize(
    "query",
    [
        {"view": "text", "text": "absolute", "curves": ["rope", "alibi"]},
        {"view": "text", "text": "all", "curves": ["rope", "alibi"]},
        {"view": "counting", "mix": "rare"},
        {"view": "distance", "length": "16L"},
    ],
)
def test_another_measure_mix_or_length(query: dict[str, Any]) -> None:
    app = open_screen("measured", tab="code", **query)
    assert sentences(app) == []
    check_snippet(app)


def test_curves_differ_and_encodings_look_as_everywhere() -> None:
    chosen = contenders()
    looks = [one.look for one in chosen.values()]
    assert len(set(looks)) == len(looks)
    for name in CATALOGUE:
        if name in chosen:
            assert chosen[name].look == look(name)


def test_every_curve_was_measured_on_recall_and_on_text() -> None:
    results = load()
    for one in contenders().values():
        if one.model == "cope-max_positions16":
            continue  # trained for counting alone
        recall = curves.recall_by_distance(results, f"recall-{one.model}", one.method, 256)
        text = curves.text_by_length(results, f"text-{one.model}", one.method, against_window=True)
        assert recall is not None, one.name
        assert text is not None, one.name


def test_one_that_is_not_there_is_named() -> None:
    app = open_screen("measured", view="tuned", curves=["rope", "alibi"])
    assert sentences(app) == []
    assert "Not measured here: ALiBi" in said(app)
    app = open_screen("measured", view="tuned", curves="alibi")
    assert "choose another curve" in sentences(app)[0]


def test_a_seed_that_did_not_learn_is_told_apart() -> None:
    some = unlearned_words("Sinusoidal", np.array([99.9, 3.8, 99.5]))
    assert "did not learn the task in 1 of 3 seeds (which recall 4% at L)" in some
    none = unlearned_words("NoPE", np.array([20.0, 21.0]))
    assert none.startswith("NoPE did not learn the task (it recalls 20, 21% at L)")
    results = load()
    inside = curves.recall_by_length(results, "recall-sinusoidal", "none", "near")
    assert "NoPE did not learn the task" in said(
        open_screen("measured", view="distance", curves="nope")
    )
    learned = inside.values[:, 0] >= LEARNED
    assert learned.tolist() == [True, True, False]
    near = inside.values[learned][:, inside.x == 512].mean()
    words = f"a small model is right for {near:.0f}% of the keys that are no further back"
    assert words in reach_words(results, "sinusoidal")
    assert "in the 2 of 3 seeds that learned the task" in reach_words(results, "sinusoidal")


def test_far_keys_found_at_the_beginning_are_told_apart() -> None:
    results = load()
    by_distance = curves.recall_by_distance(results, "recall-learned", "none", 512)
    far = by_distance.x > 128
    first = by_distance.x > 512 - 128
    assert by_distance.mean[first].mean() > 20 * by_distance.mean[far & ~first].mean()
    assert reach_words(results, "learned").startswith("an error, because its table has no row")
    assert "% of those in the first quarter" in reach_words(results, "t5")


def test_the_runs_behind_a_curve_can_be_repeated() -> None:
    app = open_screen("measured", view="distance", curves="alibi")
    assert any("lab.shipped --only recall-alibi-s" in block.value for block in app.code)
    assert "145,728 parameters" in said(app)


def test_keys_are_counted_and_their_question_is_told() -> None:
    app = open_screen("measured", view="keys", methods=["none", "yarn"])
    assert sentences(app) == []
    counts = app.table[0].value
    assert counts.loc["YaRN ×4", "16,384 tokens"] == "23 of 30"
    assert counts.loc["as trained", "32,768 tokens"] == "0 of 30"
    assert "95% interval of a share (Wilson)" in said(app)
    assert "because with it the model finds 10 of 10 keys" in said(app)
    band = next(t for t in figures(app)[0][0]["data"] if t.get("fill") == "toself")
    assert max(band["y"]) == pytest.approx(100)


def test_the_real_models_texts_have_kind_and_range() -> None:
    app = open_screen("measured", view="loss", methods=["none", "slide", "yarn"])
    words = said(app)
    assert "Mean over 6 texts (documentation and code of Python: 3, novels: 3)" in words
    assert "`emma` (Debian's `r-cran-janeaustenr`, public domain)" in words
    assert "weights are those of a file of 4 bits (Q4_1; embeddings of 8)" in words
    table = app.table[0].value
    assert table.loc["YaRN ×4", "beyond L, less sliding window"] == "+0.21 (+0.16 to\u00a0+0.24)"


def test_texts_of_other_kinds_join_where_they_were_read() -> None:
    app = open_screen("measured", view="loss", tokens="12288", methods=["none", "yarn"], tab="code")
    assert sentences(app) == []
    words = said(app)
    assert "documentation and code of Python: 3, novels: 3, technical manuals: " in words
    assert "`git` (Debian's `git-doc`, GPL-2.0)" in words
    check_snippet(app)
    manuals = open_screen("measured", view="loss", tokens="12288", methods="none", kind="manual")
    assert sentences(manuals) == []
    assert "technical manuals" in manuals.selectbox(key="kind").options
    longer = open_screen("measured", view="loss")
    assert "technical manuals" not in longer.selectbox(key="kind").options


def test_dynamic_ntk_is_named_by_its_alpha() -> None:
    app = open_screen("measured", view="loss", methods=["none", "dynamic_ntk"])
    names = [t["name"] for t in figures(app)[0][0]["data"] if "name" in t]
    assert "dynamic NTK, α = 4" in names


def test_the_literature_is_a_table_with_the_findings_of_both() -> None:
    app = open_screen("measured", view="literature", tab="code")
    assert not app.exception
    real = {one.claim.id: one for one in real_judgements(load_real())}
    small = judgements(load())
    for is_ours, table in ((False, app.table[0].value), (True, app.table[1].value)):
        claims = [claim for claim in CLAIMS.values() if claim.is_ours == is_ours]
        assert list(table.index) == [claim.says for claim in claims]
        for claim, its, others in zip(
            claims, table["real model"], table["small models"], strict=True
        ):
            if claim.id in real and real[claim.id].seeds:
                assert its.strip("*") == real[claim.id].words
            elif claim.id not in real:
                assert its == "–"
            about = [one for one in small if one.claim.id == claim.id]
            for line, one in zip(others.splitlines(), about, strict=bool(about)):
                assert line.strip("* ").endswith(one.words)
    told = {m.label: m.value for m in app.metric}
    reproduced = sum(one.verdict == REPRODUCED for one in real.values())
    assert told["real model: reproduced"] == str(reproduced)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(app.code[-1].value, "snippet", "exec"), {})
    assert small[0].claim.says in printed.getvalue()


def test_a_claim_is_followed_to_its_seeds_and_texts() -> None:
    app = open_screen("measured", view="literature", claim="temperature_helps")
    assert sentences(app) == []
    found = (*real_judgements(load_real()), *judgements(load()))
    words = said(app)
    for one in found:
        if one.claim.id == "temperature_helps":
            assert one.claim.source in words
            assert one.claim.criterion in words
            assert minus(one.change) in words
            assert all(minus(number) in words for number in one.numbers)


def test_the_grey_line_is_that_of_the_first_model() -> None:
    app = open_screen("measured", view="text", text="absolute", curves=["t5", "rope"])
    first, other = (curves.text_window(load(), f"text-{model}") for model in ("t5", "rope"))
    assert abs(first.mean[0] - other.mean[0]) > 0.5
    title = contenders()["t5"].model_title
    assert f"Above the grey line {title} would have done better" in said(app)


def test_presets_from_any_picture() -> None:
    """Curves and lengths are set although their fields are not on the screen."""
    for view in ("counting", "literature"):
        app = open_screen("measured", view=view)
        presets(app)["encodings"].click().run()
        assert sentences(app) == []
        names = [t["name"] for t in figures(app)[0][0]["data"] if "name" in t]
        assert names[:2] == ["RoPE", "ALiBi"]


def test_the_atlas_says_who_reads_on() -> None:
    app = open_screen("home", encoding="alibi")
    assert not app.exception
    near = mean("alibi", "none", "near", 4).mean()
    assert f"a small model is right for {near:.0f}% of the keys" in said(app)
    for name in CATALOGUE:
        app.selectbox(key="encoding").set_value(name).run()
        links = [link.proto.label for link in links_of(app)]
        assert links.count("Measured curve") == (name in curves_in_atlas())
        unmeasured = "Longer than in training: not measured" in said(app)
        assert unmeasured == (name not in curves_in_atlas()), name


def curves_in_atlas() -> list[str]:
    return [name for name in CATALOGUE if f"recall-{name}" in load().models("recall")]


def mean(model: str, method: str, part: str, times: int, tuned: int = 0) -> np.ndarray:
    curve = curves.recall_by_length(load(), f"recall-{model}", method, part, tuned)
    return curve.values[:, curve.x == times * 128].ravel()


def test_what_to_notice_is_so() -> None:
    """The lesson's sentences, in every seed; of the real model, on average."""
    assert answer("real_inside") < answer("real_behind") < answer("real_last")
    assert answer("real_window_last") < answer("real_last") / 2
    assert min(answer("real_yarn_saves"), answer("real_ntk_saves")) > 1
    assert answer("real_linear_inside") > 1
    assert min(answer("real_short_yarn"), answer("real_short_ntk")) > 0
    assert answer("real_short_linear") > 1
    assert answer("real_window_last") < answer("real_inside")
    assert answer("real_8k_linear") == 0 < 20 < answer("real_8k_yarn")
    assert answer("real_16k_none") == 0 < 20 < min(answer("real_16k_yarn"), answer("real_16k_ntk"))
    assert answer("real_32k_ntk") == 0 < 15 < answer("real_32k_yarn")
    assert [answer(f"real_{n}_asked") for n in ("2k", "8k", "16k", "32k")] == [30, 30, 30, 30]
    assert (round(answer("real_32k_yarn_low")), round(answer("real_32k_yarn_high"))) == (36, 70)
    assert answer("real_sharp_saves_low") > 0
    assert answer("real_8k_yarn_no_temperature") + 5 < answer("real_8k_yarn")
    assert answer("real_2k_ntk_by_parts") + 5 < answer("real_2k_yarn_paper")
    assert answer("real_copying_linear") == answer("real_previous_linear") == 0
    assert answer("real_copying_linear") < answer("real_copying_ntk")
    assert answer("real_longest_yarn") < 0 < answer("real_longest_yarn_rest")
    assert answer("real_longest_yarn") < answer("real_longest_ntk") < answer("real_longest_none")
    longest = pd.read_csv(DATA / "losses.csv").query("length == 32768")
    by_first = longest.pivot_table("bits", "first", "method")
    assert list(by_first.index[by_first.yarn < by_first.slide]) == [25_600, 26_624, 27_648]
    assert answer("real_longest") == 4 * answer("real_trained")
    assert answer("real_wider_end_low") > 0.5 > 0.25 > answer("real_wider_inside_high")
    assert {"manual", "dialogue"} < set(pd.read_csv(DATA / "losses.csv").kind)
    assert len(lesson("measured").notice) == 14
    assert mean("rope-base128", "none", "far", 4).max() < 10
    assert mean("rope-base128", "none", "near", 4).max() < 90
    assert mean("rope-base128", "slide", "near", 4).min() > 90
    ends = {
        method: curves.recall_by_distance(load(), "recall-rope-base128", method, 512).values
        for method in ("ntk", "linear", "yarn")
    }
    far = slice(6, None)
    assert (ends["ntk"][:, -1] < 0.5 * ends["ntk"][:, far].max(1)).all()
    assert (ends["yarn"].mean(1) > ends["ntk"].mean(1)).all()
    assert (ends["yarn"].mean(1) > ends["linear"].mean(1)).all()
    for method in ("linear", "ntk", "yarn"):
        near = mean("rope-base128", method, "near", 4)
        assert (near < mean("rope-base128", "slide", "near", 4)).all(), method
    far = {name: [mean(name, "none", "far", n) for n in (2, 4, 8, 16)] for name in ENCODINGS}
    assert mean("alibi", "none", "near", 16).min() > 95
    assert (np.diff(far["alibi"], axis=0) < 0).all()
    assert (far["fire"][-1] > far["alibi"][-1]).all()
    assert (far["cope"][-1] > far["alibi"][-1]).all()
    assert mean("t5", "none", "near", 4).max() < 20
    t5 = curves.recall_by_distance(load(), "recall-t5", "none", 512).values
    assert (t5[:, -1] > 90).all()
    tuned = {method: mean("rope-base128", method, "far", 4, 4) for method in ("linear", "none")}
    assert (tuned["linear"] > 20 + tuned["none"]).all()
    # "as well": behind by less than two standard errors of a difference, 4 points.
    assert (mean("rope", "none", "far", 4, 4) > mean("rope", "linear", "far", 4, 4) - 4).all()
    text = curves.text_by_length(load(), "text-rope-base128", "yarn", against_window=True)
    assert (text.values[:, text.x > 128] > 0).all()
