"""Jobs, their curves and results, and the one supervisor."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "lab_jobs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("wanted", sa.String),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("values", sa.JSON, nullable=False),
        sa.Column("claim", sa.String),
        sa.Column("worker", sa.String),
        sa.Column("heartbeat", sa.Double),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("deaths", sa.Integer, nullable=False),
        sa.Column("furthest", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("finished", sa.Double),
        sa.Column("error", sa.String),
        sqlite_autoincrement=True,
    )
    op.create_index("lab_jobs_state", "lab_jobs", ["state"])
    op.create_table(
        "lab_metrics",
        a_job(),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True),
        sa.Column("value", sa.Double),
    )
    op.create_table(
        "lab_results",
        a_job(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("row", sa.JSON, nullable=False),
    )
    op.create_table(
        "lab_supervisor",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("holder", sa.String, nullable=False),
        sa.Column("heartbeat", sa.Double, nullable=False),
    )
    # Read by programs that are older than these steps: they refuse a number that is not theirs.
    schema = op.create_table("lab_schema", sa.Column("version", sa.Integer, primary_key=True))
    op.bulk_insert(schema, [{"version": 1}])


def a_job() -> sa.Column[int]:
    """The job that a row belongs to, and goes with."""
    key = sa.ForeignKey("lab_jobs.id", ondelete="CASCADE")
    return sa.Column("job", sa.Integer, key, primary_key=True)
