"""Orders: hostile payloads get a sentence, costs are those of the model."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.queue import texts
from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.limits import Limits
from lab.queue.settings import LabSettings
from lab.queue.work import costs, orders
from lab.spec import RunSpec, counting_spec, recall_spec, text_spec
from lab.training.checkpoints import save_checkpoint, torch
from lab.training.loop import new_model
from posenc.catalogue import CATALOGUE

HERE = Path("nowhere")


@pytest.mark.parametrize("encoding", CATALOGUE)
@pytest.mark.parametrize("make", [recall_spec, text_spec, counting_spec])
def test_parameters_are_counted_as_the_model_has_them(make, encoding: str) -> None:
    assert costs.parameters(make(encoding)) == new_model(make(encoding)).size


@pytest.mark.parametrize("encoding", CATALOGUE)
def test_every_run_of_the_exhibits_is_allowed(encoding: str) -> None:
    for make in (recall_spec, text_spec, counting_spec):
        Limits().check_cost(costs.training_cost(make(encoding)))


def test_training_costs_six_operations_a_parameter_and_token() -> None:
    spec = RunSpec(task="recall", encoding="nope", updates=10, tokens_per_update=256)
    attention = 12 * spec.layers * spec.heads * spec.head_dim * spec.train_length
    training = 10 * 256 * (6 * costs.parameters(spec) + attention)
    assert costs.training_cost(spec).operations == training + costs.measuring_operations(spec)


def test_the_largest_run_that_a_spec_can_say_is_refused() -> None:
    spec = RunSpec(
        task="text",
        encoding="rope",
        updates=1_000_000,
        train_length=4096,
        tokens_per_update=1 << 20,
        layers=24,
        d_model=2048,
        heads=64,
        head_dim=256,
        ffn=8192,
    )
    with pytest.raises(ValueError, match="that are allowed here"):
        Limits().check_cost(costs.training_cost(spec))
    few = spec.changed(updates=1, train_length=32, tokens_per_update=32)
    with pytest.raises(ValueError, match="MB of memory, and 3,000 MB are allowed here"):
        Limits(operations=1e24).check_cost(costs.training_cost(few))


SPEC = recall_spec("rope").to_dict()


@pytest.mark.parametrize(
    ("kind", "payload", "sentence"),
    [
        ("drop", {}, "kind must be one of train, evaluate, finetune.*, got 'drop'"),
        ("train", {}, "A job of kind train has spec, got {}"),
        ("train", [], r"A job of kind train has spec, got \[\]"),
        ("train", {"spec": SPEC, "folder": "/"}, "A job of kind train has spec"),
        ("train", {"spec": {**SPEC, "steps": 1.5}}, "steps must be a whole number"),
        ("train", {"spec": {**SPEC, "encoding": "x" * 999}}, "encoding must be one of"),
        (
            "train",
            {"spec": {**SPEC, "task": "text", "corpus": "/etc/passwd"}},
            "The corpus 'passwd' was not added to this lab",
        ),
        ("evaluate", {"checkpoint": "/etc/passwd"}, "A job of kind evaluate has of"),
        ("evaluate", {"of": "../../etc/passwd"}, "is no job's number and no shipped checkpoint"),
        ("evaluate", {"of": True}, "True is no job's number"),
        ("evaluate", {"of": 7}, "Job 7 has no trained model"),
        ("evaluate", {"of": -1}, "Job -1 has no trained model"),
        (["train"], {"spec": SPEC}, r"kind must be one of .*, got \['train'\]"),
        (
            "train",
            {"spec": {**SPEC, "task": "\ud800"}},
            "task must be one of recall, text, counting",
        ),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(kind: str, payload, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        orders.prepare(kind, payload, HERE)


WHOLE = [
    ("train", SPEC),
    ("train", text_spec("rope").to_dict()),
    ("evaluate", {"of": "recall-rope-s0"}),
    ("finetune", {"of": "recall-rope-s0", "method": "yarn", "factor": 4}),
    ("own", {"name": "x", "minutes": 9, "times": 0, "methods": [], "keys": True, "text": ""}),
]
"""Orders as pages send them; of a training its settings."""
NAMES = ("x", "rope", "../recall-rope-s0", "/etc/passwd", "\0", "\ud800", "x" * 9999, "corpora/..")
VALUES = st.recursive(
    st.sampled_from((None, True, *NAMES)) | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
)


@given(st.sampled_from(WHOLE), VALUES, st.integers(0, 99))
def test_an_order_of_any_values_is_taken_or_gets_a_sentence(order, value, at: int) -> None:
    kind, fields = order
    changed = {**fields, [*fields][at % len(fields)]: value}
    for payload in ({"spec": changed} if kind == "train" else changed, value):
        told = None
        try:
            orders.prepare(kind, payload, HERE)
        except ValueError as error:
            told = error
        assert told is None or (type(told) is ValueError and str(told).endswith((".", "?")))


def test_a_finished_training_can_be_evaluated_and_tuned(tmp_path: Path) -> None:
    for number, encoding in ((3, "rope"), (4, "alibi")):
        spec = recall_spec(encoding)
        path = tmp_path / "jobs" / str(number) / "checkpoint.safetensors"
        save_checkpoint(path, spec, new_model(spec), {}, torch.float16)
    complete, cost = orders.prepare("evaluate", {"of": 3}, tmp_path)
    assert complete["checkpoint"] == str(tmp_path / "jobs" / "3" / "checkpoint.safetensors")
    assert cost.operations == costs.measuring_operations(recall_spec("rope"))
    tuning = {"of": 3, "method": "yarn", "factor": 4}
    assert orders.prepare("finetune", tuning, tmp_path)[0]["factor"] == 4
    for wrong, sentence in [
        ({"of": 4}, "Only RoPE models"),
        ({"method": "magic"}, "method must be one of none, linear"),
        ({"method": []}, "method must be one of"),
        ({"factor": 1}, "factor must be a whole number from 2 to 32, got 1"),
        ({"factor": 2.0}, "factor must be a whole number"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            orders.prepare("finetune", {**tuning, **wrong}, tmp_path)


def test_an_added_corpus_is_kept_once_and_can_be_ordered(tmp_path: Path) -> None:
    with Lab(LabSettings(home=tmp_path, database=f"sqlite:///{tmp_path}/runs.sqlite")) as lab:
        path = texts.add(lab, b"some text " * 10000)
        assert texts.add(lab, b"some text " * 10000) == path
        assert Path(path).read_bytes() == b"some text " * 10000
        spec = {**text_spec("rope").to_dict(), "corpus": path}
        assert lab.job(lab.submit("train", {"spec": spec})).payload == {"spec": spec}


def test_nobody_trains_on_a_text_of_somebody_else(tmp_path: Path) -> None:
    settings = LabSettings(home=tmp_path, database=f"sqlite:///{tmp_path}/runs.sqlite")
    ann, bob = (Visitor(f"browser:{name}", "own", name) for name in ("ann", "bob"))
    with Lab(settings, ann) as lab:
        content = b"a letter to nobody else " * 5000
        order = {"spec": text_spec("rope").to_dict() | {"corpus": texts.add(lab, content)}}
        lab.submit("train", order)
        his = lab.seen_by(bob)
        with pytest.raises(ValueError, match="This text was not added by you"):
            his.submit("train", order)
        texts.add(his, content)  # who has the text himself may
        assert his.job(his.submit("train", order)).owner == bob.owner
        order["spec"]["corpus"] = str(tmp_path / "corpora" / ("x" * 300))  # no file has such a name
        with pytest.raises(ValueError, match=r"The corpus 'x+ was not added to this lab"):
            lab.submit("train", order)


@pytest.mark.parametrize(
    "number", [0, -1, 2**31, 2**64, pytest.param(10**5000, id="huge"), True, "1", None, 1.0, [1]]
)
def test_no_database_is_asked_for_a_number_that_no_job_has(tmp_path: Path, number) -> None:
    sentence = "A job's number is a whole number from 1 to 2,147,483,647"
    with Lab(LabSettings(home=tmp_path, database=f"sqlite:///{tmp_path}/runs.sqlite")) as lab:
        for ask in (lab.job, lab.pause, lab.cancel, lab.resume, lab.remove, lab.metrics):
            with pytest.raises(ValueError, match=sentence):
                ask(number)
        if number is not None:
            with pytest.raises(ValueError, match=sentence):
                lab.results(number)
