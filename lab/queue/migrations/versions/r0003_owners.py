"""Jobs and texts belong to somebody, and every action has a line."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add columns and tables; older jobs are the operator's."""
    for name in ("owner", "origin"):
        op.add_column("lab_jobs", sa.Column(name, sa.String, nullable=False, server_default=""))
    op.add_column("lab_jobs", sa.Column("changed", sa.Double))
    op.create_table(
        "lab_texts",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("owner", sa.String, primary_key=True),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
    )
    op.create_table(
        "lab_audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("origin", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
    )
    op.create_index("lab_audit_owner", "lab_audit", ["owner", "at"])
    op.create_index("lab_audit_origin", "lab_audit", ["origin", "at"])
    op.execute("UPDATE lab_schema SET version = 2")
