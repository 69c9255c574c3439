"""The menu of the site above a screen: another screen is opened without a new page."""

from collections.abc import Collection, Mapping
from urllib.parse import parse_qs

import streamlit as st

from ui.charts.served import component, nothing
from ui.controls import address
from ui.screen import course


def follow(screens: Collection[str]) -> None:
    """Open the screen that was chosen in the menu; the run then ends.

    Args:
        screens: Ids of those that there are; Home's is "home".
    """
    told = _menu(key="site_menu", on_open_change=nothing)
    chosen = told.get("open") if isinstance(told, Mapping) else None
    if not isinstance(chosen, list) or len(chosen) != 2:
        return
    screen, query = str(chosen[0]) or "home", str(chosen[1])
    if screen not in screens:
        return
    wanted = address.linked("" if screen == "home" else screen, parse_qs(query))
    st.switch_page(course.script_of(screen), query_params=wanted)


_menu = component("site_menu", "screen/menu.js")
