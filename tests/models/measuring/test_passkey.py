"""Ten questions behind one text are ten texts with one question each."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from models.change import Change
from models.measuring.passkey import NAMES, Quiz, answered, passkey_rows, quiz
from models.opened import Model
from tests.models import tiny

TRAINED = 64


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.save("llama", tmp_path_factory.mktemp("m"), max_position_embeddings=TRAINED)


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return tiny.opened(folder)


def text_of(ids: list[int], model: Model) -> str:
    return model.vocabulary.tokenizer.decode(ids)


def test_keys_are_spread_in_a_text_of_the_length(model: Model) -> None:
    asked = quiz(model, 3000, 1)
    text = text_of(asked.context, model)
    assert len(asked.context) + max(map(len, asked.questions)) == 3000
    assert sorted(asked.names) == sorted(NAMES)
    keys = set()
    for name, question, answer, depth in zip(
        asked.names, asked.questions, asked.answers, asked.depths, strict=True
    ):
        key = text_of(question, model)[-5:]
        keys.add(key)
        assert text_of(question, model).endswith(f"The pass key: {name} {key}")
        assert answer == 6  # a space and five digits
        sentence = f"Remember this pass key: {name} {key}. Again"
        assert text.count(sentence) == 1
        assert text.index(sentence) / len(text) == pytest.approx(depth, abs=2e-3)
    assert len(keys) == 10
    assert asked.depths[0] == 0
    assert 0.8 < asked.depths[-1] < 0.95
    assert quiz(model, 3000, 1) == asked
    assert quiz(model, 3000, 2).names != asked.names
    with pytest.raises(
        ValueError, match=r"Ten keys and a question take .* tokens; 300 are too few"
    ):
        quiz(model, 300, 1)


CHANGES = {
    "none": (Change(method="none"), {"rope_type": "default", "rope_theta": 500.0}),
    "yarn": (
        Change(method="yarn", factor=3.0),
        {
            "rope_type": "yarn",
            "rope_theta": 500.0,
            "factor": 3.0,
            "original_max_position_embeddings": TRAINED,
        },
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_question_is_answered_as_if_it_stood_alone(
    name: str, folder: Path, model: Model
) -> None:
    """Half of the answers are made to be what transformers finds most likely, alone."""
    change, parameters = CHANGES[name]
    net = tiny.alone(folder, rope_parameters=parameters)
    random = torch.Generator().manual_seed(0)
    context = torch.randint(1, 256, (150,), generator=random).tolist()
    questions = []
    for number in range(10):
        question = torch.randint(1, 256, (7 + number,), generator=random).tolist()
        for _ in range(2):
            with torch.no_grad():
                question.append(int(net(torch.tensor([context + question])).logits[0, -1].argmax()))
        questions.append(question)
    spoiled = [[*q[:-1], (q[-1] + 1) % 256] if i % 2 else q for i, q in enumerate(questions)]
    asked = Quiz([""] * 10, context, spoiled, [2] * 10, [0.0] * 10)
    assert answered(model, asked, change) == [True, False] * 5
    shifted = replace(asked, context=context[1:])
    assert answered(model, shifted, change) != [True, False] * 5  # the text counts


def test_rows_are_one_for_each_key(model: Model) -> None:
    rows = passkey_rows(model, 1500, 0, "ntk", 4.0)
    assert len(rows) == 10
    assert [row["name"] for row in rows] == quiz(model, 1500, 0).names
    assert {row["right"] for row in rows} == {0}  # its weights are random
    assert {(row["method"], row["factor"], row["length"]) for row in rows} == {("ntk", 4.0, 1500)}


def test_models_that_do_not_see_all_of_the_past_are_refused(tmp_path: Path) -> None:
    windowed = tiny.opened(tiny.save("mistral", tmp_path / "m"))
    with pytest.raises(ValueError, match="layers with a window"):
        answered(windowed, quiz(windowed, 1500, 0), Change())
    table = tiny.opened(tiny.save("gpt2", tmp_path / "g"))
    with pytest.raises(ValueError, match="Tiny does not rotate"):
        answered(table, quiz(table, 1500, 0), Change())
