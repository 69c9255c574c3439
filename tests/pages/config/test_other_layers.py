"""Layers without rotation along the text: each encoding has its sentence, and a picture or none."""

import json

import numpy as np
import pytest

from advisor import RopeConfig
from advisor.families.without_rotation import WITHOUT_ROTATION
from tests.pages.config.test_screen import curves, pasted
from tests.pages.drive import figures
from tests.pages.test_screens import check_snippet

FILES = {
    "t5": {"model_type": "mt5"},
    "alibi": {"model_type": "bloom", "n_head": 8},
    "learned": {"model_type": "roberta"},
    "axial": {"model_type": "kimi_k25_vision", "hidden_size": 1152, "num_attention_heads": 16},
    "linear": {"model_type": "mamba"},
    "nope": {"model_type": "moonshine_streaming_encoder"},
    "unknown": {"model_type": "lightglue"},
}
DRAWN = {"t5", "alibi", "learned", "axial"}


@pytest.mark.parametrize("encoding", FILES)
def test_each_encoding_has_its_sentence(encoding: str) -> None:
    assert RopeConfig.from_hf(FILES[encoding]).layers["all"].encoding == encoding
    app = pasted(json.dumps(FILES[encoding]), tab="code")
    assert not app.exception
    assert not app.error
    words = WITHOUT_ROTATION[encoding].further
    assert [block for block in app.markdown if words in block.value]
    assert bool(figures(app)) == (encoding in DRAWN)
    if encoding in DRAWN:
        check_snippet(app)


def test_a_tower_with_convolutions_shows_both_kinds() -> None:
    types = ["conv", "full_attention"]
    tower = {"model_type": "lfm3_vl_vision", "hidden_size": 1024, "num_attention_heads": 16}
    tower |= {"num_hidden_layers": 2, "layer_types": types}
    app = pasted(json.dumps(tower), layer_type="axial", tab="code")
    assert not app.exception
    assert len(figures(app)) == 1
    check_snippet(app)


def test_the_waves_of_a_tower_are_those_of_its_pairs() -> None:
    app = pasted(json.dumps(FILES["axial"]))
    drawn = curves(figures(app)[0][0])
    assert list(drawn) == ["columns", "rows"]
    assert (
        "Of 72 channels 72 turn, with base 10,000. The pairs take turns: columns, rows, and so on. "
        "A pair is a channel of the first half of the head and one of the second."
    ) in [block.value for block in app.markdown]
    inv_freq = 10000.0 ** (-np.arange(18) / 18)
    for waves in drawn.values():
        np.testing.assert_allclose(waves, 2 * np.pi / inv_freq, rtol=1e-6)
