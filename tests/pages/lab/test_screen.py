"""The lab's screen: what ships, a job from the button to its curves, and what may not be done."""

import json
import shutil
import time

import numpy as np
import pytest
import torch
from safetensors.torch import save
from sqlalchemy import insert

from lab.queue import database, texts
from lab.queue.access import Visitor
from lab.queue.leases import Progress, beat, begin, finish, lease_next
from lab.queue.perform import CHECKPOINT, ROWS, STATE
from lab.spec import RunSpec, counting_spec, recall_spec, text_spec
from lab.training.checkpoints import save_checkpoint
from lab.training.loop import Trainer
from pages.lab.longer import longer_specs, with_text
from pages.lab.models import job_model
from pages.lab.train import command
from tests.pages.drive import commands, controls, drawn, figures, open_screen, sentences
from tests.pages.test_screens import check_snippet
from ui.jobs import visitor
from ui.jobs.desk import duration
from ui.jobs.progress import sentence
from ui.site.public import SOURCE

SPEC = recall_spec("rope", base=128)


def start(lab, spec=SPEC):
    """A job that runs under the test's own lease."""
    number = lab.submit("train", {"spec": spec.to_dict()})
    assert lease_next(lab.engine, "lease") == number
    begin(lab.engine, number, "lease", "here")
    return number


def tell(lab, number, step, total, points=()):
    beat(lab.engine, number, "lease", Progress(step, total, {}, 10.0, list(points)))


def losses(*steps):
    return [
        {"name": name, "done": step, "value": value}
        for step in steps
        for name, value in (("loss", 4.0 / step), ("accuracy", 0.5))
    ]


def keys(app):
    return [header["key"] for header, _ in figures(app)]


def button(app, words):
    return next(b for b in app.button if b.label == words)


def test_before_anything_is_trained_the_shipped_model_is_read(lab):
    app = open_screen("lab", times="2")
    assert not app.exception
    assert sentences(app) == []
    assert any("comes with the project" in caption.value for caption in app.caption)
    title = figures(app)[0][0]["layout"]["title"]["text"]
    assert title == "Recall inside 256 tokens, trained on 128"
    window = "The *sliding window* is the same model, which is given only the last 128 tokens"
    assert any(one.value.startswith(window) for one in app.markdown)
    assert "log_loss" not in controls(app)  # no loss is drawn


def test_the_button_queues_the_described_run_once(lab):
    app = open_screen("lab", encoding="alibi", seed="3", times="1")
    for _ in range(2):
        button(app, "Train it").click().run()
        assert not app.exception
    (job,) = lab.jobs()
    assert RunSpec.from_dict(job.payload["spec"]) == recall_spec("alibi", 3)
    assert any("it is the next" in bar.proto.text for bar in app.get("progress"))


def test_a_training_under_way_shows_how_far_it_is(lab):
    number = start(lab)
    tell(lab, number, 440, 1100, losses(10, 20, 440))
    trainer = Trainer(SPEC)
    trainer.updates = 440
    folder = lab.settings.folder(number)
    folder.mkdir(parents=True)
    (folder / STATE).write_bytes(save(trainer.state()))
    app = open_screen("lab", times="1")
    assert not app.exception
    words = app.get("progress")[0].proto
    assert words.text == "Job 1. Training: update 440 of 1,100, about 15 s left."
    assert words.value == 40
    assert keys(app)[:2] == ["training_loss", "training_accuracy"]
    assert "log_loss" in controls(app)
    np.testing.assert_allclose(drawn(figures(app)[0][0])[0], [0.4, 0.2, 4 / 440], rtol=1e-6)
    for _ in range(50):  # the first reading goes on in a thread of its own
        app.run()
        if "recall" in keys(app):
            break
    assert figures(app)[2][0]["layout"]["title"]["text"].replace("<br>", " ").endswith("update 440")


def test_pause_go_on_and_cancel_reach_the_job(lab):
    app = open_screen("lab", encoding="nope", times="1")
    button(app, "Train it").click().run()
    for words, state in (("Pause", "paused"), ("Resume", "queued"), ("Cancel", "cancelled")):
        button(app, words).click().run()
        assert not app.exception
        assert lab.job(1).state == state
        app.run()


def test_a_trained_model_takes_the_place_of_the_shipped_one(lab):
    number = start(lab)
    folder = lab.settings.folder(number)
    trainer = Trainer(SPEC)
    save_checkpoint(folder / CHECKPOINT, SPEC, trainer.model, {}, torch.float16)
    tell(lab, number, 1100, 1100, losses(10))
    app = open_screen("lab", times="2")
    assert keys(app)[0] == "recall"
    # Untrained: at chance everywhere, unlike the shipped one.
    assert drawn(figures(app)[0][0]).mean() < 12
    rows = [row(64, 100), row(200, 50)]
    finish(lab.engine, number, "lease", Progress(1141, 1141, {}, 70.0), rows)
    app = open_screen("lab", times="2")
    assert any(c.value == "Job 1. Done in 1 min 10 s." for c in app.caption)
    assert {"measured_near", "measured_far"} <= set(keys(app))


