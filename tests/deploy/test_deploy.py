"""What `deploy/` says fits the program, and a saved lab can be restored."""

import importlib.util
import ipaddress
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest
import yaml

from benchmarks.scale.machine import nginx_files
from lab.queue.jobs import Lab
from scripts import postgres
from tests.conftest import ROOT
from tests.lab.conftest import postgres_server, postgres_url, toy_settings  # noqa: F401, fixtures

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_every_variable_is_one_that_the_program_reads() -> None:
    known: set[str] = set()
    for folder in ("lab", "models", "ui", "serving"):
        for file in (ROOT / folder).rglob("*.py"):
            known |= set(re.findall(r"POSENC_[A-Z_]+", file.read_text("utf-8")))
    known |= {f"POSENC_LAB_MAX_{name}" for name in ("QUEUE", "DISK")}
    example = (DEPLOY / "posenc.env.example").read_text("utf-8")
    said = set(re.findall(r"^(POSENC_[A-Z_]+)=", example, re.MULTILINE))
    for service in COMPOSE["services"].values():
        said |= {name for name in service.get("environment", {}) if name.startswith("POSENC_")}
    assert {"POSENC_SECRET", "POSENC_LAB_DATABASE", "POSENC_LAB_CLUSTER"} <= said
    assert said - known == set()


def commands() -> list[list[str]]:
    """What is started: by compose, and by systemd."""
    found = [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    starts = (re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE) for unit in UNITS)
    return [*found, *(_program(shlex.split(line)) for lines in starts for line in lines)]


def _program(words: list[str]) -> list[str]:
    """What a shell is told to start, where a unit needs one."""
    return shlex.split(words[2]) if words[:2] == ["/bin/sh", "-c"] else words


def test_every_program_that_is_started_is_there() -> None:
    modules = [line[line.index("-m") + 1] for line in commands() if "-m" in line]
    assert set(modules) == {
        "uvicorn", "lab", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker",
    }  # fmt: skip
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
    orders = {line[line.index("lab") + 1] for line in commands() if "lab" in line}
    assert orders == {"upgrade", "worker"}
    files = [word for line in commands() for word in line if word.endswith(".sh")]
    assert all((DEPLOY / Path(file).name).is_file() for file in files)


def test_units_name_units_that_are_there() -> None:
    there = {unit.name for unit in UNITS}
    texts = [unit.read_text() for unit in UNITS] + [(DEPLOY / "upgrade.sh").read_text()]
    named = {name for text in texts for name in re.findall(r"posenc-?[a-z]*@?\.[a-z]+", text)}
    assert {name for name in named if not name.endswith((".env", ".sh"))} - there == set()
    for unit in UNITS:
        assert unit.read_text().isascii()
        if unit.suffix == ".service":
            assert "NoNewPrivileges=yes" in unit.read_text()
            assert "SystemCallFilter=@system-service" in unit.read_text()


def test_the_proxy_knows_the_addresses_of_the_replicas() -> None:
    services = COMPOSE["services"]
    inside = {
        name: service["networks"]["inside"]["ipv4_address"]
        for name, service in services.items()
        if isinstance(service["networks"], dict)
    }
    replicas = {address for name, address in inside.items() if name.startswith("app-")}
    listed = (DEPLOY / "nginx" / "replicas-compose.conf").read_text()
    assert set(re.findall(r"server ([\d.]+):8501", listed)) == replicas
    for name in ("app-1", "app-2", "app-3"):
        assert f"--forwarded-allow-ips={inside['proxy']}" in services[name]["command"]
    (net,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    given_out = ipaddress.ip_network(net["ip_range"])
    for address in map(ipaddress.ip_address, inside.values()):
        assert address in ipaddress.ip_network(net["subnet"])
        assert address not in given_out
    # Whoever reaches the scheduler or the database is a neighbour.
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_services_need_services_and_files_that_are_there() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            made_by_hand = source in ("./tls", "./acme", "./backups")
            assert source in COMPOSE["volumes"] or made_by_hand or (DEPLOY / source).is_file()


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:3:3:4:5:6", False),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db9::1", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:2:3:4:5", True),
        ("::1", "::2", True),
    ],
)
def test_a_network_of_ipv6_is_one_to_the_proxys_limits(one: str, other: str, alike: bool) -> None:
    text = (DEPLOY / "nginx" / "nginx.conf").read_text()
    assert len(re.findall(r"^    limit_\w+_zone \$network ", text, re.MULTILINE)) == 4
    assert "listen [::]:443 ssl" in text
    patterns = re.findall(r'"~(\S+)" \$half;', text)

    def network(address: str) -> str:
        found = (re.match(one.replace("?<", "?P<"), address) for one in patterns)
        return next((match["half"] for match in found if match), address)

    assert (network(one) == network(other)) is alike


