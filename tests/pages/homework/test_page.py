"""The page Homework: answering, tasks on their screens, a result, a class's results."""

from urllib.parse import parse_qs, urlencode

import pytest
from pandas.api.types import is_numeric_dtype
from streamlit.testing.v1 import AppTest

from exhibits.homework.result import Answers, Result, shuffled
from exhibits.homework.settings import Settings
from exhibits.homework.tasks import TASKS
from tests.pages.drive import address, go_to, ids, open_screen, sentences
from ui.screen.homework import of

RIGHT = "".join("ABCD"[shuffled(4, 1, name).index(0)] for name in of("rope").ids)
MET = "head_dim=4&base=4.0&length=128&m=88&n=0"


def open_page(**query: str) -> AppTest:
    return open_screen("homework", **query)


def press(app: AppTest, at: int, letter: str) -> None:
    (button,) = [b for b in app.button if (b.key or "").endswith(f"_{at}_{letter}")]
    button.click().run()
    assert not app.exception


def test_an_answer_is_explained_and_kept_in_the_address() -> None:
    app = open_page(on="rope", answers="rope.1.-----")
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
    assert address(app) == {"on": ["rope"], "answers": [f"rope.1.{wrong}{RIGHT[1]}---"]}
    again = open_page(**{key: raw[0] for key, raw in address(app).items()})
    assert address(again) == address(app)
    assert [e.value for e in again.error] == [e.value for e in app.error]


def test_all_answered_is_a_score_and_the_next_order_another() -> None:
    app = open_page(on="rope", answers=f"rope.1.{RIGHT[:4]}{'A' if RIGHT[4] != 'A' else 'B'}")
    assert any(one.value == "**4 of 5 right**, attempt 1." for one in app.markdown)
    before = [shuffled(4, 1, name) for name in of("rope").ids]
    assert before != [shuffled(4, 2, name) for name in of("rope").ids]
    app.button(key="again_rope").click().run()
    assert address(app)["answers"] == ["rope.2.-----"]
    assert len([b for b in app.button if (b.key or "").startswith("answer_rope_2_")]) == 20


def test_a_task_is_checked_on_its_screen_and_handed_in() -> None:
    carried = urlencode({"name": "Ada", "answers": f"rope.1.{RIGHT}"})
    app = open_screen(
        "rope",
        exercise="rope.same_angles",
        **{"for": carried},
        head_dim="4",
        length="128",
    )
    assert app.info[0].value.startswith("Not yet. Positions 9 and 4, 2 pairs")
    app = open_screen(
        "rope",
        **{key: raw[0] for key, raw in parse_qs(MET).items()},
        **{"exercise": "rope.same_angles", "for": carried},
    )
    assert app.success[0].value.startswith("Met. Positions 88 and 0")
    assert address(app)["exercise"] == ["rope.same_angles"]  # for a reload
    app.button(key="task_hand_in").click().run()
    assert not app.exception
    there = address(app)
    assert there["name"] == ["Ada"]
    assert there["answers"] == [f"rope.1.{RIGHT}"]
    task, _mark, query = there["tasks"][0].partition("?")
    assert task == "rope.same_angles"
    assert {key: float(raw[0]) for key, raw in parse_qs(query).items()} == {
        "head_dim": 4,
        "base": 4,
        "length": 128,
        "m": 88,
        "n": 0,
    }
    assert app.success[0].value.startswith("Met. Positions 88 and 0"), "above the answers"
    assert "exercise" not in address(go_to(app, "rope"))


def test_a_teacher_copies_a_link_to_one_homework() -> None:
    app = open_screen("homework", on="cope", answers="cope.1.AB---")
    assert any(one.value == "Link for a class" for one in app.markdown)
    (link,) = app.code
    assert link.value.endswith("?on=cope")


def test_a_task_that_is_none_says_so_and_another_screen_has_none() -> None:
    app = open_screen("rope", exercise="rope.<b>x</b>")
    assert "a task that this screen does not have" in app.warning[0].value
    app = open_screen("alibi", exercise="rope.same_angles")
    assert not app.warning
    assert "exercise" not in address(app)


def test_a_result_opens_with_answers_a_broken_link_says_so() -> None:
    told = Result("Ada", {"rope": Answers(RIGHT[:-1] + "-")}, {"rope.same_angles": MET})
    query = {key: raw[0] for key, raw in parse_qs(f"view=result&{told.link}").items()}
    app = open_page(**query)
    assert not app.exception
    assert not app.warning
    assert any(one.value == "**4 of 5 right**, attempt 1." for one in app.markdown)
    assert any("Met. Positions 88" in one.value for one in app.success)
    assert app.header[0].value == "Ada"
    assert address(app) == {key: [raw] for key, raw in query.items()}  # for a reload
    for broken in (query | {"seal": "0"}, {k: v for k, v in query.items() if k != "seal"}):
        assert "not as it was made" in open_page(**broken).warning[0].value