def row(distance, right, length=256, method="none"):
    cell = {"method": method, "length": length, "distance": distance, "asked": 100, "right": right}
    return {"table": "recall", "tuned": 0, **cell}


def test_a_failed_job_says_why_and_can_go_on(lab):
    number = start(lab)
    finish(lab.engine, number, "lease", Progress(5, 1100), error="The disk is full.")
    app = open_screen("lab", times="1")
    assert sentences(app) == ["Job 1. Failed: The disk is full."]
    assert "recall" in keys(app)
    button(app, "Resume").click().run()
    assert lab.job(number).state == "queued"


def test_a_job_that_waits_for_room_on_the_disk_says_so(lab):
    job = lab.job(lab.submit("train", {"spec": SPEC.to_dict()}))
    waits = "The lab's disk is full. The job goes on by itself when there is room."
    assert sentence(job, SPEC, 0, is_full=True) == waits
    assert sentence(job, SPEC, 0) == "Waiting for a worker; it is the next."


def test_the_queue_limit_is_a_sentence(lab, monkeypatch):
    monkeypatch.setenv("POSENC_LAB_MAX_QUEUE", "1")
    lab.submit("train", {"spec": recall_spec("rope", 7).to_dict()})
    app = open_screen("lab", times="1")
    button(app, "Train it").click().run()
    assert not app.exception
    assert "allowed" in sentences(app)[0]
    assert len(lab.jobs()) == 1


def test_an_unwritable_folder_leaves_the_shipped_model(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path / "file" / "home"))
    app = open_screen("lab", times="1")
    assert not app.exception
    assert sentences(app) == [
        "The lab does not answer, so nothing is known of its jobs. Try again later."
    ]
    assert "Train it" not in labels(app)
    assert keys(app) == ["recall"]


def test_a_visitor_of_an_empty_lab_has_one_view(lab, monkeypatch):
    monkeypatch.setenv("POSENC_LAB", "read")
    app = open_screen("lab", encoding="alibi", seed="3", times="1")
    assert "View" not in [group.label for group in app.button_group]
    assert any("no such model" in info.value for info in app.info)
    assert commands(app)[0] == ".venv/bin/python -m lab train alibi --seed 3"
    monkeypatch.setenv("POSENC_LAB_ADMIN", "a token that is long enough")
    app = open_screen("lab", view="jobs")
    app.text_input(key="admin_token").set_value("a token that is long enough").run()
    assert views(app) == ["Train it now", "Longer runs", "Jobs"]


def test_the_command_trains_what_the_controls_say():
    spec = recall_spec("rope", 3, base=128)
    words = command(spec).split()
    assert words[:5] == [".venv/bin/python", "-m", "lab", "train", "rope"]
    told = dict(zip(words[5::2], words[6::2], strict=True))
    name, value = told["--set"].split("=")
    assert recall_spec("rope", int(told["--seed"]), **{name: float(value)}) == spec


def views(app):
    return app.button_group(key="view").options


def labels(app):
    return [b.label for b in app.button]


def test_a_visitor_looks_and_steers_only_where_that_is_allowed(lab, monkeypatch):
    lab.seen_by(Visitor("ann", "own")).submit("train", {"spec": SPEC.to_dict()})
    monkeypatch.setenv("POSENC_LAB", "read")
    app = open_screen("lab", times="1")
    assert "Train it" not in labels(app)
    (how,) = [one.value for one in app.markdown if "make run" in one.value]
    assert "[the project's folder](code.zip)" in how
    monkeypatch.setenv(SOURCE, "https://example.org/code")
    app = open_screen("lab", times="1")
    assert any("[the project's folder](https://example.org/code)" in m.value for m in app.markdown)
    assert commands(app)[0] == ".venv/bin/python -m lab train rope --set base=128"
    assert views(app) == ["A trained model", "Jobs"]
    assert lease_next(lab.engine, "lease") == 1
    begin(lab.engine, 1, "lease", "here")
    finish(lab.engine, 1, "lease", Progress(1141, 1141, {}, 70.0), [row(64, 100)])
    lab.seen_by(Visitor("ann", "own")).submit("train", {"spec": recall_spec("nope").to_dict()})
    longer = open_screen("lab", view="longer")
    assert keys(longer)
    assert not longer.slider
    assert not any("Press" in info.value for info in longer.info)
    for shown in (app, longer):
        assert "Train it now" not in views(shown)
        assert not any("Train one and see" in one.value for one in shown.markdown)
    assert not {"Pause", "Cancel", "Remove"} & set(labels(app))
    for owner, steers in (("bob", False), ("ann", True)):
        monkeypatch.setattr("ui.jobs.desk.visitor", lambda owner=owner: Visitor(owner, "own"))
        app = open_screen("lab", view="jobs")
        assert ("Cancel" in labels(app)) is steers
        assert list(app.dataframe[0].value["whose"]) == ["yours" if steers else ""] * 2


