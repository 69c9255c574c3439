"""The controls of a screen: widgets bound to the URL, each with a sentence for a bad address.

Every control takes its `key` as the name of its URL parameter. A parameter of the wrong type or
out of range falls back to the default, and one visible sentence says so.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

MAX_URL_TEXT = 1500
"""Longest text that is kept in the address: servers refuse much longer ones."""
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
    help: str,
) -> Any:
    """A typed number, an integer if the default is one."""
    convert = int if isinstance(default, int) else float
    good = _check_address(
        key,
        default,
        _in_range(convert, minimum, maximum),
        f"{_words(minimum)} to {_words(maximum)}",
    )
    return st.number_input(
        label,
        convert(minimum),
        convert(maximum),
        value=default,
        step=convert(step),
        format=None if isinstance(default, int) else "%g",
        key=key,
        help=help,
        # Streamlit itself stumbles over some: an integer of 400 digits is its infinity.
        bind="query-params" if good else None,
    )


def slider(
    key: str,
    label: str,
    default: Number,
    minimum: Number,
    maximum: Number,
    *,
    step: Number = 1,
    help: str,
) -> Any:
    """A number on a slider, an integer if the default is one."""
    convert = int if isinstance(default, int) else float
    _check_address(
        key,
        default,
        _in_range(convert, minimum, maximum),
        f"{_words(minimum)} to {_words(maximum)}",
    )
    return st.slider(
        label,
        convert(minimum),
        convert(maximum),
        value=default,
        step=convert(step),
        key=key,
        help=help,
        bind="query-params",
    )


def powers(key: str, label: str, default: int, minimum: int, maximum: int, *, help: str) -> int:
    """A power of two on a slider, from `minimum` to `maximum` (powers of two themselves)."""
    options = [2**n for n in range(minimum.bit_length() - 1, maximum.bit_length())]
    allowed = f"the powers of 2 from {_words(minimum)} to {_words(maximum)}"
    _check_address(key, default, _one_of(int, options), allowed)
    return st.select_slider(label, options, value=default, key=key, help=help, bind="query-params")


def choice(
    key: str,
    label: str,
    options: Sequence[str],
    default: str | None = None,
    *,
    help: str,
    wide: bool = False,
    labels: Mapping[str, str] | None = None,
) -> str:
    """One of a few words: buttons up to three (any number where there is room), a list above.

    `labels` are shown, and kept in the address, in place of the words (names like "RoPE", the
    same in every language).
    """
    default = options[0] if default is None else default
    shown = [labels[option] for option in options] if labels else list(options)
    default_shown = labels[default] if labels else default
    _check_address(key, default_shown, _one_of(str, shown), _listed(shown))
    if wide or (len(options) <= 3 and sum(map(len, options)) <= 24):
        chosen = st.segmented_control(
            label,
            options,
            default=default,
            required=True,
            format_func=labels.__getitem__ if labels else None,
            key=key,
            help=help,
            wrap=True,
            bind="query-params",
        )
        return chosen or default
    return st.selectbox(
        label,
        options,
        index=list(options).index(default),
        format_func=labels.__getitem__ if labels else str,
        key=key,
        help=help,
        bind="query-params",
    )


def choices(
    key: str, label: str, options: Sequence[str], default: Sequence[str], *, help: str
) -> list[str]:
    """Any number of a few words."""
    # Nothing chosen is an address too: that of a reader who has cleared the list.
    _check_address(key, _listed(default), _one_of(str, [*options, ""]), _listed(options))
    return st.multiselect(
        label, options, default=list(default), key=key, help=help, bind="query-params"
    )


def toggle(key: str, label: str, default: bool = False, *, help: str) -> bool:
    """A switch."""
    words = ("true", "false", "True", "False", "1", "0")
    _check_address(key, default, _one_of(str, words), "true, false")
    return st.toggle(label, value=default, key=key, help=help, bind="query-params")


def vector(key: str, label: str, default: str, *, help: str) -> tuple[float, ...]:
    """A few numbers, typed with commas or spaces between them; a sentence if they are not."""
    typed = st.text_input(label, value=default, key=key, help=help, bind="query-params")
    try:
        return parse_vector(label, typed)
    except ValueError as error:
        st.error(f"{error} Using {default}.")
        return parse_vector(label, default)


def parse_vector(label: str, typed: str) -> tuple[float, ...]:
    """Read numbers with commas, semicolons or spaces between them.

    Raises:
        ValueError: If something typed is not a finite number, or there are none or more than 64.
    """
    words = re.split(r"\s*[,;]\s*|\s+", typed.strip("[]() \t\n"))[: MAX_VECTOR + 1]
    if len(words) > MAX_VECTOR:
        raise ValueError(f"{label} may hold at most {MAX_VECTOR} numbers.")
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            shown = word if len(word) <= 20 else word[:20] + "…"
            raise ValueError(
                f"{label} must be numbers with commas between them, such as 1, 2.5, -3; "
                f"got {shown!r}."
            ) from None
        if not math.isfinite(numbers[-1]):
            raise ValueError(f"{label} must hold finite numbers, got {word!r}.")
    return tuple(numbers)


def text(key: str, label: str, default: str, *, max_chars: int, help: str) -> str:
    """A text to compute on, kept in the address while it is short.

    Empty or longer than `max_chars`: a sentence, and the default is returned. What was typed stays
    in the field.
    """
    state = st.session_state
    _restore_text(key, default)
    typed = st.text_area(label, value=default, height=80, key=key, help=help)
    state[f"_{key}_saved"] = typed
    # Not bound like the others: a long text would make an address that no server takes.
    in_address = typed != default and len(typed) <= MAX_URL_TEXT
    state[f"_{key}_address"] = typed if in_address else None
    if not in_address:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != typed:
        # Only when it is new: Streamlit sends the whole address, as this run knew it, and a slider
        # that has moved on meanwhile would be set back in it.
        st.query_params[key] = typed
    if len(typed) > MAX_URL_TEXT:
        st.caption(f"A text above {MAX_URL_TEXT} characters is not kept in the address.")
    if len(typed) > max_chars:
        st.error(
            f"{label} has {len(typed):,} characters; this screen takes at most {max_chars:,}. "
            "What you typed stays in the field; shorten it. The picture shows the example text."
        )
        return default
    if not typed.strip():
        st.info("Type a text to see it here. The picture shows the example text.")
        return default
    return typed


def _restore_text(key: str, default: str) -> None:
    """Follow the address (a link, reload, back), or the text left here before a page switch."""
    state, address = st.session_state, st.query_params.get(key)
    known = state.get(f"_{key}_address")
    if address is not None and address != known:
        state[key] = address
    elif key not in state and f"_{key}_saved" in state:
        state[key] = state[f"_{key}_saved"]
    elif address is None and known is not None:
        state[key] = default


def presets(options: Mapping[str, Mapping[str, Any]], *, label: str = "Presets") -> None:
    """Named settings to start from; the one that the controls agree with is marked.

    Args:
        options: Name to settings: control key to value. The first are the controls' defaults.
        label: What stands above the names.
    """
    state = st.session_state
    defaults = {
        key: v for key, v in next(iter(options.values())).items() if key not in st.query_params
    }
    now = defaults | {key: state[key] for s in options.values() for key in s if key in state}
    agree = [name for name, settings in options.items() if settings.items() <= now.items()]
    state["_preset"] = agree[0] if agree else None

    def chosen() -> None:
        if state["_preset"] is not None:
            apply(options[state["_preset"]])

    st.pills(label, list(options), key="_preset", on_change=chosen, wrap=True)


def apply(settings: Mapping[str, Any]) -> None:
    """Set controls by key; for callbacks, which run before the controls are drawn."""
    for key, value in settings.items():
        # A control that is not on the screen yet does not write its address by itself.
        if key not in st.session_state:
            st.query_params[key] = value if isinstance(value, list) else str(value)
        st.session_state[key] = value


def sentences_here() -> None:
    """Begin a screen: what is wrong with its address is said here, where nothing folds it away."""
    st.session_state["_address_place"] = st.container()


def _address_place() -> DeltaGenerator:
    place: DeltaGenerator = st.session_state.get("_address_place") or st.container()
    return place


def _in_range(convert: type, minimum: Number, maximum: Number) -> Callable[[str], bool]:
    def good(raw: str) -> bool:
        try:
            return minimum <= convert(raw) <= maximum
        except (ValueError, OverflowError):
            return False

    return good


def _one_of(convert: type, options: Sequence[Any]) -> Callable[[str], bool]:
    def good(raw: str) -> bool:
        try:
            return convert(raw) in options
        except ValueError:
            return False

    return good


def _check_address(key: str, default: Any, good: Callable[[str], bool], allowed: str) -> bool:
    """Say what was wrong with the parameter that Streamlit is about to drop without a word.

    Returns:
        False if something was wrong; the parameter is then gone from the address.
    """
    bad = [raw for raw in st.query_params.get_all(key) if not good(raw)]
    # A control that is there already has written its address itself; its new limits reset it.
    wrong = bool(bad) and key not in st.session_state
    if wrong:
        shown = bad[0] if len(bad[0]) <= 40 else bad[0][:40] + "…"
        # Back-quotes and dollar signs would turn what a stranger typed into markup.
        shown = re.sub(r"[`$\\\[\]<>*_#|]", "·", shown)
        _address_place().warning(
            f"The address says {key} = {shown or 'nothing'}, but allowed here: {allowed}. "
            f"Using {_words(default)}."
        )
        del st.query_params[key]
    return not wrong


def _words(value: Any) -> str:
    if isinstance(value, str | bool):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.15g}"


def _listed(names: Sequence[str]) -> str:
    """The names with commas between them, or semicolons where a name has a comma."""
    return ("; " if any("," in name for name in names) else ", ").join(names)
