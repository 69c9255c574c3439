"""A saved lab can be restored, and an upgrade ends, or goes back."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest

from lab.queue.jobs import Lab
from scripts import postgres
from tests.conftest import ROOT
from tests.lab.conftest import postgres_server, postgres_url, toy_settings, toys  # noqa: F401, fixtures

DEPLOY = ROOT / "deploy"


def test_a_saved_lab_is_restored(tmp_path: Path, postgres_url: str, toys: None) -> None:  # noqa: F811
    programs = postgres.find()
    assert programs is not None
    home, copies = tmp_path / "lab", tmp_path / "copies"
    copies.mkdir()
    settings = toy_settings(home, postgres_url)
    with Lab(settings) as lab:
        number = lab.submit("toy", {"steps": 3})
        lab.cancel(number)
    settings.folder(number).mkdir(parents=True)
    (settings.folder(number) / "checkpoint.json").write_text("7")
    (home / "models").mkdir()
    (home / "models" / "large").write_text("can be fetched again")
    old = copies / "lab-20200101T000000Z.dump"
    old.touch()
    os.utime(old, (0, 0))
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "POSENC_LAB_DATABASE": postgres_url,
        "POSENC_LAB_HOME": str(home),
    }

    def shell(*command: Path, works: bool = True) -> str:
        done = subprocess.run(
            ["bash", *command],
            env=environment,
            cwd=copies,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode == 0) is works, done.stderr
        return done.stdout

    said = shell(DEPLOY / "backup.sh", copies)
    assert re.search(r"Saved and read back: \S+\.dump with 1 jobs", said)
    dump, archive = sorted(copies.iterdir())
    assert (dump.suffix, archive.suffix) == (".dump", ".gz")
    with psycopg.connect(postgres_url) as connection:
        names = [row[0] for row in connection.execute("SELECT datname FROM pg_database")]
    assert not [name for name in names if "trial" in name]

    with Lab(settings) as lab:
        lab.remove(number)
        assert lab.jobs() == []
    broken = copies / "broken"
    broken.mkdir()
    half = dump.read_bytes()[: dump.stat().st_size // 2]
    for name, content, files in [
        ("half", half, archive.read_bytes()),
        ("none", b"", archive.read_bytes()),
        ("no archive", dump.read_bytes(), gzip.compress(b"no archive" * 1000)),
        ("half archive", dump.read_bytes(), archive.read_bytes()[:-20]),
    ]:
        (broken / f"{name}.dump").write_bytes(content)
        (broken / f"{name}.tar.gz").write_bytes(files)
        shell(DEPLOY / "restore.sh", broken / f"{name}.dump", works=False)
        with Lab(settings) as lab:
            assert lab.jobs() == []
    (tmp_path / "df").write_text("#!/bin/sh\necho Avail; echo 9")  # a disk that is full
    (tmp_path / "df").chmod(0o755)
    way = environment["PATH"]
    environment["PATH"] = f"{tmp_path}:{way}"
    shell(DEPLOY / "restore.sh", dump, works=False)
    environment["PATH"] = way
    with Lab(settings) as lab:
        assert lab.jobs() == []
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE lab_newer (id INTEGER)")  # by a program that was newer
    assert "Restored: 1 jobs" in shell(DEPLOY / "restore.sh", dump)
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT to_regclass('lab_newer')").fetchone() == (None,)
    with Lab(settings) as lab:
        assert [(job.id, job.state, job.payload) for job in lab.jobs()] == [
            (number, "cancelled", {"steps": 3})
        ]
        assert lab.submit("toy", {"steps": 4}) == number + 1
    assert (settings.folder(number) / "checkpoint.json").read_text() == "7"
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(["tar", "-tzf", archive, "./models/large"], check=True, capture_output=True)


def test_a_copy_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    programs = postgres.find()
    assert programs is not None
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "POSENC_LAB_DATABASE": "postgresql://nobody@127.0.0.1:1/nothing",
        "POSENC_LAB_HOME": str(tmp_path),
    }
    (tmp_path / "copies").mkdir()
    done = subprocess.run(
        ["bash", DEPLOY / "backup.sh", tmp_path / "copies"],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert list((tmp_path / "copies").iterdir()) == []


@pytest.mark.parametrize("script", ["backup.sh", "restore.sh"])
def test_no_program_is_told_the_password_in_the_open(tmp_path: Path, script: str) -> None:
    said, folder = tmp_path / "said", tmp_path / "copies"
    for name in ("bin", "copies", "lab"):
        (tmp_path / name).mkdir()
    for name in ("pg_dump", "pg_restore", "createdb", "dropdb", "psql"):
        program = tmp_path / "bin" / name
        program.write_text('#!/bin/bash\necho "$PGPASSWORD: $0 $*" >>"$SAID"\n')
        program.chmod(0o755)
    (folder / "lab-1.dump").touch()
    subprocess.run(
        ["tar", "-czf", folder / "lab-1.tar.gz", "-C", tmp_path / "lab", "."], check=True
    )
    subprocess.run(
        ["bash", DEPLOY / script, folder if script == "backup.sh" else folder / "lab-1.dump"],
        env={
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            "POSENC_LAB_DATABASE": "postgresql://ann:s3cret%21@127.0.0.1/lab?sslmode=prefer",
            "POSENC_LAB_HOME": str(tmp_path / "lab"),
            "SAID": str(said),
        },
        capture_output=True,
        check=False,
    )
    lines = said.read_text().splitlines()
    assert lines
    assert {line.split(": ")[0] for line in lines} == {"s3cret!"}
    assert not [line for line in lines if "s3cret" in line.split(": ", 1)[1]]
    assert any("postgresql://ann@127.0.0.1/lab?sslmode=prefer" in line for line in lines)


STAND_IN = """#!/bin/bash
echo "$(basename "$0") $*" >>"$SAID"
case "$(basename "$0") $*" in
    curl*8502*) [ "$(readlink "$CURRENT")" != "$SICK" ] ;;
