"""Who asks something of the lab, what that person may do, and a line for each thing done.

| variable | meaning | default |
|---|---|---|
| POSENC_LAB | what visitors may do, see `MODES` | open to who came by the address that the terminal printed, else read |
| POSENC_LAB_ADMIN | the administrator's token, at least 20 characters | nobody is one |
| POSENC_SECRET | signs the cookie that says whose a job is; equal on all replicas | a file in the lab's folder |
"""  # noqa: E501, a table

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from pydantic import Field
from sqlalchemy import Connection, Engine, delete, func, insert, select

from lab.checked import FromEnvironment
from lab.queue.database import audit, now, reading
from lab.queue.limits import Limits
from posenc.words import Sentence, say

MODES = {
    "off": say("The lab is closed."),
    "read": say("Everybody may look at all jobs, and order none."),
    "own": say("Everybody may look at all jobs, order some, and steer their own."),
    "open": say("Everybody may order and steer every job."),
}
"""Rights of visitors, by the value of POSENC_LAB."""
SHORTEST = 20
"""Characters of a token and of a secret."""
LOG = logging.getLogger("posenc.audit")
DAYS = 90
"""How long a line about an action is kept in the database."""


class Access(FromEnvironment):
    """The table above; "" is what was not set."""

    mode: str = Field(default="", validation_alias="POSENC_LAB")
    admin: str = Field(default="", validation_alias="POSENC_LAB_ADMIN", repr=False)
    secret: str = Field(default="", validation_alias="POSENC_SECRET", repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables above.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """
        access = cls.read(environment)
        if access.mode not in ("", *MODES):
            raise ValueError(
                f"POSENC_LAB is {access.mode!r:.40}; it must be one of {', '.join(MODES)}."
            )
        for variable, text in (
            ("POSENC_LAB_ADMIN", access.admin),
            ("POSENC_SECRET", access.secret),
        ):
            if 0 < len(text) < SHORTEST:
                raise ValueError(
                    f"{variable} has {len(text)} characters; it must have at least {SHORTEST}."
                )
        return access


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Args:
        owner: Who that is; "" is the operator, or somebody who cannot be told from others.
        mode: What visitors may do, one of `MODES`.
        origin: A mark of the network address; "" where there is none.
        admin: Whether the administrator's token was shown.
    """

    owner: str = ""
    mode: str = "open"
    origin: str = ""
    admin: bool = False

    @property
    def trusted(self) -> bool:
        """Whether everything is allowed."""
        return self.mode == "open" or self.admin

    @property
    def may_order(self) -> bool:
        """Whether jobs and texts may be brought."""
        return self.trusted or (self.mode == "own" and bool(self.owner))

    def check_may_order(self) -> None:
        """Raise a ValueError, with the reason, where nothing may be brought."""
        if not self.may_order:
            raise ValueError(self.refusal)

    def may_steer(self, owner: str) -> bool:
        """Whether a job of this owner may be paused, resumed, cancelled and removed."""
        return self.trusted or (self.may_order and owner == self.owner)

    @property
    def refusal(self) -> Sentence:
        """Why nothing may be ordered, and what to do."""
        if self.mode == "own":
            return say(
                "This server cannot tell whose your jobs would be. Sign in where the page offers "
                "it; else allow cookies for this address, and open the page outside of another "
                "page's frame."
            )
        if self.mode == "off":
            return say("The lab is closed on this server.")
        return say(
            "On this server jobs can only be looked at. If it is yours, open the address that it "
            "printed in the terminal. On a machine of your own the same app trains: see the "
            "project's docs/lab.md."
        )


OPERATOR = Visitor()
"""Who sits at the machine."""


def note(connection: Connection, who: Visitor, action: str, about: object) -> None:
    """Write a line into the database, in the transaction of what it tells, and into the log."""
    line = {"owner": who.owner, "origin": who.origin, "action": action, "about": str(about)[:200]}
    if who.admin:
        line["action"] = f"{action} (administrator)"
    connection.execute(insert(audit).values(at=now(), **line))
    LOG.info("%(action)s %(about)s by %(owner)r from %(origin)r", line)


def check_rate(connection: Connection, who: Visitor, limits: Limits) -> None:
    """Refuse an owner, or a network address, that has done too much within an hour."""
    if who.trusted:
        return
    same = [audit.c.owner == who.owner]
    if who.origin:
        same.append(audit.c.origin == who.origin)
    for one, most in zip(same, (limits.hourly, 10 * limits.hourly), strict=False):
        asked = select(func.count()).where(one, audit.c.at > now() - 3600)
        limits.check_rate(connection.scalar(asked) or 0, most)


def forget(connection: Connection) -> None:
    """Drop the lines that are too old."""
    connection.execute(delete(audit).where(audit.c.at < now() - DAYS * 86400))


def lines(engine: Engine, most: int = 200) -> Iterator[str]:
    """The newest lines as a terminal shows them, the newest first."""
    asked = select(audit).order_by(audit.c.id.desc()).limit(most)
    with reading(engine) as connection:
        for row in connection.execute(asked):
            at = datetime.fromtimestamp(row.at, UTC).isoformat(" ", "seconds")
            yield "  ".join([at, row.action, row.about, row.owner, row.origin])
