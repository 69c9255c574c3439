"""Nothing that the web app is made of can ask an endpoint: only the command line can."""

import grimp

from tests.conftest import ROOT

SERVED = ("serving", "pages", "ui", "exhibits", "lab")


def test_no_chain_of_imports_leads_there() -> None:
    graph = grimp.build_graph("posenc", "advisor", "models", "plots", *SERVED, cache_dir=None)
    asking = [name for name in graph.modules if name.startswith("advisor.endpoint")]
    assert len(asking) > 5
    reach = {name for one in asking for name in graph.find_downstream_modules(one)}
    assert {name for name in reach if name.split(".")[0] in SERVED} == set()
    # And what does reach it are the two command lines.
    roots = {"advisor.__main__", "models.cli", "models.__main__", "models.expected"}
    assert {name for name in reach if not name.startswith("advisor.endpoint")} == roots


def test_the_app_itself_names_none_of_it() -> None:
    for name in ("app.py", "navigation.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for word in ("advisor.endpoint", "advisor.__main__", "models.cli", "models.expected"):
            assert word not in text