def test_the_administrators_token_opens_everything(lab, monkeypatch):
    lab.seen_by(Visitor("ann", "own")).submit("train", {"spec": SPEC.to_dict()})
    monkeypatch.setenv("POSENC_LAB", "read")
    monkeypatch.setenv("POSENC_LAB_ADMIN", "a token that is long enough")
    app = open_screen("lab", view="jobs")
    begun = time.monotonic()
    app.text_input(key="admin_token").set_value("a token that is long enough?").run()
    assert time.monotonic() - begun > visitor.WRONG_SECONDS
    assert "Cancel" not in labels(app)
    app.text_input(key="admin_token").set_value("a token that is long enough").run()
    button(app, "Cancel").click().run()
    assert lab.job(1).state == "cancelled"


def test_a_closed_lab_shows_what_ships(lab, monkeypatch):
    monkeypatch.setenv("POSENC_LAB", "off")
    app = open_screen("lab", times="1")
    assert not app.exception
    assert sentences(app) == ["The lab is closed on this server."]
    assert keys(app) == ["recall"]


def test_a_text_of_ones_own_is_stored_when_a_job_is_ordered(lab, monkeypatch):
    text = b"".join(b"line %d of a text\n" % number for number in range(60_000))
    monkeypatch.setattr("pages.lab.controls.own_text", lambda lab: text)
    app = open_screen("lab", view="longer", task="text", updates="10")
    assert not app.exception
    assert texts.stored(lab) == []
    button(app, "Queue").click().run()
    assert not app.exception
    (kept,) = texts.stored(lab)
    assert lab.jobs()[0].payload["spec"]["corpus"].endswith(kept.name)
    assert kept.bytes == len(text)


def test_the_screen_outlasts_its_database(lab):
    start(lab)
    app = open_screen("lab", view="jobs")
    file = lab.settings.home / "runs.sqlite"
    shutil.rmtree(lab.settings.home)
    lab.settings.home.write_bytes(b"a file where the folder was")
    app.run()
    assert not app.exception
    assert sentences(app)[0].startswith("The lab does not answer")
    lab.settings.home.unlink()
    button(app, "Try again").click().run()
    assert not app.exception
    assert sentences(app) == []
    assert "No job has been started" in app.info[0].value
    assert file.is_file()


# Longer runs and jobs


def test_longer_runs_show_their_cost_and_are_queued_seed_by_seed(lab):
    app = open_screen("lab", view="longer", seeds="2", updates="50")
    assert {m.label: m.value for m in app.metric}["parameters"] == "145,728"
    button(app, "Queue").click().run()
    assert not app.exception
    specs = [RunSpec.from_dict(job.payload["spec"]) for job in lab.jobs()]
    assert [(spec.seed, spec.updates) for spec in specs] == [(1, 50), (0, 50)]
    assert "jobs 1, 2" in app.success[0].value


def test_a_run_that_is_too_large_is_refused_before_it_is_queued(lab):
    app = open_screen("lab", view="longer", updates="100000", train_length="1024", task="text")
    assert "are allowed here" in sentences(app)[0]
    button(app, "Queue").click().run()
    assert not app.exception
    assert lab.jobs() == []


def rows_of(task, seed):
    if task == "recall":
        return [row(64, 60 + 20 * seed), row(200, 50)]
    if task == "text":
        tag = {"table": "text", "method": "none", "length": 256, "tuned": 0, "measure": "tail"}
        return [{**tag, "chunk": chunk, "bits": 2.0 + seed} for chunk in range(2)]
    tag = {"table": "counting", "mix": "as trained", "length": 64}
    return [{**tag, "asked": 100, "wrong": 10 + 10 * seed}]


def test_the_table_holds_every_job_with_its_state(lab):
    number = start(lab)
    tell(lab, number, 550, 1100)
    lab.submit("train", {"spec": text_spec("nope").to_dict()})
    app = open_screen("lab", view="jobs")
    assert not app.exception
    frame = app.dataframe[0].value
    assert list(frame["job"]) == [2, 1]
    assert list(frame["state"]) == ["queued", "running"]
    assert list(frame["progress"]) == [0.0, 0.5]


