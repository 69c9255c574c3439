"""posenc inside a model computes the same as transformers alone, in every family."""

from pathlib import Path
from typing import Any

import pytest
import torch

from models.change import Change
from models.families import FAMILIES
from models.files.find import installed
from models.files.gguf import converted
from models.forward import forward
from models.home import Home
from models.opened import Model, open_model
from tests.models import tiny

IDS = [3, 141, 59, 26, 53, 58, 97, 93, 23, 84, 62, 64, 33, 83, 27, 95, 3, 141, 59, 2, 88, 41, 97, 1]


def differences(
    model: Model, net: Any, ids: list[int], change: Change | None = None
) -> tuple[float, float]:
    """Largest difference of any weight of any head of any layer, and of any logit."""
    seen = forward(model, ids, change)
    with torch.no_grad():
        alone = net(torch.tensor([ids]), output_attentions=True)
    weights = [
        (seen.attention(layer).trace(torch.arange(len(ids))).weights - attention).abs().max().item()
        for layer, attention in enumerate(alone.attentions)
    ]
    assert len(weights) == len(model.layers) == net.config.num_hidden_layers
    logits = seen.logits(0, len(ids)) - alone.logits[0]
    return max(weights), (logits.abs().max() / alone.logits.std()).item()


@pytest.mark.parametrize("family", FAMILIES)
def test_attention_and_logits_of_a_family(family: str, tmp_path: Path) -> None:
    tiny.save(family, tmp_path)
    model, net = tiny.opened(tmp_path), tiny.alone(tmp_path)
    weights, logits = differences(model, net, IDS)
    assert weights < 1e-5
    assert logits < 1e-4
    # It can fail: without its positions a family computes something else.
    change = Change(unrotated=tuple(range(3))) if model.rotates else Change(order="reversed")
    weights, logits = differences(model, net, IDS, change)
    assert weights > 0.01
    assert logits > 0.01


def rope(kind: str, **values: Any) -> dict[str, Any]:
    return {"rope_type": kind, "rope_theta": 500.0, **values}


TRAINED = 12
SCALINGS = {
    "linear": rope("linear", factor=3.0),
    "ntk": {"rope_type": "default", "rope_theta": 500.0 * 3.0 ** (16 / 14)},
    "dynamic_ntk": rope("dynamic", factor=3.0),
    "yarn": rope("yarn", factor=3.0, original_max_position_embeddings=TRAINED),
    "llama3": rope(
        "llama3",
        factor=3.0,
        low_freq_factor=1.0,
        high_freq_factor=4.0,
        original_max_position_embeddings=TRAINED,
    ),
}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama that was trained on fewer tokens than the tests read."""
    folder = tmp_path_factory.mktemp("short")
    return tiny.save("llama", folder, max_position_embeddings=TRAINED)


@pytest.mark.parametrize("method", SCALINGS)
def test_logits_under_a_scaling(method: str, short: Path) -> None:
    model, net = tiny.opened(short), tiny.alone(short, rope_parameters=SCALINGS[method])
    weights, logits = differences(model, net, IDS, Change(method=method, factor=3.0))
    assert weights < 1e-5
    assert logits < 1e-4
    assert differences(model, net, IDS)[1] > 0.01  # it can fail


DECLARED = {
    "longrope": rope(
        "longrope",
        factor=3.0,
        short_factor=[1.0 + 0.1 * pair for pair in range(8)],
        long_factor=[2.0 + 0.3 * pair for pair in range(8)],
        original_max_position_embeddings=TRAINED,
    ),
    "proportional": rope("proportional", factor=2.0, partial_rotary_factor=0.5),
} | {kind: SCALINGS[kind] for kind in ("linear", "dynamic_ntk", "yarn", "llama3")}


@pytest.mark.parametrize("kind", DECLARED)
def test_a_scaling_that_the_config_declares(kind: str, tmp_path: Path) -> None:
    tiny.save("llama", tmp_path, max_position_embeddings=TRAINED, rope_parameters=DECLARED[kind])
    model, net = tiny.opened(tmp_path), tiny.alone(tmp_path)
    for ids in (IDS[:TRAINED], IDS):  # the longer one last: transformers' dynamic keeps its base
        weights, logits = differences(model, net, ids)
        assert weights < 1e-5
        assert logits < 1e-4
    assert differences(model, net, IDS, Change(method="none"))[1] > 0.01  # it can fail


SENTENCE = "The animal didn't cross the street because it was too tired. The animal didn't cross"
METHODS = {
    "": rope("default"),
    "linear": rope("linear", factor=4.0),
    "dynamic_ntk": rope("dynamic", factor=4.0),
    "yarn": rope("yarn", factor=4.0, original_max_position_embeddings=8192),
    "llama3": SCALINGS["llama3"] | {"factor": 4.0, "original_max_position_embeddings": 8192},
}


@pytest.fixture(scope="module")
def smol() -> Model:
    found = installed()
    assert found is not None, "make install-dev installs it"
    return open_model(found)


@pytest.mark.parametrize("method", METHODS)
def test_the_installed_model(method: str, smol: Model) -> None:
    found = installed()
    assert found is not None
    folder = converted(found.path, Home.from_environment())
    net = tiny.alone(folder, rope_parameters=METHODS[method] | {"rope_theta": 100000.0})
    ids = smol.tokens(SENTENCE).ids
    change = Change(method=method, factor=4.0 if method else 1.0)
    weights, logits = differences(smol, net, ids, change)
    assert weights < 1e-5
    assert logits < 1e-4


def test_the_installed_model_knows_what_comes_next(smol: Model) -> None:
    seen = forward(smol, smol.tokens(SENTENCE + " the").ids)
    token, share = seen.next_tokens(1)[0]
    assert smol.vocabulary.piece(token) == "·street"
    assert share > 0.5
