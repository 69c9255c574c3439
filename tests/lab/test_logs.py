"""Lines of the log: their form, who asked, and what a stranger's id may not do."""

import json
import logging

import pytest

from lab import logs
from lab.queue.jobs import Lab
from lab.queue.leases import lease_next
from lab.queue.worker import run_job
from tests.lab.conftest import toy_settings


@pytest.fixture
def written(capsys):
    """Function that returns the lines on standard error."""
    return lambda: capsys.readouterr().err.splitlines()


def test_a_line_for_programs_is_one_object_whatever_is_in_it(written, monkeypatch):
    monkeypatch.setenv("POSENC_LOG", "json")
    logs.settle()
    with logs.knowing(request="abc"):
        try:
            raise ValueError("two\nlines")
        except ValueError:
            logging.getLogger("posenc.lab").exception('a "quote"\nand a break')
    (line,) = map(json.loads, written())
    assert line["message"] == 'a "quote"\nand a break'
    assert (line["request"], line["level"], line["logger"]) == ("abc", "ERROR", "posenc.lab")
    assert line["error"].endswith("ValueError: two\nlines")
    assert line["time"].endswith("Z")
    assert logs.known("request") == ""


def test_a_line_for_people_stays_one_line(written, monkeypatch):
    monkeypatch.delenv("POSENC_LOG", raising=False)
    logs.settle()
    with logs.knowing(request="abc"):
        logging.getLogger("posenc.lab").warning("one\r\n2026-01-01 00:00:00 forged")
    (line,) = written()
    assert line.endswith("one\\r\\n2026-01-01 00:00:00 forged request=abc")


@pytest.mark.parametrize("told", ["", "a b", "x" * 65, "a\nb", "-a", 'a"b', "é", "{{7*7}}"])
def test_what_is_no_id_is_not_taken_for_one(told):
    made = logs.request_id(told)
    assert made != told
    assert logs.REQUEST_ID.fullmatch(made)


def test_an_id_of_a_proxy_is_kept():
    assert logs.request_id("7b1c-Proxy_1.2") == "7b1c-Proxy_1.2"


def test_a_wrong_form_is_named():
    with pytest.raises(ValueError, match="POSENC_LOG is 'xml'; it must be one of text, json"):
        logs.form({"POSENC_LOG": "xml"})


def test_the_worker_logs_with_the_id_of_who_ordered(tmp_path, written, monkeypatch, toys):
    monkeypatch.setenv("POSENC_LOG", "json")
    with Lab(toy_settings(tmp_path)) as lab:
        with logs.knowing(request="from-a-proxy"):
            number = lab.submit("toy", {"steps": 2})
        other = lab.submit("toy", {"steps": 3, "fail": "refuse", "at": 1})
        for lease in ("one", "two"):
            run_job(lab.settings, lease_next(lab.engine, lease), lease)
    lines = [json.loads(line) for line in written() if line.startswith("{")]
    lines = [line for line in lines if line["logger"] == "posenc.worker"]
    mine = [line["message"] for line in lines if line.get("request") == "from-a-proxy"]
    assert mine == ["toy, attempt 1, begins", "done"]
    assert {line["job"] for line in lines if line.get("request")} == {number}
    assert (
        "The corpus is empty"
        in next(line for line in lines if line["job"] == other and "error" in line)["error"]
    )


def test_uvicorns_lines_about_readers_are_not_written(caplog):
    logs.settle()
    error = logging.getLogger("uvicorn.error")
    with caplog.at_level(logging.INFO):
        logging.getLogger("uvicorn.access").info(
            '%s - "%s %s HTTP/%s" %d', "192.0.2.1:5", "GET", "/rope?text=secret", "1.1", 200
        )
        error.info('%s - "WebSocket %s" [accepted]', "192.0.2.1:5", "/_stcore/stream?x=secret")
        error.info('%s - "WebSocket %s" %d', "192.0.2.1:5", "/_stcore/stream", 403)
        error.info("Started server process [%d]", 7)
    assert "192.0.2.1" not in caplog.text
    assert "secret" not in caplog.text
    assert "Started server process [7]" in caplog.text
