"""What the chapter says of released models, beside their own classes, and of bases."""

import json

import pytest
import torch
from torch import Tensor
from transformers import SmolLM3Config
from transformers.models.inkling.configuration_inkling import InklingTextConfig
from transformers.models.smollm3.modeling_smollm3 import SmolLM3Model

from course.chapters import FOLDER
from course.chapters.learned_or_none.data import data
from course.chapters.learned_or_none.edge import EDGE, bases, edge

TOLD = json.loads((FOLDER / "learned_or_none" / "told.json").read_text("utf-8"))
MEN = {
    1024: 4.3e3, 2048: 1.6e4, 4096: 2.7e4, 8192: 8.4e4, 16384: 3.1e5, 32768: 6.4e5,
}  # fmt: skip
"""The smallest base for a length, as Men et al. 2024 print it, arXiv:2405.14591."""


@torch.no_grad()
def without_rope(tokens: list[int]) -> Tensor:
    """Hidden vectors of two layers of SmolLM3 with random matrices, which do not turn."""
    torch.manual_seed(0)
    config = SmolLM3Config(
        vocab_size=50, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=4, no_rope_layers=[0, 0],
        pad_token_id=0, initializer_range=0.2,
    )  # fmt: skip
    model = SmolLM3Model(config).eval()
    return model(torch.tensor([tokens])).last_hidden_state[0]


def test_places_leak_only_where_the_first_word_differs() -> None:
    alike, started = without_rope([7] * 40), without_rope([3] + [7] * 39)
    torch.testing.assert_close(alike, alike[:1].expand_as(alike), rtol=0, atol=2e-5)
    spread = (started[1:, None] - started[None, 1:]).norm(dim=-1)
    assert float(spread.max()) > 0.5
    near, far = spread[0, 1], spread[-2, -1]  # neighbours at the beginning, and at the end
    assert float(near) > 5 * float(far)


def test_inklings_sizes_are_those_of_its_class() -> None:
    config = InklingTextConfig()
    assert (config.d_rel, config.rel_extent) == (16, 1024)
    assert config.layer_types.count("hybrid") == 11 == len(config.layer_types) // 6
    assert config.sliding_window_size == 512
    assert config.log_scaling_n_floor is None
    assert TOLD["mix"]["after"]["extent"] == f"{config.rel_extent:,}"


def test_edges_are_those_of_posenc() -> None:
    kept = json.loads(EDGE.read_text("utf-8"))
    found = bases()
    assert len(kept) == len(found)
    for i in (0, 17, 40, 80, 100, 112):
        assert edge(found[i]) == kept[i], found[i]


@pytest.mark.parametrize(("length", "base"), MEN.items())
def test_bases_of_the_paper_reach_the_length_printed_there(length: int, base: float) -> None:
    reach = edge(base)
    assert reach is not None
    assert 0.7 < reach / length < 1.4


def test_models_inside_and_outside_are_those_that_the_words_name() -> None:
    inside = {one["name"] for one in data()["models"] if one["edge"] > one["trained"]}
    assert inside == {"Llama 3", "SmolLM3"}
