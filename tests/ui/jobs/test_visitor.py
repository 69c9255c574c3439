"""Who a visitor is: signed cookies."""

import time
from types import SimpleNamespace

import pytest

from ui.jobs import visitor


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("POSENC_SECRET", "a secret that is long enough")


def test_a_cookie_names_its_owner_and_no_other_can_be_made():
    cookie = visitor.new_cookie("")
    owner = visitor.owner_in(cookie)
    assert owner.startswith("browser:")
    assert visitor.owner_in(visitor.new_cookie(cookie)) == owner
    assert visitor.owner_in(visitor.new_cookie("")) != owner
    name, when, _signature = cookie.split(".")
    for forged in ("", owner, cookie[:-1], f"{name}x.{when}.{_signature}", "ü" * 500, cookie + "."):
        assert visitor.owner_in(forged) == ""


def test_a_cookie_of_another_server_is_none(monkeypatch):
    cookie = visitor.new_cookie("")
    monkeypatch.setenv("POSENC_SECRET", "another secret, long enough")
    assert visitor.owner_in(cookie) == ""


@pytest.mark.parametrize(
    ("ahead", "known"),
    [(5, True), (visitor.SKEW + 60, False), (-86400, True), (-visitor.A_YEAR - 60, False)],
)
def test_a_cookie_of_a_replica_whose_clock_is_ahead_is_known(ahead, known, monkeypatch):
    signed_at = int(time.time()) + ahead
    monkeypatch.setattr("itsdangerous.TimestampSigner.get_timestamp", lambda self: signed_at)
    assert bool(visitor.owner_in(visitor.new_cookie(""))) is known


def test_the_folders_secret_is_made_once_and_is_the_owners_alone(tmp_path):
    first = visitor._kept_secret.__wrapped__(tmp_path)
    assert visitor._kept_secret.__wrapped__(tmp_path) == first
    assert len(first) > 30
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("")  # the machine lost its power before the text was on the disk
    assert len(visitor._kept_secret.__wrapped__(tmp_path)) > 30


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:ff3::9", True),  # one customer's
        ("2001:db8:1:2::1", "2001:db8:2:2::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_a_customers_addresses_are_one_network(one, other, alike, monkeypatch, tmp_path):
    monkeypatch.setenv("POSENC_LAB_HOME", str(tmp_path))

    def mark(address):
        monkeypatch.setattr(visitor.st, "context", SimpleNamespace(ip_address=address))
        return visitor._origin()

    assert (mark(one) == mark(other)) is alike


def test_the_administrators_token_is_compared_whole(monkeypatch):
    assert not visitor.is_token("")
    monkeypatch.setenv("POSENC_LAB_ADMIN", "a token that is long enough")
    assert visitor.is_token("a token that is long enough")
    assert not visitor.is_token("")
    assert not visitor.is_token("a token that is long enough ")
