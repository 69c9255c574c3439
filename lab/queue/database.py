"""The runs database: its tables, its one clock, and transactions for SQLite and PostgreSQL.

Times are seconds since 1970 by the database's own clock, the only one that all workers share.
"""

import errno
import importlib
import importlib.util
import logging
import math
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    URL,
    Column,
    Connection,
    Double,
    Engine,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    insert,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from lab.queue import migrations
from posenc.words import say

LOG = logging.getLogger("posenc.lab")

metadata = MetaData()

jobs = Table(
    "lab_jobs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("state", String, nullable=False),
    # The state that a running job is asked to take; its worker sees it at the next beat.
    Column("wanted", String),
    Column("step", Integer, key="done", nullable=False, default=0),
    Column("total", Integer, nullable=False, default=0),
    Column("values", JSON, nullable=False, default=dict),
    # Who may write: a worker whose lease is no longer here has lost the job.
    Column("claim", String, key="lease"),
    Column("worker", String),
    Column("heartbeat", Double),
    Column("attempts", Integer, nullable=False, default=0),
    # Workers that died since the job last came further than ever before.
    Column("deaths", Integer, nullable=False, default=0),
    Column("furthest", Integer, nullable=False, default=0),
    Column("seconds", Double, nullable=False, default=0.0),
    Column("operations", Double, nullable=False),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("finished", Double),
    Column("error", String),
    # Who ordered it: "" is the operator, at the terminal or on a machine of their own.
    Column("owner", String, nullable=False, default="", server_default=""),
    # A mark of the network address it was ordered from, which says no more than "the same one".
    Column("origin", String, nullable=False, default="", server_default=""),
    # When somebody last paused, resumed or cancelled it.
    Column("changed", Double),
    # Id of the request that ordered it, see `lab.logs`: the worker's lines have it too.
    Column("request", String, nullable=False, default="", server_default=""),
    Index("lab_jobs_state", "state"),
    sqlite_autoincrement=True,  # an id names a folder and is never given twice
)


def job_key() -> Column[int]:
    """The job that a row belongs to, and goes with."""
    return Column("job", ForeignKey(jobs.c.id, ondelete="CASCADE"), primary_key=True)


metrics = Table(
    "lab_metrics",
    metadata,
    job_key(),
    Column("name", String, primary_key=True),
    Column("step", Integer, key="done", primary_key=True),
    Column("value", Double),
)

results = Table(
    "lab_results",
    metadata,
    job_key(),
    Column("number", Integer, primary_key=True),
    Column("row", JSON, nullable=False),
)

# One row: the supervisor that starts jobs, and when it last was there.
supervisor = Table(
    "lab_supervisor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("holder", String, nullable=False),
    Column("heartbeat", Double, nullable=False),
)

# Texts that were added, once for each who added it.
texts = Table(
    "lab_texts",
    metadata,
    Column("name", String, primary_key=True),
    Column("owner", String, primary_key=True),
    Column("bytes", Integer, nullable=False),
    Column("used", Double, nullable=False),
    Column("origin", String, nullable=False, default="", server_default=""),
)

# One row: the last change that older programs cannot live with, see `lab.queue.migrations`.
schema = Table("lab_schema", metadata, Column("version", Integer, primary_key=True))


class now(FunctionElement[float]):
    """Seconds since 1970 by the database's clock."""

    type = Double()
    inherit_cache = True


