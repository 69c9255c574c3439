"""Connections to a PostgreSQL that give up where it takes a question and never answers."""

from typing import Any

import psycopg

PATIENCE = 8.0
"""Seconds that an answer may take: every question of the lab is a small one, and a reader waits."""


class Impatient(psycopg.Connection[Any]):
    """A connection whose server may be stopped, or cut off, while it looks open."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """The generator's result, within `PATIENCE` seconds; every query comes through here.

        Raises:
            psycopg.OperationalError: If it takes longer. The connection is then closed.
        """
        try:
            return super().wait(gen, interval, PATIENCE if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()  # a late answer would be another question's
            raise psycopg.OperationalError(
                f"PostgreSQL has not answered within {PATIENCE:g} seconds."
            ) from None


def connect(dialect: object, record: object, arguments: Any, named: dict[str, Any]) -> Impatient:
    """For SQLAlchemy's event `do_connect`."""
    return Impatient.connect(*arguments, **named)
