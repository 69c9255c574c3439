"""Controls that choose among things with ids and labels.

What can be chosen has an id and a label. The id is a short ASCII word: it stands in the address,
in session state, in presets and lessons, and it is what the control returns. The label is what
the reader sees, in any language: a label that was made with `say` is told in the reader's.
`options` is therefore a mapping of ids to labels; a sequence of words that are their own labels
will do.

    LAYOUTS = {"interleaved": say("interleaved"), "half": say("half")}
    layout = controls.choice("layout", _("Layout"), LAYOUTS, "half", help=_("Which channels …"))
    if layout == "half": ...

In the address the case of an id does not matter, and a label will do. `pages/rope` shows the whole
way: `PICTURES` by id in `screen.py`; in `settings.py` `PRESETS` with ids as names and values, and
their labels.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from posenc.words import say
from ui.charts.served import component
from ui.controls import address
from ui.controls.claims import claimed, noted
from ui.streamlit.containers import TabContainer
from ui.words import _, translate

PICTURE = "view"
"""Key of the control that says which picture a screen shows: another picture is a step for Back."""

MOST_BUTTONS = 8
"""Pictures in a row; of more the names are not read, and a list takes their place."""
PRESETS = say("Examples")
MARKED = "border-color: light-dark(#0072b2, #56b4e9); background: light-dark(#0072b224, #56b4e924);"
"""How the preset looks that the controls agree with."""

Options = Mapping[str, str] | Sequence[str]
Presets = Mapping[str, tuple[str, Mapping[str, Any]]]


def choice(
    key: str,
    label: str,
    options: Options,
    default: str | None = None,
    *,
    help: str,
    wide: bool = False,
) -> str:
    """One of a few: buttons up to three (any number where there is room), a list above.

    Args:
        key: Name of the control and of its parameter; `PICTURE` for the pictures of a screen.
        label: What stands above it.
        options: Id to label (a text, or a sentence of `say`), or words that are both.
        default: An id; the first if None.
        help: What it is, in a sentence or two.
        wide: Whether there is room for buttons.

    Returns:
        The id.
    """
    labels = _labels(options)
    ids = list(labels)
    default = ids[0] if default is None else default
    claimed(key, label, default, _one_of(labels), ids.__contains__, options=labels)
    on_change = address.step if key == PICTURE else None
    if wide or (len(ids) <= 3 and sum(map(len, labels.values())) <= 24):
        chosen = st.segmented_control(
            label,
            ids,
            default=default,
            required=True,
            format_func=labels.__getitem__,
            key=key,
            help=help,
            wrap=True,
            on_change=on_change,
        )
        return noted(key, chosen or default, default)
    chosen = st.selectbox(
        label,
        ids,
        index=ids.index(default),
        format_func=labels.__getitem__,
        key=key,
        help=help,
        on_change=on_change,
    )
    return noted(key, chosen, default)


def held(key: str, label: str, options: Options, default: str | None = None) -> str:
    """One of a few that a picture lets the reader choose: in the address, and without a widget.

    Returns:
        The id.
    """
    labels = _labels(options)
    ids = list(labels)
    default = ids[0] if default is None else default
    read = _one_of(labels)
    claimed(key, label, default, read, ids.__contains__, options=labels)
    # A browser that was here before brings the values of widgets, and this has none.
    chosen = st.session_state.setdefault(key, address.from_browser(key, read, default))
    return noted(key, str(chosen), default)


def picture(pictures: Options) -> str:
    """Id of the picture of a screen that is looked at; options as in `choice`."""
    return choice(
        PICTURE,
        _("Picture"),
        pictures,
        wide=len(pictures) <= MOST_BUTTONS,
        help=_("What to look at; the controls stay as they are."),
    )


def choices(
    key: str, label: str, options: Options, default: Sequence[str], *, help: str
) -> list[str]:
    """Any number of a few; options, default and what is returned as in `choice`."""
    labels = _labels(options)
    ids = list(labels)
    one = _one_of(labels)

    def read(raw: list[str]) -> list[str]:
        # Nothing chosen is an address too: that of a reader who has cleared the list.
        return [one([word]) for word in raw if word]

    def fits(chosen: list[str]) -> bool:
        return set(chosen) <= set(ids)

    claimed(key, label, list(default), read, fits, options=labels)
    chosen = st.multiselect(
        label,
        ids,
        default=list(default),
        format_func=labels.__getitem__,
        key=key,
        help=help,
        placeholder=_("Choose some"),
        wrap=True,
    )
    return noted(key, chosen, list(default))


def tabs(key: str, options: Mapping[str, str]) -> dict[str, TabContainer]:
    """Tabs of which only the open one is computed (`.open`); the first is the default.

    Returns:
        Id to container.
    """
    state = st.session_state
    labels = _labels(options)
    ids = list(labels)
    claimed(key, "", ids[0], _one_of(labels), ids.__contains__, options=labels)
    # Streamlit knows tabs by their labels alone, so the widget has a key of its own.
    widget = f"{key}_label"
    by_label = {label: name for name, label in labels.items()}

    def opened() -> None:
        state[key] = by_label.get(state[widget], ids[0])

    wanted = labels[state.setdefault(key, ids[0])]
    if state.get(widget, labels[ids[0]]) != wanted:
        state[widget] = wanted
    containers = dict(
        zip(ids, st.tabs([*labels.values()], key=widget, on_change=opened), strict=True)
    )
    state[key] = next(name for name in ids if containers[name].open)
    noted(key, state[key], ids[0])
    return containers


def presets(named: Presets) -> None:
    """Named settings to start from; the one that the controls agree with is marked.

    Args:
        named: Id to label and settings: control key to value (an id where there is a choice). The
            first are the controls' defaults.
    """
    _label, defaults = next(iter(named.values()))
    marked = next(
        (
            name
            for name, (_label, wanted) in named.items()
            if all(address.agrees(key, to, defaults.get(key)) for key, to in wanted.items())
        ),
        "",
    )
    # Buttons, which say nothing but a click. Of a widget with a value, the browser still sends the
    # old one with a quick second move, as if it had been chosen again: all moves were undone.
    with st.container(key="preset", gap="xxsmall"):
        # A button of another type would be another button, and whoever pressed it by key lost it.
        heard = f"p::after {{ content: '' / '{escaped(_(', as the controls are set'))}'; }}"
        st.html(f"<style>.st-key-preset_{marked} button {{ {MARKED} {heard} }}</style>")
        # Close together: a long list is seen whole.
        with st.popover(translate(PRESETS), width="stretch"), st.container(gap="xxsmall"):
            for name, (label, wanted) in named.items():
                st.button(
                    translate(label),
                    key=f"preset_{name}",
                    on_click=apply,
                    args=(wanted,),
                    width="stretch",
                )
            _examples(key="examples")


def escaped(text: str) -> str:
    """Text for between the quotes of a style: what is neither letter nor space as its number."""
    return "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text)


def apply(settings: Mapping[str, Any]) -> None:
    """Set controls by key, as a step for Back; for callbacks, which run before controls do."""
    for key, to in settings.items():
        address.put(key, to)
    address.step()


def _labels(options: Options) -> dict[str, str]:
    by_id = options if isinstance(options, Mapping) else {word: word for word in options}
    return {name: translate(label) for name, label in by_id.items()}


def _one_of(labels: Mapping[str, str]) -> Callable[[list[str]], str]:
    by_name = {label.casefold(): name for name, label in labels.items()}
    by_name |= {name.casefold(): name for name in labels}

    def read(raw: list[str]) -> str:
        if raw[-1].casefold() not in by_name:
            raise ValueError(raw[-1])
        return by_name[raw[-1].casefold()]

    return read


_examples = component("examples", "screen/examples.js")