def test_an_own_result_has_a_link_and_survives_a_reload() -> None:
    told = Result("Ada", {"rope": Answers(RIGHT)})
    app = open_page(view="own", **told.fields)
    assert told.link in app.code[0].value
    app.text_input(key="name").set_value("Ada L.").run()
    assert address(app)["name"] == ["Ada L."]
    assert "seal" not in address(app)
    again = open_page(**{key: raw[0] for key, raw in address(app).items()})
    assert again.text_input(key="name").value == "Ada L."
    assert not again.warning


def test_a_result_that_was_sent_does_not_become_the_readers_own() -> None:
    told = Result("Ada", {"rope": Answers(RIGHT)}, {"rope.same_angles": MET}, order=7)
    sent = {key: raw[0] for key, raw in parse_qs(f"view=result&{told.link}").items()}
    own = {"name": "Tom", "answers": "alibi.1.AB---", "order": "8"}
    app = open_page(view="own", **own)
    go_to(app, "homework", **sent, linked="1")
    assert app.header[0].value == "Ada"
    assert any("Met. Positions 88" in one.value for one in app.success)
    assert {key: raw[0] for key, raw in address(app).items()} == sent
    app.button_group(key="view").set_value("own").run()
    assert not app.exception
    assert {key: raw[0] for key, raw in address(app).items()} == {"view": "own"} | own
    go_to(app, "rope")
    go_to(app, "homework")
    assert {key: raw[0] for key, raw in address(app).items()} == {"view": "own"} | own
    new = open_page(**sent)
    new.button_group(key="view").set_value("questions").run()
    assert not {"name", "answers", "tasks", "seal"} & address(new).keys()


def test_settings_that_cannot_be_read_are_named() -> None:
    app = open_page(view="own", tasks="rope.same_angles?head_dim=x")
    assert "`" not in app.error[0].value
    assert app.error[0].value.endswith("= x, but allowed are: 2 to 512.")


def test_a_class_has_a_row_a_result_and_names_wrong_ones() -> None:
    ada = Result("Ada", {"rope": Answers(RIGHT)}, {"rope.same_angles": MET})
    bob = Result("Bob", {"rope": Answers("-" * 5), "alibi": Answers("AAAAA", 3)}, {})
    app = open_page(view="class")
    links = [f"http://elsewhere/homework?view=result&{one.link}" for one in (ada, bob)]
    app.text_area(key="class_links").set_value("\n".join([*links, "hello"])).run()
    assert not app.exception
    assert app.error[0].value == (
        "This is no link to a result: hello. It has the answers after 'homework?', as the page "
        "gives them under Result."
    )
    table = app.dataframe[0].value
    assert list(table["name"]) == ["Ada", "Bob"]
    assert table["RoPE: right of 5"].tolist() == [5, 0]
    assert table["RoPE: attempt"].tolist() == [1, 1]
    assert table["RoPE: tasks met"][0] == 1
    assert table["ALiBi & family: attempt"][1] == 3
    numbers = [name for name in table if name not in ("name", "remark")]
    assert all(is_numeric_dtype(table[name]) for name in numbers)
    files = [
        (f"{at}.json", data, "application/json")
        for at, data in enumerate(
            [Result("Eve", {}, {"rope.half": "base=2"}).file.encode(), b"{}", b"x" * 999_999]
        )
    ]
    app.file_uploader(key="class_files").set_value(files).run()
    assert not app.exception
    assert [one.value for one in app.error[1:3]] == [
        "1.json is not a result. A result is the file that this page gives under Result.",
        "2.json is larger than any result, which has at most 20,000 bytes.",
    ]
    assert list(app.dataframe[0].value["name"]) == ["Ada", "Bob", "Eve"]
    assert app.dataframe[0].value["RoPE: tasks met"][2] == 0


