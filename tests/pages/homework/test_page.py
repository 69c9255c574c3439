"""The page Homework: answering, tasks on their screens, a result, a class's results."""

from urllib.parse import parse_qs, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from exhibits.homework.result import Answers, Result, shuffled
from exhibits.homework.settings import Settings
from exhibits.homework.tasks import TASKS
from tests.pages.drive import go_to, open_screen, sentences, whole_address
from ui.screen.homework import of

RIGHT = "".join("ABCD"[shuffled(4, 1, name).index(0)] for name in of("rope").ids)
MET = "head_dim=4&base=4.0&length=128&m=88&n=0"


def open_page(**query: str) -> AppTest:
    return open_screen("homework", **query)


def press(app: AppTest, at: int, letter: str) -> None:
    (button,) = [b for b in app.button if (b.key or "").endswith(f"_{at}_{letter}")]
    button.click().run()
    assert not app.exception


def test_an_answer_is_told_why_at_once_stays_and_is_in_the_address() -> None:
    app = open_page(on="rope")
    assert len([b for b in app.button if (b.key or "").startswith("answer_rope_1_")]) == 20
    wrong = "ABCD"[shuffled(4, 1, of("rope").ids[0]).index(2)]
    press(app, 0, wrong)
    options = of("rope").questions[0].options
    assert options[2].why in app.error[0].value
    assert options[0].why in app.success[0].value
    others = " ".join(one.value for one in app.markdown)
    assert options[1].why in others
    assert options[3].why in others
    press(app, 1, RIGHT[1])
    assert whole_address(app) == {"on": ["rope"], "answers": [f"rope.1.{wrong}{RIGHT[1]}---"]}
    again = open_page(**{key: raw[0] for key, raw in whole_address(app).items()})
    assert whole_address(again) == whole_address(app)
    assert [e.value for e in again.error] == [e.value for e in app.error]


def test_all_answered_gives_the_score_and_another_attempt_another_order() -> None:
    app = open_page(on="rope", answers=f"rope.1.{RIGHT[:4]}{'A' if RIGHT[4] != 'A' else 'B'}")
    assert any(one.value == "**4 of 5 right**, attempt 1." for one in app.markdown)
    before = [shuffled(4, 1, name) for name in of("rope").ids]
    assert before != [shuffled(4, 2, name) for name in of("rope").ids]
    app.button(key="again_rope").click().run()
    assert whole_address(app)["answers"] == ["rope.2.-----"]
    assert len([b for b in app.button if (b.key or "").startswith("answer_rope_2_")]) == 20


def test_a_task_is_checked_on_its_screen_and_handed_in_with_all_answers() -> None:
    carried = urlencode({"name": "Ada", "answers": f"rope.1.{RIGHT}"})
    app = open_screen(
        "rope",
        step="0",
        exercise="rope.same_angles",
        **{"for": carried},
        head_dim="4",
        length="128",
    )
    assert app.info[0].value.startswith("Not yet. Positions 9 and 4, 2 pairs")
    app = open_screen(
        "rope",
        **{key: raw[0] for key, raw in parse_qs(MET).items()},
        **{"step": "0", "exercise": "rope.same_angles", "for": carried},
    )
    assert app.success[0].value.startswith("Met. Positions 88 and 0")
    assert whole_address(app)["exercise"] == ["rope.same_angles"]  # for a reload
    app.button(key="task_hand_in").click().run()
    assert not app.exception
    there = whole_address(app)
    assert there["name"] == ["Ada"]
    assert there["answers"] == [f"rope.1.{RIGHT}"]
    task, _mark, query = there["tasks"][0].partition("?")
    assert task == "rope.same_angles"
    assert {key: float(raw[0]) for key, raw in parse_qs(query).items()} == {
        "head_dim": 4, "base": 4, "length": 128, "m": 88, "n": 0,
    }  # fmt: skip
    assert any("Met. Positions 88 and 0" in one.value for one in app.success)
    assert "exercise" not in whole_address(go_to(app, "rope"))


def test_a_task_that_is_none_says_so_and_another_screen_has_none() -> None:
    app = open_screen("rope", step="0", exercise="rope.<b>x</b>")
    assert "a task that this screen does not have" in app.warning[0].value
    app = open_screen("alibi", step="0", exercise="rope.same_angles")
    assert not app.warning
    assert "exercise" not in whole_address(app)


