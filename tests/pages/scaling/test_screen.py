"""The Scaling screen's pictures are posenc's numbers."""

from posenc import rope_inv_freq
from posenc.scaling.methods import fitting
from tests.pages.drive import figures, links_of, metrics, open_screen, sentences

ALL = list(fitting("trained", "alpha", "inv_freq", "length"))
PLAIN, _ = rope_inv_freq(128, 10000.0)


def summary(app) -> dict[str, dict[str, str]]:
    return app.table[0].value.T.to_dict()


def test_18_pairs_of_llama_2_never_finish_a_turn() -> None:
    app = open_screen("scaling", second="8")
    shown = metrics(app)
    assert shown["pairs that never finish a turn in training"] == "18"
    assert shown["target length"] == "16,384"
    rows = summary(app)
    found = {
        name: (row["pairs that meet unseen angles"], row["base"]) for name, row in rows.items()
    }
    assert found == {
        "none": ("18", "10,000"),
        "linear ×4": ("0", "10,000"),
        "NTK-aware ×4": ("17", "40,890"),
        "YaRN ×4": ("0", "10,000"),
        "linear ×8": ("0", "10,000"),
        "NTK-aware ×8": ("17", "82,685"),
        "YaRN ×8": ("0", "10,000"),
    }
    assert any("4 times as far as in training" in words.value for words in app.markdown)


def test_it_opens_with_four_curves_that_carry_their_names() -> None:
    app = open_screen("scaling")
    figure, _size = figures(app)[0]
    assert [curve["name"] for curve in figure["data"][:4]] == [
        "none",
        "linear",
        "NTK-aware",
        "YaRN",
    ]
    assert "analytic" in figure["layout"]["title"]["text"]
    names = {note["text"]: note["font"]["color"] for note in figure["layout"]["annotations"]}
    assert names == {curve["name"]: curve["line"]["color"] for curve in figure["data"][:4]}
    factors = [float(curve["y"][-1]) for curve in figure["data"][:4]]
    assert factors == [1.0, 4.0, 4.0, 4.0]


def test_two_saved_pictures_name_their_factors() -> None:
    for asked, told in ({"factor": "8"}, [8.0]), ({"factor": "4", "second": "12"}, [4.0, 12.0]):
        layout = figures(open_screen("scaling", **asked))[0][0]["layout"]
        assert f"k = {', '.join(f'{k:g}' for k in told)}," in layout["title"]["text"]
        assert set(told) <= {*layout["yaxis"]["tickvals"]}


def test_bases_and_attention_factor() -> None:
    rows = summary(open_screen("scaling", methods=ALL, second="1"))
    assert rows["NTK base"]["base"] == "40,000"
    assert rows["NTK alpha"]["base"] == rows["dynamic NTK"]["base"] == "72,196"
    assert rows["YaRN"]["attention factor"] == "1.1386"
    assert rows["NTK-aware"]["fastest pair ÷"] == "1"
    assert rows["NTK-aware"]["slowest pair ÷"] == "4"


def test_no_method_and_no_alpha_get_a_sentence() -> None:
    app = open_screen("scaling")
    app.multiselect(key="methods").set_value([]).run()
    assert sentences(app) == ["Choose at least one method. The picture stays as it was."]
    assert figures(app)
    app = open_screen("scaling", head_dim="2", methods=["ntk"])
    (sentence,) = sentences(app)
    assert "allowed here: an even number from 4 to 512" in sentence


def test_a_known_models_frequencies_lead_to_config() -> None:
    app = open_screen("scaling", base="1000000", train_length="32768", factor="4")
    links = [one.proto.label for one in links_of(app)]
    assert "Qwen2.5-7B-Instruct to 131,072 tokens: what to set" in links
    other = open_screen("scaling", base="1234567")
    assert not any("what to set" in one.proto.label for one in links_of(other))
