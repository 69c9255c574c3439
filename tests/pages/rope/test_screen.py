"""The RoPE screen's pictures are posenc's numbers."""

import numpy as np
import pytest
import torch
from transformers import DeepseekV4Config

from advisor.families.all import FAMILIES
from pages.rope.settings import DEEPSEEK_V4
from pages.rope.values import Settings as Values
from posenc import RoPE
from tests.pages.drive import (
    by_title,
    drawn,
    metrics,
    moving,
    open_screen,
    pictures,
    sentences,
)

LLAMA = {
    "head_dim": "128",
    "base": "10000",
    "layout": "half",
    "vectors": "random",
    "length": "4096",
}


def test_the_worked_example_shows_freqs_cis() -> None:
    app = open_screen("rope", view="clocks", head_dim="4", base="10000")
    assert app.dataframe[0].value.to_numpy().tolist() == [
        ["1.00000+0.00000i", "1.00000+0.00000i"],
        ["0.54030+0.84147i", "0.99995+0.01000i"],
        ["-0.41615+0.90930i", "0.99980+0.02000i"],
    ]


def test_clocks_turn_by_the_angles() -> None:
    sent = moving(open_screen("rope", view="clocks"), "clocks")
    assert sent["theta"] == RoPE(16, 10000.0).inv_freq.tolist()
    assert (sent["shown"], sent["length"]) == ([*range(8)], 32)
    sent = moving(open_screen("rope", view="clocks", **LLAMA), "clocks")
    assert sent["theta"] == RoPE(128, 10000.0).inv_freq.tolist()
    assert sent["shown"] == [0, 9, 18, 27, 36, 45, 54, 63]


@pytest.mark.parametrize("typed", ["32, 0", "one, two"])
def test_a_hand_that_is_not_there_gets_a_sentence(typed) -> None:
    app = open_screen("rope", view="clocks", clocks_hand=typed)
    assert [s for s in sentences(app) if "position from 0 to 31, pair from 0 to 7; got" in s]
    assert any(c.value.startswith("Position 8, pair 0: ") for c in app.caption)


def test_readouts_of_llama_2() -> None:
    shown = metrics(open_screen("rope", view="clocks", **LLAMA))
    assert shown["pairs"] == "64"
    assert shown["slowest pair turns in"] == "54,410 positions"
    assert shown["pairs that turn fully within the length"] == str(64 - 18)


def test_a_type_that_does_not_reach_says_so() -> None:
    app = open_screen("rope", view="precision", position="70000", dtype="float16")
    assert app.dataframe[0].value["70,000 becomes"]["float16"] == "out of reach"
    assert any("**float16** does not reach" in block.value for block in app.markdown)


def test_a_rotation_matrix_does_not_depend_on_the_query() -> None:
    plain, typed = (
        open_screen("rope", view="matrix", head_dim="8", vectors="typed", **more)
        for more in ({}, {"query": "9, 9, 9, 9, 9, 9, 9, 9, 9", "key": "1"})
    )
    for app in (plain, typed):
        assert not sentences(app)
        assert by_title(app, "Rotation matrix at position 9")
    assert np.array_equal(drawn(pictures(plain)[0]), drawn(pictures(typed)[0]))


def test_typed_angles_are_repeated_until_every_pair_has_one() -> None:
    app = open_screen("rope", view="matrix", typed_angles="true", query_angles="1, 2, 3")
    assert not sentences(app)
    turned = np.rad2deg(np.arccos(np.diag(drawn(pictures(app)[0]))[::2]))
    np.testing.assert_allclose(turned, [1, 2, 3, 1, 2, 3, 1, 2], atol=1e-2)


def test_angles_list_frequencies_and_wavelengths() -> None:
    listed = open_screen("rope", view="angles", head_dim="8").markdown
    table = next(m.value for m in listed if m.value.startswith("| pair i"))
    assert table.splitlines() == [
        "| pair i | 0 | 1 | 2 | 3 |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| frequency θᵢ (rad per token) | 1 | 0.1 | 0.01 | 0.001 |",
        "| wavelength λᵢ (tokens) | 6.283 | 62.83 | 628.3 | 6,283 |",
    ]


def test_layouts_begin_with_the_two_layouts() -> None:
    shown = pictures(open_screen("rope", view="layouts", m="3"))
    titles = [one["layout"]["title"]["text"] for one in shown]
    assert titles[0].startswith("Position 3: half layout = P × interleaved")


def test_turned_values_move_with_the_text_unless_turned_back() -> None:
    app = open_screen("rope", view="values", head_dim="8", base="100", length="64", seed="4")
    alone, turned, back = (np.asarray(one["y"]) for one in pictures(app)[0]["data"][:3])
    np.testing.assert_allclose(alone, 1, rtol=1e-6)
    np.testing.assert_allclose(back, 1, rtol=1e-6)
    # All pairs of an output turn by the shift times their frequency.
    s = Values(head_dim=8, rotary_dim=0, base=100.0, length=64, seed=4)
    output = s.outputs(torch.tensor([0]))["turned"][0].numpy().reshape(4, 2)
    sizes = (output**2).sum(axis=1)
    cosines = np.cos(np.outer(s.shifts, 100 ** -(np.arange(4) / 4)))
    np.testing.assert_allclose(turned, cosines @ sizes / sizes.sum(), rtol=1e-5, atol=1e-6)


def test_an_output_turned_back_stays_and_differs_from_unturned() -> None:
    s = Values(head_dim=8, rotary_dim=0, base=100.0, length=64, seed=4)
    here = s.outputs(torch.tensor([0, 50]))
    np.testing.assert_allclose(here["back"][0], here["back"][1], atol=1e-12)
    assert (here["back"][0] - here["alone"][0]).abs().max() > 0.1


def test_the_sizes_of_deepseek_v4_are_those_of_its_class() -> None:
    config = DeepseekV4Config().to_dict()
    assert DEEPSEEK_V4["head_dim"] == config["head_dim"]
    assert DEEPSEEK_V4["rotary_dim"] == config["head_dim"] * config["partial_rotary_factor"]
    assert DEEPSEEK_V4["base"] == config["rope_theta"]


def test_layouts_name_the_models_that_have_them() -> None:
    (words,) = [
        one.value
        for one in open_screen("rope", view="layouts").markdown
        if one.value.startswith("In transformers")
    ]
    interleaved, half = words.partition(". Interleaved, ")[0].split("**half:**")
    named = {
        interleaved: ("GPT-J", "Cohere", "GLM-4", "Llama 4", "DeepSeek-V3"),
        half: ("GPT-NeoX", "Llama to 3.3", "Mistral", "Qwen", "Gemma"),
    }
    for said, names in named.items():
        assert all(name in said for name in names)
        assert said.count(",") == len(names) - 1 + ("transformers" in said)
    families = "gptj cohere glm4 llama4_text deepseek_v3", "gpt_neox llama mistral qwen3 gemma2"
    layouts = [{FAMILIES[one].layout for one in types.split()} for types in families]
    assert layouts == [{"interleaved"}, {"half"}]