def test_answers_go_along_by_the_link_at_the_end_of_a_walk() -> None:
    app = go_to(open_page(on="rope", answers="rope.1.A----"), "alibi", step="5")
    (link,) = [one.proto for one in app.get("page_link") if one.proto.label.startswith("Five")]
    assert parse_qs(link.query_string) == {"on": ["alibi"], "answers": ["rope.1.A----"]}


def test_a_result_opens_with_every_answer_and_a_broken_link_says_so() -> None:
    told = Result("Ada", {"rope": Answers(RIGHT[:-1] + "-")}, {"rope.same_angles": MET})
    query = {key: raw[0] for key, raw in parse_qs(f"view=result&{told.link}").items()}
    app = open_page(**query)
    assert not app.exception
    assert not app.warning
    assert any(one.value == "**4 of 5 right**, attempt 1." for one in app.markdown)
    assert any("Met. Positions 88" in one.value for one in app.success)
    assert told.link in app.code[0].value
    assert app.text_input(key="name").value == "Ada"
    app.text_input(key="name").set_value("Ada L.").run()
    assert whole_address(app)["name"] == ["Ada L."]
    assert not app.warning
    for broken in (query | {"seal": "0"}, {k: v for k, v in query.items() if k != "seal"}):
        assert "not as it was made" in open_page(**broken).warning[0].value


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"answers": "rope.1.AAAAZ"}, "does not fit the 5 questions"),
        ({"answers": "💥"}, "not the answers"),
        ({"tasks": "x" * 9000}, "at most 4,000 characters"),
        ({"on": "nowhere"}, "allowed here"),
        ({"view": "result", "tasks": "rope.same_angles?m=<b>"}, "not as it was made"),
    ],
)
def test_hostile_addresses_get_a_sentence(query: dict[str, str], said: str) -> None:
    app = open_page(**query)
    assert not app.exception
    assert any(said in sentence for sentence in [*sentences(app), *(w.value for w in app.warning)])


def test_a_class_has_a_row_for_each_result_and_wrong_ones_are_named() -> None:
    ada = Result("Ada", {"rope": Answers(RIGHT)}, {"rope.same_angles": MET})
    bob = Result("Bob", {"rope": Answers("-" * 5), "alibi": Answers("AAAAA", 3)}, {})
    app = open_page(view="class")
    links = [f"http://elsewhere/homework?view=result&{one.link}" for one in (ada, bob)]
    app.text_area(key="class_links").set_value("\n".join([*links, "hello"])).run()
    assert not app.exception
    assert "no link to a result" in app.error[0].value
    table = app.dataframe[0].value
    assert list(table["name"]) == ["Ada", "Bob"]
    assert table["RoPE"][0] == "5 of 5, attempt 1"
    assert table["RoPE: tasks met"][0] == "1 of 1"
    assert table["ALiBi"][1].endswith("of 5, attempt 3")
    files = [(f"{at}.json", data, "application/json") for at, data in enumerate(
        [Result("Eve", {}, {"rope.half": "base=2"}).file.encode(), b"{}", b"x" * 999_999]
    )]  # fmt: skip
    app.file_uploader(key="class_files").set_value(files).run()
    assert not app.exception
    assert [one.value for one in app.error[1:3]] == [
        "1.json is not a result. A result is the file that this page gives under Result.",
        "2.json is larger than any result, which has at most 20,000 bytes.",
    ]
    assert list(app.dataframe[0].value["name"]) == ["Ada", "Bob", "Eve"]
    assert app.dataframe[0].value["RoPE: tasks met"][2] == "0 of 1"


@pytest.mark.parametrize("screen", sorted({name.split(".")[0] for name in TASKS}))
def test_a_check_reads_what_the_screen_is_set_to(screen: str) -> None:
    """The defaults of a check are those of the controls."""
    for task in of(screen).tasks:
        settings = Settings("")
        TASKS[task.id](settings)
        begin = {key: str(value) for key, value in task.settings.items()}
        app = open_screen(screen, step="0", **begin)
        assert sentences(app) == []
        for key, default in settings.read.items():
            if key not in task.settings:
                assert app.session_state[key] == default, (task.id, key)
            else:
                assert str(app.session_state[key]) == begin[key]
