"""How the runs database came to its tables of today, one revision after another (Alembic).

To change a table: change it in `lab.queue.database`, write the step with
`python -m alembic revision --autogenerate -m "what changes"`, and add its id to `REVISIONS`. The
release before this one goes on reading the tables while replicas are exchanged one by one: so a
step adds, with defaults; what nobody uses any more is removed one release later. A step that older
programs cannot live with raises `BREAKING` and the number in lab_schema.
"""

from pathlib import Path

from sqlalchemy import Connection, MetaData, inspect, text

VERSIONS = "lab_alembic"
"""The table with the revision that a database has."""
OLDER = ("0001", "0002", "0003")
"""Ids of before 24 November 2026, whose steps are one by now: the first."""
REVISIONS = ("0004", "0005")
"""Ids of all steps, in their order."""
BREAKING = 3
"""The number in lab_schema up to which this program can live with the tables."""


def revision(connection: Connection) -> str | None:
    """The revision of a database's tables; None where there are no tables yet.

    Databases that were made before there were revisions are told by their columns.
    """
    look = inspect(connection)
    if look.has_table(VERSIONS):
        return connection.scalar(text(f"SELECT version_num FROM {VERSIONS}"))
    if not look.has_table("lab_jobs"):
        return None
    is_new = any(column["name"] == "request" for column in look.get_columns("lab_jobs"))
    return REVISIONS[0] if is_new else OLDER[0]


def breaking(connection: Connection) -> int:
    """The number of the last change of the tables that older programs cannot live with."""
    return connection.scalar(text("SELECT version FROM lab_schema")) or 0


def upgrade(connection: Connection, today: MetaData) -> None:
    """Make the tables of today, or bring old ones to them, in the caller's transaction."""
    from alembic import command  # a fifth of a second, paid by who has something to upgrade
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    found = revision(connection)
    if found is None:
        today.create_all(connection)
        connection.execute(today.tables["lab_schema"].insert().values(version=BREAKING))
        command.stamp(config, "head")
    elif found in OLDER:
        command.stamp(config, "base", purge=True)
    elif not inspect(connection).has_table(VERSIONS):
        command.stamp(config, found)
    command.upgrade(config, "head")
