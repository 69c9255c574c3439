"""Claims of a request about where it comes from."""

import pytest

from serving.origin import is_from_this_machine


def asked(client="127.0.0.1", **headers):
    pairs = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
    return is_from_this_machine({"type": "http", "headers": pairs, "client": (client, 1)})


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost:8501", True), ("127.0.0.1", True), ("[::1]:8501", True), ("", True),
        ("[::1]x", False), ("[::1", False), ("127.0.0.1:x", False), ("127.0.0.1.example", False),
        ("x@localhost", False),
    ],
)  # fmt: skip
def test_this_machine_is_asked_for_by_its_own_names(host, ours):
    assert asked(host=host) is ours


def test_who_comes_through_a_proxy_is_not_this_machine():
    assert asked()
    assert not asked("192.0.2.1")
    for name in (
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Real-IP",
        "Via",
        "CF-Connecting-IP",
        "True-Client-IP",
        "Tailscale-User-Login",
    ):
        assert not asked(**{name: "https"}), name