def test_a_live_job_behind_hundreds_of_others_is_in_the_table(lab):
    """The table asked for the newest alone, and the screen for all: each drew the other anew."""
    lab.submit("train", {"spec": SPEC.to_dict()})
    done = {"kind": "train", "payload": {"spec": SPEC.to_dict()}, "state": "done"}
    done |= {"operations": 1.0, "created": 1e9, "finished": 1e9}
    with database.writing(lab.engine) as connection:
        connection.execute(insert(database.jobs), [done] * 250)
    app = open_screen("lab", view="jobs", job="1")
    assert not app.exception
    numbers = list(app.dataframe[0].value["job"])
    assert (numbers[0], numbers[-1], len(numbers)) == (251, 1, 201)


def test_a_job_that_is_not_there_is_named(lab):
    start(lab)
    app = open_screen("lab", view="jobs", job="99")
    assert not app.exception
    assert "job = 99" in sentences(app)[0]


def test_settings_stay_while_another_view_is_looked_at(lab):
    app = open_screen("lab", encoding="kerple", times="1")
    group = next(g for g in app.get("button_group") if g.key == "view")
    group.set_value("jobs").run()
    group = next(g for g in app.get("button_group") if g.key == "view")
    group.set_value("train").run()
    assert not app.exception
    assert app.selectbox(key="encoding").value == "kerple"


@pytest.mark.parametrize("query", [{"view": "jobs"}, {"encoding": "alibi", "times": "1"}])
def test_what_to_notice_leads_back_from_any_view(lab, query):
    lab.submit("train", {"spec": counting_spec("nope").to_dict()})
    app = open_screen("lab", **query)
    app.button(key="notice_2").click().run()
    assert not app.exception
    assert sentences(app) == []
    assert (app.selectbox(key="method").value, app.selectbox(key="encoding").value) == (
        "ntk",
        "rope",
    )
    assert len(drawn(figures(app)[0][0])) == 3


def test_a_training_of_many_reports_is_thinned(lab, monkeypatch):
    monkeypatch.setattr("ui.jobs.progress.MAX_POINTS", 4)
    spec = counting_spec("nope")
    number = start(lab, spec)
    tell(lab, number, 90, 500, losses(*range(10, 100, 10)))
    app = open_screen("lab", view="jobs", tab="code")
    assert not app.exception
    assert list(figures(app)[0][0]["data"][0]["x"]) == [10, 40, 70]
    np.testing.assert_allclose(drawn(figures(app)[0][0])[0], [0.4, 0.1, 4 / 70], rtol=1e-6)
    check_snippet(app)


# Parts


def test_rows_are_there_while_they_are_measured(lab):
    number = start(lab)
    folder = lab.settings.folder(number)
    save_checkpoint(folder / CHECKPOINT, SPEC, Trainer(SPEC).model, {}, torch.float16)
    (folder / ROWS).write_text(json.dumps([{"recall": [row(64, 90), row(200, 10)]}]))
    tell(lab, number, 1101, 1141, losses(10))
    app = open_screen("lab", times="1")
    assert not app.exception
    figure = next(header for header, _ in figures(app) if header["key"] == "measured_near")
    np.testing.assert_array_equal(drawn(figure)[0], [90.0])
    assert "1 of 41 done" in app.get("progress")[0].proto.text


def test_weights_under_way_are_those_of_the_training(tmp_path):
    trainer = Trainer(SPEC.changed(updates=3))
    trainer.advance()
    (tmp_path / STATE).write_bytes(save(trainer.state()))
    model = job_model(tmp_path, trainer.spec)
    assert model.updates == 1
    expected = trainer.model.state_dict()
    for name, value in model.run.model.state_dict().items():
        torch.testing.assert_close(value, expected[name], rtol=0, atol=0)


def test_a_folder_without_weights_has_no_model(tmp_path):
    (tmp_path / STATE).write_bytes(b"half a file")
    assert job_model(tmp_path, SPEC) is None


def test_seconds_in_words():
    times = {8.4: "8 s", 59.7: "1 min 0 s", 80: "1 min 20 s", 119.7: "2 min 0 s", 7500: "2 h 5 min"}
    assert {seconds: duration(seconds) for seconds in times} == times


def test_a_text_that_is_too_short_is_refused(lab):
    text = b"a line of text\n" * 8000
    with pytest.raises(ValueError, match="chunks"):
        longer_specs("text", "rope", {}, 128, 100, 1, text)
    runs = longer_specs("text", "rope", {}, 128, 100, 1)
    assert with_text(lab, runs, b"") == runs
    assert texts.stored(lab) == []
