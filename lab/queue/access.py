"""Visitors of the lab, what each may do, and a line of the log for what is done.

| variable | meaning | default |
|---|---|---|
| POSENC_LAB | what visitors may do, see `MODES` | open to who came by the address that the terminal printed, else read |
| POSENC_LAB_ADMIN | the administrator's token, at least 20 characters | nobody is one |
| POSENC_SECRET | signs the cookie that says whose a job is; equal on all replicas | a file in the lab's folder |
"""  # noqa: E501, a table

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pydantic import Field

from lab.checked import FromEnvironment
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
    """The person behind a request, and what they may do.

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
            "This server trains and measures nothing for visitors. On a machine of your own the "
            "same app does both: `make run` in the project's folder starts it."
        )


OPERATOR = Visitor()
"""Who sits at the machine."""


def note(who: Visitor, action: str, about: object) -> None:
    """Write into the log who did what."""
    by = f"{who.owner!r} (administrator)" if who.admin else repr(who.owner)
    LOG.info("%s %.200s by %s from %r", action, about, by, who.origin)
