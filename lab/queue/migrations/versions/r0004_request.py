"""The request that ordered a job, which its worker's log names too."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    new = sa.Column("request", sa.String, nullable=False, server_default="")
    op.add_column("lab_jobs", new)
    op.execute("UPDATE lab_schema SET version = 3")
