"""The dated table: which engine reads which field, and settings that do not work for a family."""

import pandas as pd
import streamlit as st

from advisor.facts import TRIED, Field, Gap
from posenc.words import say
from ui.words import _, translate

Row = Field | Gap
DOES = {
    "reads": say("reads it"),
    "ignores": say("ignores it"),
    "gone": say("no longer accepts it"),
    "misreads": say("computes something else"),
    "refuses": say("does not start"),
}


def address(row: Row) -> str:
    """Name of a row in addresses: its engine, and the field, or families and settings."""
    if isinstance(row, Field):
        return f"{row.engine}.{row.field}".replace(" ", "-")
    return f"{row.engine}.{row.families[0]}.{row.does}.{row.settings[0]}"


def sentence(row: Row) -> str:
    about = TRIED[row.engine]
    does = translate(DOES[row.does])
    if isinstance(row, Field):
        return _(
            "**{field}**: {engine} {does}, since {since} ({date}). {where}.",
            field=f"`{row.field}`",
            engine=about.name,
            does=does,
            since=row.since,
            date=row.date,
            where=row.where,
        )
    return _(
        "**{settings}**, for {families}: {engine} {does} ({where}).",
        settings=", ".join(row.settings),
        families=", ".join(row.families),
        engine=about.release,
        does=does,
        where=row.where,
    )


def show_rows(shown: dict[str, Row]) -> None:
    frame = pd.DataFrame(
        {
            _("what"): row.field if isinstance(row, Field) else ", ".join(row.settings),
            _("engine"): TRIED[row.engine].name,
            _("does"): translate(DOES[row.does]),
            _("since"): row.since if isinstance(row, Field) else TRIED[row.engine].version,
            _("date"): row.date if isinstance(row, Field) else TRIED[row.engine].date,
            _("families"): _("all") if isinstance(row, Field) else ", ".join(row.families),
            _("where"): row.where,
            _("address"): f"engines?row={name}",
        }
        for name, row in shown.items()
    )
    link = st.column_config.LinkColumn(display_text=_("link"))
    st.dataframe(frame, hide_index=True, column_config={_("address"): link})