@compiles(now, "sqlite")
def _sqlite_now(element: now, compiler: Any, **options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _postgresql_now(element: now, compiler: Any, **options: Any) -> str:
    return "CAST(extract(epoch from clock_timestamp()) AS double precision)"


class Unavailable(ValueError):
    """The database, or the lab's folder, does not do what it must; trying again may help."""


@contextmanager
def answering() -> Iterator[None]:
    """Make one kind of error, with a sentence, of all that a database and a disk can refuse."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        LOG.error("the lab does not answer: %.300s", (str(error).splitlines() or [""])[0])
        full = getattr(error, "errno", 0) == errno.ENOSPC or "disk is full" in str(error)
        raise Unavailable(
            say("The disk of the lab is full, so nothing can be written. Try again later.")
            if full
            else say("The lab does not answer, so nothing is known of its jobs. Try again later.")
        ) from error


def connect(url: str, locked: float = 30.0) -> Engine:
    """Open the database; make its tables where there are none, bring those of a file up to date.

    Args:
        url: sqlite:///FILE or postgresql://…
        locked: Seconds that a SQLite file may be somebody else's alone.

    Raises:
        ValueError: If the address is of neither kind, if psycopg is missing, if the tables of a
            PostgreSQL are old, or if they are too new for this program.
    """
    engine = open_engine(url, locked=locked)
    try:
        _look_at_tables(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def open_engine(url: str, patient: bool = False, locked: float = 30.0) -> Engine:
    """Connections to a database, whatever its tables.

    Args:
        url: As `connect` takes it.
        patient: Whether PostgreSQL may take longer over an answer than a reader waits.
        locked: As `connect` takes it.

    Raises:
        ValueError: If the address is of neither kind, or if psycopg is missing.
    """
    address = read_address(url)
    if address.database and address.get_backend_name() == "sqlite":
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(address, connect_args={"timeout": locked})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        # A reader waits; and a database that was made without a language gives bytes else.
        quickly = {"connect_timeout": 5, "client_encoding": "utf8"}
        engine = create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_pre_ping=True,
            pool_timeout=10,
            connect_args=quickly,
        )
        if not patient:
            event.listen(engine, "do_connect", importlib.import_module("lab.postgres").connect)
    return engine


def read_address(url: str) -> URL:
    """The address of a database that can be used; nothing is asked of the database itself.

    Raises:
        ValueError: If it is of another kind, or if psycopg is missing.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise ValueError(
            "The address of the database cannot be read; it is sqlite:///FILE or "
            "postgresql://USER:PASSWORD@HOST/NAME."
        ) from None
    kind = address.get_backend_name()
    if kind in ("postgresql", "postgres"):
        if importlib.util.find_spec("psycopg") is None:
            raise ValueError(
                "PostgreSQL needs the package psycopg, which is not installed: pip install -r "
                "requirements-server.txt, or use the SQLite file."
            )
    elif kind != "sqlite" or not address.database:
        raise ValueError(
            f"The database is sqlite:///FILE or postgresql://…; {kind!r} without a file or of "
            "another kind is not supported."
        )
    return address


def is_ghost(connection: Connection) -> bool:
    """Whether the SQLite file was removed, or replaced, after this connection opened it."""
    name = connection.engine.url.database
    if connection.dialect.name != "sqlite" or not name:
        return False
    file = Path(name)
    return not file.is_file() or file.stat().st_ino != connection.info.get("inode")


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Readers do not wait for the writer (WAL); transactions begin where we say."""
    record.info["inode"] = (
        Path(connection.execute("PRAGMA database_list").fetchone()[2]).stat().st_ino
    )
    connection.isolation_level = None
    _write_ahead(connection)
    for pragma in ("synchronous = NORMAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any) -> None:
    """Switch a file to WAL; SQLite refuses one of two that switch a new file, without waiting."""
    milliseconds = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    until = time.monotonic() + milliseconds / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: one that is asked for after reading may be refused."""
    reads = connection.get_execution_options().get("lab_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads: one moment's view of the database."""
    with engine.execution_options(lab_reads=True).begin() as connection:
        yield connection


def writing(engine: Engine) -> Any:
    """A transaction that may write: all of it happens, or nothing."""
    return engine.begin()


def check(engine: Engine) -> None:
    """Ask every table for nothing, and write a row that does not stay.

    Raises:
        SQLAlchemyError: If a table is missing or broken, or nothing can be written.
    """
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            connection.execute(select(table).limit(1))
        connection.execute(insert(texts).values(name="", owner="", bytes=0, used=0.0))
        connection.rollback()


def alone(connection: Connection) -> None:
    """Let no other transaction that asks the same run beside this one (SQLite never does)."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(7065463)"))


def upgrade(url: str) -> str:
    """Bring the tables of a database to what this program knows; the revision that they have then.

    All of it happens, or nothing; where it has happened already, nothing.

    Raises:
        ValueError: As `connect`, or if the tables are too new for this program.
    """
    engine = open_engine(url, patient=True)
    try:
        with writing(engine) as connection:
            alone(connection)
            if not _are_newer(connection):
                migrations.upgrade(connection, metadata)
            return str(migrations.revision(connection))
    finally:
        engine.dispose()


def _look_at_tables(engine: Engine) -> None:
    """Make the tables where there are none, and bring those of a SQLite file up to date."""
    with reading(engine) as connection:
        if migrations.revision(connection) == migrations.REVISIONS[-1]:
            return
    with writing(engine) as connection:
        alone(connection)
        found = migrations.revision(connection)
        if found == migrations.REVISIONS[-1] or _are_newer(connection):
            return
        if found is not None and connection.dialect.name == "postgresql":
            raise ValueError(
                "The runs database was made by an older version of this program. Save the "
                "database, then bring it up to date: python -m lab upgrade."
            )
        migrations.upgrade(connection, metadata)


def _are_newer(connection: Connection) -> bool:
    """Whether a newer program made the tables, in a way that this one can live with.

    Raises:
        ValueError: If it cannot.
    """
    if (found := migrations.revision(connection)) is None:
        return False
    if (number := migrations.breaking(connection)) > migrations.BREAKING:
        raise ValueError(
            f"The runs database has version {number} and this program reads version "
            f"{migrations.BREAKING}. Start the program that made it, or name another folder in "
            "POSENC_LAB_HOME."
        )
    return found not in (*migrations.OLDER, *migrations.REVISIONS)


def insert_for(connection: Connection) -> Any:
    """The INSERT of this database that can say what to do on a conflict."""
    return {"postgresql": postgresql, "sqlite": sqlite}[connection.dialect.name].insert


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; a row whose key is there already takes the new values."""
    if not rows:
        return
    statement = insert_for(connection)(table)
    keys = {column.key for column in table.primary_key}
    new = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=new),
        list(rows),
    )


def plain(value: Any) -> Any:
    """A JSON value; None stands for NaN and infinities, because JSON has no such numbers."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
