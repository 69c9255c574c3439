"""Cost of a job. Of older jobs it is not known: 0 counts in no pace."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    new = sa.Column("operations", sa.Double, nullable=False, server_default="0")
    op.add_column("lab_jobs", new)