esac
"""


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("is_sick", [False, True])
def test_an_upgrade_goes_back_where_a_replica_is_not_ready(tmp_path, is_sick, is_cut) -> None:
    """Also where a run before was cut short, which had made the new release `current`."""
    programs, releases = tmp_path / "bin", tmp_path / "releases of a folder"
    programs.mkdir()
    for name in ("systemctl", "curl", "nginx", "sleep"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o755)
    for number in ("1", "2"):
        (releases / number / ".venv" / "bin").mkdir(parents=True)
        (releases / number / ".venv" / "bin" / "python").touch(0o755)
    current, said = tmp_path / "current", tmp_path / "said"
    current.symlink_to(releases / ("2" if is_cut else "1"))
    if is_cut:
        (tmp_path / "current.before").symlink_to(releases / "1")
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "CURRENT": str(current),
        "SAID": str(said),
        "PATIENCE": "3",
        "SICK": str(releases / "2") if is_sick else "",
    }
    done = subprocess.run(
        ["bash", DEPLOY / "upgrade.sh", "systemd", releases / "2", "8501", "8502", "8503"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = said.read_text().splitlines()
    restarted = [line[-4:] for line in lines if "restart posenc-app" in line]
    assert lines[:2] == [
        "systemctl start posenc-backup.service",
        "systemctl start posenc-tables.service",
    ]
    assert done.returncode == is_sick
    assert not (tmp_path / "current.before").is_symlink()
    if is_sick:
        assert current.resolve() == releases / "1"
        again = ["8501", "8502", "8503"] if is_cut else ["8501", "8502"]
        assert restarted == ["8501", "8502", *again]  # the third was touched by a run that was cut
        assert "all get the release before" in done.stderr
    else:
        assert current.resolve() == releases / "2"
        assert restarted == ["8501", "8502", "8503"]
        assert lines[-1] == "systemctl reload nginx"


DOCKER = """#!/bin/bash
# Images and containers are files that say which release they are; the Nth call kills the script.
echo "$*" >>said
[ "$(wc -l <said)" = "${CUT:-0}" ] && kill -9 $PPID && exit
case "$*" in
    "compose config --services") printf "proxy\\napp-1\\napp-2\\n" ;;
    "image inspect "*) [ -f "${3#*:}" ] ;;
    "image tag "*) cp "${3#*:}" "${4#*:}" ;;
    "image rm "*) rm "${3#*:}" ;;
    "compose build "*) echo new >latest ;;
    "compose run "*) [ "$SICK" != tables ] ;;
    *--wait*) service=${*: -1}; cp latest "$service"; [ "$(cat latest) $service" != "$SICK" ] ;;
esac
"""


@pytest.mark.slow
@pytest.mark.parametrize("sick", ["", "tables", "new app-2"])
def test_an_upgrade_of_images_goes_back_wherever_it_is_cut(tmp_path: Path, sick: str) -> None:
    """Before, the second run took the new image for the one before."""
    script = shutil.copy(DEPLOY / "upgrade.sh", tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "docker").write_text(DOCKER)
    (programs / "docker").chmod(0o755)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "POSENC_IMAGE": "posenc:latest"}

    def upgrade(**more: str) -> int:
        (tmp_path / "said").unlink(missing_ok=True)
        return subprocess.run(
            ["bash", script, "compose"], env=environment | more, capture_output=True, check=False
        ).returncode

    releases = [tmp_path / name for name in ("latest", "app-1", "app-2")]
    for cut in range(1, 11):
        for release in releases:
            release.write_text("old\n")
        assert upgrade(CUT=str(cut), SICK="") != 0
        assert upgrade(SICK=sick) == bool(sick)
        found = {release.read_text() for release in releases}
        assert found == {"new\n"} if not sick or cut == 10 else found == {"old\n"}, cut
        assert not (tmp_path / "upgraded-from").exists()
