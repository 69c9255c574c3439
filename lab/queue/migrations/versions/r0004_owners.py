"""Cost, owner and request of a job, and texts, for tables of before 24 November 2026."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = None

COLUMNS = (
    # Of older jobs the cost is not known: 0 counts in no pace; and they are the operator's.
    sa.Column("operations", sa.Double, nullable=False, server_default="0"),
    sa.Column("owner", sa.String, nullable=False, server_default=""),
    sa.Column("origin", sa.String, nullable=False, server_default=""),
    sa.Column("changed", sa.Double),
    sa.Column("request", sa.String, nullable=False, server_default=""),
)


def upgrade() -> None:
    """Add the columns and the tables that are not there."""
    look = sa.inspect(op.get_bind())
    there = {column["name"] for column in look.get_columns("lab_jobs")}
    for column in COLUMNS:
        if column.name not in there:
            op.add_column("lab_jobs", column)
    if not look.has_table("lab_texts"):
        op.create_table(
            "lab_texts",
            sa.Column("name", sa.String, primary_key=True),
            sa.Column("owner", sa.String, primary_key=True),
            sa.Column("bytes", sa.Integer, nullable=False),
            sa.Column("used", sa.Double, nullable=False),
        )
    op.execute("UPDATE lab_schema SET version = 3")
