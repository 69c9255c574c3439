"""Numbers, switches and texts, each with a sentence for a bad address.

Every control takes its `key` as the name of its URL parameter. A parameter of the wrong type or
out of range falls back to the default, and one visible sentence says so.
"""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from advisor.inputs.typed import tokens as read_tokens
from posenc.words import say
from ui.controls import address
from ui.controls.claims import claimed, in_words, listed, noted, said_of_address
from ui.memory import memory
from ui.words import _, markdown

MAX_VECTOR = 64

Number = int | float


def number(
    key: str,
    label: str,
    default: Number,
    minimum: Number,
    maximum: Number,
    *,
    step: Number = 1,
    even: bool = False,
    help: str,
    draw: Callable[..., Any] = st.number_input,
) -> Any:
    """A typed number, an integer if the default is one; `draw` is Streamlit's widget.

    One that is not allowed is not taken: a sentence says what is, and the control stays as it was.
    """
    convert = _claim_number(key, label, default, minimum, maximum, even)
    step = 2 if even else step
    chosen = draw(
        label,
        convert(minimum),
        convert(maximum),
        value=default,
        step=convert(step),
        format=None if isinstance(default, int) else "%g",
        key=key,
        help=help,
    )
    return noted(key, chosen, default)


slider = partial(number, draw=st.slider)
"""A number on a slider, an integer if the default is one."""


def powers(key: str, label: str, default: int, minimum: int, maximum: int, *, help: str) -> int:
    """A power of two on a slider, from `minimum` to `maximum` (powers of two themselves)."""
    options = [2**n for n in range(minimum.bit_length() - 1, maximum.bit_length())]
    allowed = _("the powers of 2 from {first:,} to {last:,}", first=minimum, last=maximum)
    claimed(key, label, default, lambda raw: int(raw[-1]), options.__contains__, allowed)
    moved = st.select_slider(label, options, value=default, key=key, help=help)
    return noted(key, moved, default)


def toggle(key: str, label: str, default: bool = False, *, help: str) -> bool:
    """A switch."""
    words = {"true": True, "false": False, "1": True, "0": False}

    def read(raw: list[str]) -> bool:
        if raw[-1].lower() not in words:
            raise ValueError(raw[-1])
        return words[raw[-1].lower()]

    claimed(key, label, default, read, lambda _: True, listed(["true", "false"]))
    return noted(key, st.toggle(label, value=default, key=key, help=help), default)


