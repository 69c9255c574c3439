"""Every known model against transformers' own configuration and rotary embedding of its type."""

import pytest
from transformers import CONFIG_MAPPING

from advisor import RopeConfig, known_models
from tests.parity.comparisons import agree, difference
from tests.parity.released import REMOTE, frequencies, rotary_models


def test_all_but_one_of_the_rotary_models_are_compared() -> None:
    rotating = [name for name, m in known_models().items() if RopeConfig.from_hf(m.config).rotary]
    assert set(rotating) - set(rotary_models()) == {"glm-4-9b-chat"}
    assert len(rotary_models()) >= 60
    assert not set(REMOTE) & set(CONFIG_MAPPING)


@pytest.mark.parametrize("name", rotary_models())
def test_a_known_model(name: str) -> None:
    source = known_models()[name].config
    for key, layer in RopeConfig.from_hf(source).rotary.items():
        # Within training, and where LongRoPE has changed to its other list.
        for length in (None, (layer.max_length or 0) + 1):
            ours, our_factor = layer.frequencies(length)
            theirs, their_factor = frequencies(source, key, length)
            agree("hf known models", ours, theirs)
            agree("hf known models factor", our_factor, their_factor)


def test_the_comparison_sees_a_wrong_base_and_a_wrong_factor() -> None:
    source = known_models()["Llama-3.1-8B"].config
    theirs, _ = frequencies(source, "all")
    scaling = {**source["rope_scaling"], "factor": 8.001}
    for wrong in ({"rope_theta": 500010.0}, {"rope_scaling": scaling}):
        layer = RopeConfig.from_hf({**source, **wrong}).rotary["all"]
        assert difference(layer.frequencies()[0], theirs, relative=True) > 5e-6