def test_a_class_sees_what_it_gets_wrong_question_by_question() -> None:
    questions = of("rope").questions
    wrong = "ABCD"[shuffled(4, 1, questions[0].id).index(2)]
    other = "ABCD"[shuffled(4, 1, questions[0].id).index(3)]
    of_its_own = "ABCD"[shuffled(4, 2, questions[0].id, 77).index(2)]  # the same wrong option
    class_ = [
        Result("Ada", {"rope": Answers(RIGHT)}),
        Result("Bob", {"rope": Answers(wrong + RIGHT[1] + "---")}),
        Result("Cy", {"rope": Answers(other + "----")}),
        Result("Di", {"rope": Answers(of_its_own + "----", 2)}, order=77),
    ]
    app = open_page(view="class")
    links = [f"http://elsewhere/homework?{one.link}" for one in class_]
    app.text_area(key="class_links").set_value("\n".join(links)).run()
    assert not app.exception
    rows = app.table[0].value.to_dict("records")
    assert [row["question"] for row in rows] == [one.question for one in questions]
    assert [(row["answers"], row["right, %"]) for row in rows] == [
        ("4", "25"),
        ("2", "100"),
        ("1", "100"),
        ("1", "100"),
        ("1", "100"),
    ]
    assert rows[0]["wrong option chosen most"] == questions[0].options[2].text
    assert [row["chosen by"] for row in rows] == ["2", "", "", "", ""]
    files = {one.proto.label for one in app.get("download_button")}
    assert {"This table as CSV", "These numbers as CSV"} <= files


def test_a_thousand_results_are_read_and_no_more() -> None:
    app = open_page(view="class")
    links = [
        f"http://elsewhere/homework?{Result(f'{n}', {'rope': Answers(RIGHT)}).link}"
        for n in range(1001)
    ]
    app.text_area(key="class_links").set_value("\n".join(links)).run()
    assert not app.exception
    assert app.warning[0].value == "Only the first 1,000 results are read."
    assert len(app.dataframe[0].value) == 1000
    app.text_area(key="class_links").set_value("\n".join(["hello"] * 30)).run()
    assert len(app.error) == 6
    assert app.error[5].value == "25 more cannot be read."


def test_every_reader_has_an_order_of_options_and_it_goes_along(monkeypatch) -> None:
    def labels(app: AppTest) -> list[str]:
        return [b.label for b in app.button if (b.key or "").startswith("answer_rope_1_")]

    seen = []
    for order in (7, 8):
        monkeypatch.setattr("random.randint", lambda _least, _most, order=order: order)
        app = open_page(on="rope")
        assert address(app)["order"] == [str(order)]
        seen.append(labels(app))
    assert seen[0] != seen[1]
    right = "ABCD"[shuffled(4, 1, of("rope").ids[0], 8).index(0)]
    press(app, 0, right)
    assert app.success[0].value.startswith(f"**Right, {right}: ")
    monkeypatch.setattr("random.randint", lambda _least, _most: 9)
    again = open_page(**{key: raw[0] for key, raw in address(app).items()})
    assert labels(again) == labels(app)
    opened = open_page(view="own", **{k: raw[0] for k, raw in address(app).items()})
    assert opened.success[0].value == app.success[0].value
    assert "order" not in address(open_page(view="class"))
    assert "a number from 1 to 9999, got 0" in open_page(on="rope", order="0").warning[0].value


@pytest.mark.parametrize("screen", sorted({name.split(".")[0] for name in TASKS}))
def test_a_check_reads_what_the_screen_is_set_to(screen: str) -> None:
    """The defaults of a check are those of the controls, and so is what it allows."""
    for task in of(screen).tasks:
        settings = Settings("")
        TASKS[task.id](settings)
        begin = {key: str(value) for key, value in task.settings.items()}
        app = open_screen(screen, **begin)
        assert sentences(app) == []
        for key, default in settings.read.items():
            if key not in task.settings:
                assert app.session_state[key] == default, (task.id, key)
            else:
                assert str(app.session_state[key]) == begin[key]
        numbers = {one.key: (one.min, one.max) for one in (*app.number_input, *app.slider)}
        lists = [*app.selectbox, *app.multiselect, *app.get("button_group")]
        offered = numbers | {one.key: (*ids(one),) for one in lists}
        there = Settings(urlencode(begin))
        TASKS[task.id](there)
        for key, allowed in there.allowed.items():
            if key in numbers:
                assert numbers[key] == allowed, (task.id, key)
            else:  # not drawn at all in the view of the task, or a choice of ids
                assert {*allowed} <= {*offered.get(key, allowed)}, (task.id, key)


def test_a_result_without_a_remark_has_an_empty_cell() -> None:
    one = Result("Ada", {"rope": Answers(RIGHT)})
    whole = f"http://elsewhere/homework?{one.link}"
    app = open_page(view="class")
    app.text_area(key="class_links").set_value(f"{whole}\n{whole.split('&seal')[0]}").run()
    assert not app.exception
    assert app.dataframe[0].value["remark"].tolist() == ["", "changed or cut off"]
    app.text_area(key="class_links").set_value(whole).run()
    assert "remark" not in app.dataframe[0].value
