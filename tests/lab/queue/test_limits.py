"""Limits and settings: what is allowed, how it is set, and what a refusal says."""

from pathlib import Path

import pytest

from lab.queue import limits
from lab.queue.jobs import Lab
from lab.queue.limits import Cost, Limits, folder_bytes
from lab.queue.settings import LabSettings
from models.home import Home
from tests.lab.conftest import toy_settings

pytestmark = pytest.mark.usefixtures("toys")


def test_settings_survive_the_way_through_variables(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path, cluster="tcp://host:1", jobs_at_once=3, silence=7.5)
    assert LabSettings.from_environment(settings.variables()) == settings


def test_without_variables_limits_are_a_public_servers() -> None:
    settings = LabSettings.from_environment({"XDG_DATA_HOME": "/data"})
    assert settings.home == Path("/data/posenc-lab")
    assert settings.database == "sqlite:////data/posenc-lab/runs.sqlite"
    assert settings.limits == Limits()
    assert settings.jobs_at_once * settings.threads < max(2, limits.os.cpu_count())


def test_who_has_no_home_folder_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the user of a container, whom its list of users does not have."""

    def home(_: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(home))
    for read, variable in ((LabSettings, "POSENC_LAB_HOME"), (Home, "POSENC_MODELS_HOME")):
        with pytest.raises(ValueError, match=f"{variable} must name a folder"):
            read.from_environment({})
        read.from_environment({variable: "/data"})


def test_every_limit_has_a_variable_and_the_table_names_it() -> None:
    names = {f"POSENC_LAB_MAX_{name.upper()}" for name in Limits.model_fields}
    assert set(Limits().variables()) == names
    assert all(name in limits.__doc__ for name in names)
    changed = Limits.read(dict.fromkeys(names, "7"))
    assert changed == Limits(**dict.fromkeys(names, 7))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("POSENC_LAB_MAX_QUEUE", "2.5"),
        ("POSENC_LAB_MAX_QUEUE", "0"),
        ("POSENC_LAB_MAX_HOURS", "nan"),
        ("POSENC_LAB_MAX_DISK", "-1"),
        ("POSENC_LAB_JOBS", "many"),
        ("POSENC_LAB_LEASE", "inf"),
    ],
)
def test_a_bad_variable_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=rf"{name} must be a (whole )?number.*, got '{value}'"):
        LabSettings.from_environment({name: value})


def test_too_much_is_refused_before_it_waits(tmp_path: Path) -> None:
    small = Limits(operations=100, memory=5e6, disk=2e6)
    with Lab(toy_settings(tmp_path, limits=small)) as lab:
        with pytest.raises(ValueError, match=r"1.0e\+03 operations, 10 times the 1.0e\+02 that"):
            lab.submit("toy", {"steps": 1000})
        with pytest.raises(ValueError, match="needs about 6 MB of memory, and 5 MB are allowed"):
            lab.submit("toy", {"steps": 5, "memory": 6e6})
        with pytest.raises(ValueError, match="would add 3 MB, and 2 MB are allowed here"):
            lab.submit("toy", {"steps": 5, "disk": 3e6})
        assert lab.jobs() == []
        assert lab.cost("toy", {"steps": 1000}) == Cost(1000)
        assert lab.submit("toy", {"steps": 100})


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE_DISK", 1e18)
    with pytest.raises(ValueError, match=r"The disk has [\d,]+ MB left, this job would take 0 MB"):
        Limits().check_disk(tmp_path, 0)


def test_a_folder_is_weighed_with_all_below_it(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "deep" / "er" / "b").write_bytes(b"45")
    assert folder_bytes(tmp_path) == 5
    assert folder_bytes(tmp_path / "not there") == 0


def test_the_pace_is_that_of_jobs_that_are_done(tmp_path: Path) -> None:
    from lab.queue import leases

    with Lab(toy_settings(tmp_path)) as lab:
        assert lab.pace() is None
        for steps, seconds in ((100, 2.0), (300, 6.0)):
            number = lab.submit("toy", {"steps": steps})
            leases.lease_next(lab.engine, "mine")
            leases.finish(lab.engine, number, "mine", leases.Progress(seconds=seconds), rows=[])
        lab.submit("toy", {"steps": 1000})
        assert lab.pace() == 50.0