def line(
    key: str,
    label: str,
    default: str = "",
    *,
    help: str,
    max_chars: int | None = None,
    placeholder: str | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> str:
    """A typed line, as it is; `placeholder` is shown while it is empty."""
    claimed(key, label, default, lambda raw: raw[-1], lambda _: True, "")
    typed = st.text_input(
        label,
        value=default,
        max_chars=max_chars,
        key=key,
        help=help,
        placeholder=placeholder,
        width=width,
    )
    return noted(key, typed, default)


def tokens(key: str, label: str, *, none: str, help: str) -> int:
    """A length in tokens, typed as people do (131072, 131,072, 128k); 0 where the field is empty.

    What cannot be read is not taken: a sentence says so, and the field stays as it was.

    Args:
        key: The control; settings give it what would be typed. The address has the number.
        label: What stands above it.
        none: What no length means, shown in the empty field.
        help: What it is.
    """
    wrong = address.claim(
        key, "", read=lambda raw: raw[-1], fits=lambda typed: _reads(label, typed), limits=label
    )
    if wrong is not None:
        told = {"error": markdown(_length_error(label, wrong)), "none": none}
        said_of_address(
            _(
                "{error} It stands in the address of this page. The field is empty, which means "
                "{none}.",
                **told,
            )
        )
    refused = address.refused(key)
    if isinstance(refused, str):
        told = {"error": markdown(_length_error(label, refused))}
        kept = st.session_state[key]
        if kept:
            st.error(_("{error} It stays at {now}.", now=kept, **told))
        else:
            st.error(_("{error} It stays empty: {none}.", none=none, **told))
    typed = st.text_input(label, key=key, help=help, placeholder=none)
    asked = _length(label, typed)
    address.note(key, typed, "", packed=str(asked) if asked else "")
    return asked


def _length(label: str, typed: str) -> int:
    return read_tokens(label, typed) if typed.strip() not in ("", "0") else 0


def _reads(label: str, typed: Any) -> bool:
    return isinstance(typed, str) and not _length_error(label, typed)


def _length_error(label: str, typed: str) -> str:
    """Sentence on what is wrong with a typed length; "" where nothing is."""
    try:
        _length(label, typed)
    except ValueError as error:
        return str(error.args[0])
    return ""


def vector(
    key: str, label: str, default: str, room: int | None = None, *, help: str
) -> tuple[float, ...]:
    """A few numbers, typed with commas or spaces between them; a sentence if they are not.

    Args:
        key: The control.
        label: What stands above it.
        default: The numbers before anybody types others.
        room: So many are taken; a sentence says so where more are typed.
        help: What they are.
    """
    typed = line(key, label, default, help=help)
    try:
        numbers = parse_vector(label, typed)
        if room is not None and len(numbers) > room:
            st.caption(
                _(
                    "{label} holds {count} numbers; the first {room} are taken.",
                    label=label,
                    count=len(numbers),
                    room=room,
                )
            )
        return numbers[:room]
    except ValueError as error:
        st.error(markdown(say("{error} Using {default}.", error=error, default=default)))
        return parse_vector(label, default)


def parse_vector(label: str, typed: str) -> tuple[float, ...]:
    """Read numbers with commas, semicolons or spaces between them.

    Raises:
        ValueError: If something typed is not a finite number, or there are none or more than 64.
    """
    words = re.split(r"\s*[,;]\s*|\s+", typed.strip("[]() \t\n"))[: MAX_VECTOR + 1]
    if len(words) > MAX_VECTOR:
        raise ValueError(
            say("{label} may hold at most {most} numbers.", label=label, most=MAX_VECTOR)
        )
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            shown = word if len(word) <= 20 else word[:20] + "…"
            raise ValueError(
                say(
                    "{label} must be numbers with commas between them, such as 1, 2.5, -3; "
                    "got {shown!r}.",
                    label=label,
                    shown=shown,
                )
            ) from None
        if not math.isfinite(numbers[-1]):
            raise ValueError(
                say("{label} must hold finite numbers, got {shown!r}.", label=label, shown=word)
            )
    return tuple(numbers)


def text(key: str, label: str, default: str, *, max_chars: int, help: str) -> str:
    """A text to compute on, kept in the address while it is short.

    Empty: a sentence, and the default is returned. Longer than `max_chars`: a sentence, and the
    last text that was not. What was typed stays in the field.
    """
    claimed(key, label, default, lambda raw: raw[-1], lambda _: True, "")
    typed = st.text_area(label, value=default, height=80, key=key, help=help)
    # The field takes its text when it is left, or at Ctrl+Enter, which a phone has not.
    st.button(_("Read this text"), key=f"send_{key}")
    noted(key, typed, default)
    if len(typed) > address.MAX_URL_TEXT:
        st.caption(
            _(
                "A text above {most} characters is not kept in the address.",
                most=address.MAX_URL_TEXT,
            )
        )
    if len(typed) > max_chars:
        st.error(
            _(
                "{label} has {count:,} characters; this screen takes at most {most:,}. What you "
                "typed stays in the field; shorten it. The picture stays as it was.",
                label=label,
                count=len(typed),
                most=max_chars,
            )
        )
        kept: str = memory().get(kept_text(key), default)
        return kept
    if not typed.strip():
        st.info(_("Type a text to see it here. The picture shows the example text."))
        return default
    memory()[kept_text(key)] = typed
    return typed


def kept_text(key: str) -> str:
    """Where the last text that was short enough is kept in the session."""
    return f"_app_text_{key}"


def _claim_number(
    key: str, label: str, default: Number, minimum: Number, maximum: Number, even: bool
) -> type[int] | type[float]:
    convert = int if isinstance(default, int) else float
    ends = {"first": in_words(minimum), "last": in_words(maximum)}
    allowed = _("{first} to {last}", **ends)
    if even:
        allowed = _("an even number from {first} to {last}", **ends)
    elif convert is int:
        allowed = _("a whole number from {first} to {last}", **ends)
    claimed(
        key,
        label,
        default,
        lambda raw: convert(raw[-1]),
        lambda number: minimum <= number <= maximum and not (even and number % 2),
        allowed,
    )
    return convert
