"""The runs database, from every kind of tables that it ever had to those of today, rows kept."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from typer.testing import CliRunner

from lab.cli.commands import app
from lab.queue import database, migrations
from lab.queue.database import open_engine, reading, writing
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings

pytestmark = pytest.mark.usefixtures("toys")

FIRST = """
CREATE TABLE lab_jobs (
    {id}, kind VARCHAR NOT NULL, payload JSON NOT NULL, state VARCHAR NOT NULL, wanted VARCHAR,
    step INTEGER NOT NULL, total INTEGER NOT NULL, "values" JSON NOT NULL, claim VARCHAR,
    worker VARCHAR, heartbeat {double}, attempts INTEGER NOT NULL, deaths INTEGER NOT NULL,
    furthest INTEGER NOT NULL, seconds {double} NOT NULL, created {double} NOT NULL,
    started {double}, finished {double}, error VARCHAR
);
CREATE INDEX lab_jobs_state ON lab_jobs (state);
CREATE TABLE lab_schema (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE lab_supervisor (
    id INTEGER NOT NULL, holder VARCHAR NOT NULL, heartbeat {double} NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE lab_metrics (
    job INTEGER NOT NULL, name VARCHAR NOT NULL, step INTEGER NOT NULL, value {double},
    PRIMARY KEY (job, name, step), FOREIGN KEY(job) REFERENCES lab_jobs (id) ON DELETE CASCADE
);
CREATE TABLE lab_results (
    job INTEGER NOT NULL, number INTEGER NOT NULL, "row" JSON NOT NULL,
    PRIMARY KEY (job, number), FOREIGN KEY(job) REFERENCES lab_jobs (id) ON DELETE CASCADE
);
INSERT INTO lab_schema VALUES (1);
INSERT INTO lab_jobs (kind, payload, state, step, total, "values", attempts, deaths, furthest,
    seconds, created, finished, error) VALUES
    ('toy', '{{"steps": 9}}', 'done', 9, 9, '{{"sum": 45}}', 2, 1, 9, 12.5, 1e9, 1000000013, NULL),
    ('toy', '{{"steps": 4}}', 'paused', 2, 4, '{{}}', 1, 0, 2, 0.25, 1000000001, NULL, NULL),
    ('toy', '{{"steps": 5}}', 'failed', 0, 5, '{{}}', 1, 1, 0, 0, 1000000002, 1000000003, 'Why.');
INSERT INTO lab_metrics VALUES (1, 'loss', 3, 0.5), (1, 'loss', 6, NULL);
INSERT INTO lab_results VALUES (1, 0, '{{"loss": 1.5}}');
"""
"""Tables of the first program, of 21 November 2026, with rows in them."""
WRITTEN = {
    "sqlite": {
        "id": "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
        "double": "DOUBLE",
    },
    "postgresql": {
        "id": "id SERIAL PRIMARY KEY",
        "double": "DOUBLE PRECISION",
    },
}
OWNED = "UPDATE lab_jobs SET owner = 'browser:ann' WHERE id = 3"
# What makes later tables of the first; those of 0003 and 0004 are made of today's.
PAST = {
    "0001": (),
    "0002": ("ALTER TABLE lab_jobs ADD COLUMN operations {double} NOT NULL DEFAULT 7",),
    "0003": (
        OWNED,
        "ALTER TABLE lab_jobs DROP COLUMN request",
        "UPDATE lab_schema SET version = 2",
        "ALTER TABLE lab_texts DROP COLUMN origin",
        "UPDATE lab_alembic SET version_num = '0003'",
    ),
    "0004": (OWNED, "ALTER TABLE lab_texts DROP COLUMN origin", "DROP TABLE lab_alembic"),
}


def fill(settings: LabSettings, statements: str) -> None:
    """Make tables of the past."""
    engine = open_engine(settings.database)
    with writing(engine) as connection:
        for statement in statements.format(**WRITTEN[engine.dialect.name]).split(";"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def differences(lab: Lab) -> list[object]:
    """Differences between the tables and those that the program describes."""
    with reading(lab.engine) as connection:
        options = {"version_table": migrations.VERSIONS}
        context = MigrationContext.configure(connection, opts=options)
        return compare_metadata(context, database.metadata)


@pytest.mark.parametrize("past", PAST)
def test_tables_of_the_past_become_todays_with_their_rows(
    settings: LabSettings, past: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(settings, FIRST)
    if past > "0002":
        database.upgrade(settings.database)
    fill(settings, ";".join(PAST[past]))
    operations, owner = (7.0 if past == "0002" else 0.0), ("browser:ann" if past > "0002" else "")
    if settings.database.startswith("postgresql"):
        if past != migrations.REVISIONS[-1]:
            with pytest.raises(ValueError, match="bring it up to date: python -m lab upgrade"):
                Lab(settings).close()
        for name, value in settings.variables().items():
            monkeypatch.setenv(name, value)
        for _ in range(2):  # a second time changes nothing
            answer = CliRunner().invoke(app, ["upgrade"])
            assert (answer.exit_code, answer.stdout) == (0, "The tables have revision 0005.\n")
    with Lab(settings) as lab:
        assert differences(lab) == []
        failed, paused, done = lab.jobs()
        assert (done.values, done.seconds, done.finished) == ({"sum": 45}, 12.5, 1000000013)
        assert (paused.state, paused.payload, paused.done) == ("paused", {"steps": 4}, 2)
        assert (failed.error, failed.owner, failed.created) == ("Why.", owner, 1000000002)
        assert lab.metrics(1) == {"loss": ([3, 6], [0.5, None])}
        assert lab.results() == [{"loss": 1.5, "job": 1}]
        with reading(lab.engine) as connection:
            costs = connection.execute(text("SELECT operations FROM lab_jobs")).scalars()
            assert set(costs) == {operations}
        assert lab.submit("toy", {"steps": 3}) == 4
        lab.resume(2)


def test_new_tables_are_those_that_the_program_describes(lab: Lab) -> None:
    assert differences(lab) == []
    with writing(lab.engine) as connection:
        connection.execute(text("ALTER TABLE lab_texts ADD COLUMN more INTEGER"))
    assert len(differences(lab)) == 1


def test_the_list_of_revisions_is_the_folder() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    found = ScriptDirectory.from_config(config).walk_revisions()
    assert [step.revision for step in found] == list(reversed(migrations.REVISIONS))


def test_a_step_that_fails_leaves_everything_as_it_was(
    settings: LabSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(settings, FIRST + "CREATE TABLE lab_texts (origin INTEGER)")  # a step adds this column
    with pytest.raises(Exception, match="origin"):
        database.upgrade(settings.database)
    engine = open_engine(settings.database)
    with reading(engine) as connection:
        assert migrations.revision(connection) == "0001"
        assert connection.scalar(text("SELECT count(*) FROM lab_jobs")) == 3
    engine.dispose()


def test_newer_tables_are_read_unless_they_say_no(lab: Lab, settings: LabSettings) -> None:
    lab.submit("toy", {"steps": 3})
    with writing(lab.engine) as connection:
        connection.execute(text("UPDATE lab_alembic SET version_num = '0099'"))
        connection.execute(text("ALTER TABLE lab_jobs ADD COLUMN mood VARCHAR DEFAULT 'good'"))
    with Lab(settings) as older:
        assert [job.state for job in older.jobs()] == ["queued"]
    assert database.upgrade(settings.database) == "0099"
    with writing(lab.engine) as connection:
        connection.execute(text("UPDATE lab_schema SET version = 99"))
    for act in (lambda: Lab(settings), lambda: database.upgrade(settings.database)):
        with pytest.raises(ValueError, match="has version 99 and this program reads version 3"):
            act()
