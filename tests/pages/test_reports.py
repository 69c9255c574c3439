"""Pictures that move report where the reader has let go: controls and address have it.

That a drag ends in a report is seen in the browser. What no picture reports changes nothing.
"""

from typing import Any

import pytest

from tests.pages.drive import address, moving, open_screen, sentences

Row = tuple[str, dict[str, str], str, dict[str, Any], dict[str, str], list[dict[str, Any]]]

# Screen and address, key, what is reported, what the address then says besides, wrong reports.
REPORTS: list[Row] = [
    (
        "rope",
        {},
        "hands",
        {"m": 26, "n": 2, "method": "yarn", "content": "own", "pair": 5},
        {"m": "26", "n": "2", "method": "yarn", "content": "own", "hands_pair": "5"},
        [
            {"m": "9 or 1=1", "n": None, "method": "x", "content": [], "pair": {}},
            {"m": -1, "n": 2**40, "method": "yarn "},
            {"m": 1e99, "n": 0.5, "pair": "💥"},
        ],
    ),
    (
        "rope",
        {"view": "clocks"},
        "clocks",
        {"position": 20, "pair": 6},
        {"clocks_hand": "20, 6"},
        [{"position": -1}, {"pair": "x"}, {"position": None}, {"position": 2**40}],
    ),
    (
        "absolute",
        {"view": "odometer"},
        "odometer",
        {"a": 20, "b": 97, "words": "two", "column": 9},
        {"a": "20", "b": "97", "words": "two", "odometer_column": "9"},
        [{"a": -1, "b": 1e99, "words": ["x"], "column": "9"}],
    ),
    (
        "scaling",
        {"view": "stretch"},
        "stretch",
        {"times": 6.5, "factor": 2, "method": "ntk", "pair": 54},
        {"times": "6.5", "factor": "2", "method": "ntk", "stretch_pair": "54"},
        [{"times": 1e9}, {"times": "<b>"}, {"factor": -1}, {"method": "x"}, {"times": None}],
    ),
    (
        "why_position",
        {},
        "slide",
        {"way": 100, "encoding": "rope"},
        {"encoding": "rope", "order": "shuffled"},
        [{"way": "x", "encoding": "x"}, {"way": None, "encoding": []}],
    ),
    (
        "why_position",
        {},
        "origin",
        {"row": 1, "col": 3, "key": 2},
        {"origin_of": "1, 3, 2"},
        [{"row": -1}, {"col": "x"}, {"key": 10**9}, {"row": None}],
    ),
]


@pytest.mark.parametrize(
    ("screen", "query", "key", "said", "more", "wrong"), REPORTS, ids=[row[2] for row in REPORTS]
)
def test_a_report_reaches_the_address_unless_it_is_wrong(
    screen: str,
    query: dict[str, str],
    key: str,
    said: dict[str, Any],
    more: dict[str, str],
    wrong: list[dict[str, Any]],
) -> None:
    app = open_screen(screen, **query)
    for number, report in enumerate([said, *(said | one for one in wrong)]):
        app.session_state[key] = {"report": report | {"at": number}}
        app.run()
        assert not app.exception
        assert sentences(app) == []
        assert address(app) == {name: [value] for name, value in (query | more).items()}
        assert moving(app, key)["at"] == said
        assert moving(app, key)["echo"] == number
    for state in (7, {"report": {"at": [1]}}):
        app.session_state[key] = state
        app.run()
        assert not app.exception
        assert moving(app, key)["at"] == said


def test_a_report_is_heard_once() -> None:
    app = open_screen("rope")
    app.session_state["hands"] = {"report": {"m": 20, "at": 1}}
    app.run()
    app.number_input(key="m").set_value(11).run()
    assert address(app) == {"m": ["11"]}
    assert moving(app, "hands")["at"]["m"] == 11
