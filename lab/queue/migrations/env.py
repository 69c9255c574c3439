"""Alembic's entry point: migrates on the connection that it is given, or on the environment's."""

from alembic import context
from sqlalchemy import Connection

from lab.queue import migrations
from lab.queue.database import metadata, open_engine, writing
from lab.queue.settings import LabSettings


def run(connection: Connection) -> None:
    """Run the steps in the transaction of this connection: all of them happen, or none."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        version_table=migrations.VERSIONS,
        transactional_ddl=True,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:  # a developer's `python -m alembic …`
    with writing(open_engine(LabSettings.from_environment().database)) as opened:
        run(opened)