def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    file = nginx_files(tmp_path / "nginx", [8501, 8502], 8443)
    listed = (file.parent / "replicas.conf").read_text()
    assert re.findall(r"server [\d.]+:(\d+) max_fails", listed) == ["8501", "8502"]
    text = file.read_text()
    assert text.count("{") == text.count("}")
    # What an operator sees is not for everybody, and a replica's own names are not the proxy's.
    refused, ours = re.search(r"location ~ (\S+) \{ return 404; \}", text), ("/ready", "/metrics")
    assert refused
    for path in (*ours, "/_stcore/metrics", "/rope/ready"):
        assert re.search(refused[1], path)
    # The log has no session's id, which stands in the address of an upload.
    hidden = re.search(r'"~(\S+)" "\$start…"', text)
    assert hidden
    found = re.match(hidden[1].replace("?<", "?P<"), "/_stcore/upload_file/id/file")
    assert found
    assert found["start"] == "/_stcore/upload_file/"
    assert '"path":"$logged"' in text
    if nginx := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        checked = subprocess.run(
            [nginx, "-t", "-c", str(file)], capture_output=True, text=True, check=False
        )
        assert "test is successful" in checked.stderr, checked.stderr


def test_a_saved_lab_is_restored(tmp_path: Path, postgres_url: str) -> None:  # noqa: F811
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

    def shell(*command: Path) -> str:
        done = subprocess.run(
            ["bash", *command], env=environment, cwd=copies, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
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
    assert "Restored: 1 jobs" in shell(DEPLOY / "restore.sh", dump)
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
        ["bash", DEPLOY / "backup.sh", tmp_path / "copies"], env=environment, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert list((tmp_path / "copies").iterdir()) == []


STAND_IN = """#!/bin/bash
echo "$(basename "$0") $*" >>"$SAID"
case "$(basename "$0") $*" in
    curl*8502*) [ "$(readlink "$CURRENT")" != "$SICK" ] ;;
esac
"""


@pytest.mark.parametrize("is_sick", [False, True])
def test_an_upgrade_ends_and_goes_back_where_a_replica_is_not_ready(tmp_path, is_sick) -> None:
    programs, releases = tmp_path / "bin", tmp_path / "releases of a folder"
    programs.mkdir()
    for name in ("systemctl", "curl", "nginx", "sleep"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o755)
    for number in ("1", "2"):
        (releases / number / ".venv" / "bin").mkdir(parents=True)
        (releases / number / ".venv" / "bin" / "python").touch(0o755)
    current, said = tmp_path / "current", tmp_path / "said"
    current.symlink_to(releases / "1")
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "CURRENT": str(current), "SAID": str(said), "PATIENCE": "3",
        "SICK": str(releases / "2") if is_sick else "",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", DEPLOY / "upgrade.sh", "systemd", releases / "2", "8501", "8502", "8503"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = said.read_text().splitlines()
    restarted = [line[-4:] for line in lines if "restart posenc-app" in line]
    assert lines[:2] == [
        "systemctl start posenc-backup.service",
        "systemctl start posenc-tables.service",
    ]
    assert done.returncode == is_sick
    if is_sick:
        assert current.resolve() == releases / "1"
        assert restarted == ["8501", "8502", "8501", "8502"]  # the third was never touched
        assert "all get the release before" in done.stderr
    else:
        assert current.resolve() == releases / "2"
        assert restarted == ["8501", "8502", "8503"]
        assert lines[-1] == "systemctl reload nginx"


def test_what_opens_every_job_is_not_told_to_those_who_do_them() -> None:
    for name in ("scheduler", "worker"):
        assert COMPOSE["services"][name]["env_file"] == []
    for name in ("posenc-scheduler.service", "posenc-worker@.service"):
        unit = (DEPLOY / "systemd" / name).read_text()
        assert "UnsetEnvironment=POSENC_SECRET POSENC_LAB_ADMIN" in unit


def test_a_dead_database_makes_no_replica_unhealthy() -> None:
    assert "/_stcore/health" in COMPOSE["services"]["app-1"]["healthcheck"]["test"][-1]
