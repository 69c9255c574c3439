"""Known models: which of them a file may be of; what they say is in tests/parity."""

import re
from typing import Any

from advisor import RopeConfig, known_models
from advisor.families.all import name_of
from advisor.known_models import alike, all_models, of_family
from advisor.memory.weights import count_weights
from advisor.reader.part import text_type


def config(name: str, **fields: Any) -> RopeConfig:
    return RopeConfig.from_hf({**known_models()[name].config, **fields})


def test_a_model_is_found_by_its_own_file() -> None:
    for name in known_models():
        assert name in [model.name for model in alike(config(name))]
    assert [model.name for model in alike(config("glm-4-9b-chat"))] == ["glm-4-9b-chat"]


def test_a_repository_is_called_as_its_model() -> None:
    named = [one for one in known_models().values() if one.repository]
    assert len(named) > 20
    assert [one.repository.partition("/")[2] for one in named] == [one.name for one in named]


def test_a_file_without_scaling_is_no_model_with_scaling() -> None:
    assert [one.name for one in alike(config("Llama-3-8B"))] == ["Llama-3-8B"]
    assert [one.name for one in alike(config("Llama-3.1-8B"))] == ["Llama-3.1-8B"]
    # Scaled otherwise than any of them: the model that is not scaled.
    dynamic = config("Llama-2-7B", rope_scaling={"type": "dynamic", "factor": 2.0})
    assert [one.name for one in alike(dynamic)] == ["Llama-2-7B"]


def test_another_shape_or_base_is_another_model() -> None:
    assert alike(config("Qwen3-8B", num_hidden_layers=35)) == ()
    assert alike(config("Qwen3-8B", rope_theta=2e6)) == ()
    assert alike(config("Qwen3-8B", num_key_value_heads=4)) == ()
    assert alike(config("Qwen3-8B", hidden_size=[4096], head_dim=128)) == ()


def test_the_family_of_a_known_file_is_that_of_its_text_model() -> None:
    for model in all_models().values():
        assert model.family == name_of(text_type(model.config))


def test_models_of_a_family() -> None:
    names = {model.name for model in of_family(config("DeepSeek-V2"))}
    assert {"DeepSeek-V2", "DeepSeek-V2-Lite"} <= names
    assert "DeepSeek-V3" not in names


def test_a_model_has_as_many_weights_as_its_name_says() -> None:
    """A file under the name of another size of its family gives advice about another model."""
    compared = 0
    for name, known in all_models().items():
        size = re.search(r"(?<![\d.x])(\d+(?:\.\d+)?)([BM])(?![a-zA-Z])", name)
        if size is None or re.search(r"\dx\d", name):
            continue
        try:
            weights = count_weights(RopeConfig.from_hf(known.config)).total
        except ValueError:
            continue  # how many is not known for this type
        told = float(size[1]) * {"B": 1e9, "M": 1e6}[size[2]]
        assert 0.75 < weights / told < 1.3, name
        compared += 1
    assert compared > 100
