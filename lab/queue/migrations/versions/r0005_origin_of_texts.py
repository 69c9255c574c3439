"""Where a text came from. The table lab_audit is used no longer, and goes one release later."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; of older texts it is not known."""
    origin = sa.Column("origin", sa.String, nullable=False, server_default="")
    op.add_column("lab_texts", origin)
