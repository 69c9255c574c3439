"""Who looks at this page: the browser's signed cookie, or the account that is signed in."""

import hashlib
import hmac
import logging
import os
import secrets
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import streamlit as st
from itsdangerous import BadData, TimestampSigner

from lab.queue.access import SHORTEST, Access, Visitor
from lab.queue.settings import LabSettings
from ui.memory import memory
from ui.streamlit import run
from ui.words import _

COOKIE = "posenc_owner"
HERE = "here"
"""Who has opened the address that the terminal has printed."""
A_YEAR = 365 * 86400
"""Seconds after which a browser that did not come back is somebody new."""
WRONG_SECONDS = 2.0
"""That a wrong token takes, of the few runs that a network has at a time."""
SKEW = 600
"""Seconds that the clocks of two replicas may differ."""


def visitor() -> Visitor:
    """The person behind this session, and what they may do.

    Raises:
        ValueError: If a variable of `lab.queue.access` is not what it must be.
    """
    browser = owner_in(st.context.cookies.get(COOKIE, ""))
    mode = Access.from_environment().mode or ("open" if browser == HERE else "read")
    admin = bool(memory().get("_app_admin"))
    if not st.context.headers:  # no browser, as in tests
        return Visitor("", mode, admin=admin)
    owner = _account() if signs_in() else browser
    if mode == "open":
        # A page of another site that frames this one gets no cookie, and presses no button here.
        return Visitor("", "open" if owner else "own", admin=admin)
    return Visitor(owner, mode, _origin(), admin)


def known() -> dict[str, object]:
    """Facts about this thread's visitor for the log: the request, and a mark of the session."""
    session = run.session()
    if not session:
        return {}
    # Who knew the session's own id could take the session over.
    mark = hashlib.sha256(session.encode()).hexdigest()[:8]
    return {"request": st.context.headers.get("X-Request-ID", ""), "session": mark}


def signs_in() -> bool:
    """Whether the server has accounts: `st.login` is configured."""
    return st.user.get("is_logged_in") is not None


def on_this_machine() -> bool:
    """Whether the page was asked for by a name that a machine has for itself."""
    host = st.context.headers.get("Host", "").rpartition(":")[0]
    return host in ("localhost", "127.0.0.1", "[::1]")


def administrator() -> None:
    """Draw the field for the administrator's token, where there is one."""
    if not Access.from_environment().admin:
        return
    st.text_input(
        _("Administrator's token"),
        key="admin_token",
        type="password",
        on_change=_show_token,
        help=_("With the token, every job can be steered until this page is closed."),
    )
    if memory().get("_app_admin"):
        st.caption(_("You are the administrator."))


def _show_token() -> None:
    """Make this session the administrator's, or no longer."""
    right = is_token(st.session_state["admin_token"])
    logging.getLogger("posenc.audit").info("administrator's token, right: %s", right)
    if not right:
        time.sleep(WRONG_SECONDS)
    memory()["_app_admin"] = right


def is_token(token: str) -> bool:
    """Whether that is the administrator's token."""
    right = Access.from_environment().admin
    return bool(right) and hmac.compare_digest(right.encode(), token.encode())


def new_cookie(old: str) -> str:
    """A signed cookie for the owner that the old one names, or for a new one."""
    owner = owner_in(old) or f"browser:{secrets.token_urlsafe(16)}~{_today()}"
    return _signer().sign(owner).decode()


def was_here_before(cookie: str) -> bool:
    """Whether a cookie was first given to its browser before today."""
    owner = owner_in(cookie)
    first = owner.rpartition("~")[2]
    return bool(owner) and not (first.isdecimal() and int(first) >= _today())


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // 86400)


def key() -> str:
    """Key in the printed address: the cookie of whoever can read the terminal."""
    return _signer().sign(HERE).decode()


def owner_in(cookie: str) -> str:
    """Who a cookie says its browser is; "" where it was not signed here, or long ago."""
    try:
        owner, since = _signer().unsign(cookie, return_timestamp=True)
        age = (datetime.now(UTC) - since).total_seconds()
        return owner.decode() if -SKEW <= age <= A_YEAR else ""
    except (BadData, UnicodeError):
        return ""


def _signer() -> TimestampSigner:
    return TimestampSigner(_secret(), salt=COOKIE, digest_method=hashlib.sha256)


def _secret() -> str:
    return Access.from_environment().secret or _kept_secret(LabSettings.from_environment().home)


@cache
def _kept_secret(home: Path) -> str:
    """Secret of the lab's folder, made at first use; of this process where it cannot be kept."""
    file = home / "secret"
    new = secrets.token_urlsafe(32)
    beside = file.with_name(f".secret.{os.getpid()}")
    try:
        home.mkdir(parents=True, exist_ok=True)
        beside.touch(0o600)
        beside.write_text(new)
        if file.is_file() and file.stat().st_size < SHORTEST:
            file.unlink()  # power was lost while it was written: with "" anybody signs
        with suppress(FileExistsError):
            os.link(beside, file)  # whole, and by one process alone
        beside.unlink()
        return file.read_text()
    except OSError:
        return new


def _account() -> str:
    user = st.user.to_dict()
    if not user.get("is_logged_in") or not user.get("sub"):
        return ""
    name = f"{user.get('iss', '')} {user['sub']}"
    return f"account:{hashlib.sha256(name.encode()).hexdigest()[:24]}"


def _origin() -> str:
    """A mark of the reader's network; the address itself is written nowhere."""
    try:
        address = ip_address(st.context.ip_address or "")
    except ValueError:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address  # ::ffff:192.0.2.1
    # A provider gives one customer up to 2⁸⁰ addresses of the newer kind: a /48.
    network = int(address) >> (80 if address.version == 6 else 0)
    return hmac.new(_secret().encode(), str(network).encode(), "sha256").hexdigest()[:16]
