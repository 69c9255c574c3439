"""A model of the reader's own is ordered, measured by a worker, and kept within the limits."""

from functools import partial

import pytest

from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from lab.queue.work import orders
from models.measuring import own_run
from models.measuring.own import look
from tests.models import tiny


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    """A lab with a tiny model in its folder, which a minute holds two passes of."""
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "models"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    folder = tmp_path / "checkpoints" / "mine"
    tiny.save("llama", folder)
    own = look(orders.own_models(tmp_path)["mine"])
    per_operation = 60 / 2.1 / own.operations("none", 128)
    monkeypatch.setattr(own_run, "seconds_per_operation", lambda model: per_operation)
    return tmp_path


OWN = {"name": "mine", "minutes": 1, "times": 2, "methods": ["yarn"], "keys": True, "text": ""}


def test_a_model_of_the_readers_own_is_measured(own_home):
    payload, cost = orders.prepare("own", OWN, own_home)
    assert cost.hours == pytest.approx(1 / 60)
    assert cost.memory > 4 * 97_728
    with pytest.raises(orders.Stopped):
        orders.perform("own", payload, own_home / "jobs" / "2", lambda *_: None, lambda: True)
    folder, reports = own_home / "jobs" / "1", []
    rows = orders.perform("own", payload, folder, lambda *r: reports.append(r), lambda: False)
    assert {(row["table"], row["text"], row["method"]) for row in rows} == {
        ("own", "topics", "none"),
        ("own", "topics", "yarn"),
    }
    assert [report[:2] for report in reports] == [(0, 2), (1, 2), (2, 2)]
    config = own_home / "checkpoints" / "mine" / "config.json"
    config.write_text(config.read_text() + "\n")
    with pytest.raises(ValueError, match="The files of mine have changed; measure it again"):
        orders.perform("own", payload, folder, lambda *_: None, lambda: False)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "../mine"}, r"There is no model '../mine' here; there are: mine\."),
        ({"minutes": 0}, "minutes must be"),
        ({"minutes": True}, "minutes must be"),
        ({"times": 64}, "times must be"),
        ({"methods": ["rerope"]}, "methods must be among yarn, ntk"),
        ({"methods": "yarn"}, "methods must be among"),
        ({"keys": 1}, "keys must be"),
        ({"methods": ["yarn", "yarn"]}, "methods must be among yarn, ntk.*, each once"),
        ({"methods": [["yarn"]]}, "methods must be among"),
        ({"text": "/etc/passwd"}, "was not added to this lab"),
        ({"text": False}, "was not added to this lab"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(own_home, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        orders.prepare("own", OWN | wrong, own_home)


def test_a_folder_is_no_text(own_home):
    (own_home / "corpora").mkdir()
    with pytest.raises(ValueError, match="was not added to this lab"):
        orders.prepare("own", OWN | {"text": str(own_home / "corpora" / "..")}, own_home)


def test_who_is_not_trusted_passes_no_limit(own_home):
    settings = LabSettings.from_environment({"POSENC_LAB_HOME": str(own_home)})
    long = OWN | {"minutes": 180}
    with Lab(settings) as lab:
        stranger = lab.seen_by(Visitor(owner="somebody", mode="own"))
        for asked in (lab.submit, partial(stranger.submit, sure=True)):
            with pytest.raises(ValueError, match="asks for 3 hours, and 2 are allowed here"):
                asked("own", long)
        number = lab.submit("own", long, sure=True)
        assert lab.job(number).payload["minutes"] == 180
    assert settings.allowing(4.5).limits.hours == 4.5
    assert settings.allowing(0.1).limits.hours == 2
