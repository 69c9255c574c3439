"""The commands, settings and files in `deploy/` fit the program."""

import importlib.util
import ipaddress
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from benchmarks.scale.machine import nginx_files
from serving import __main__ as serving
from tests.conftest import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(file for file in (DEPLOY / "systemd").iterdir() if file.is_file())
PROTECTION = DEPLOY / "systemd" / "posenc-.service.d" / "protection.conf"
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
    """Commands that compose and systemd start."""
    found = [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    starts = (re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE) for unit in UNITS)
    return [*found, *(_program(shlex.split(line)) for lines in starts for line in lines)]


def _program(words: list[str]) -> list[str]:
    """Command behind a unit's shell, where it needs one."""
    return shlex.split(words[2]) if words[:2] == ["/bin/sh", "-c"] else words


def test_every_program_that_is_started_is_there() -> None:
    modules = [line[line.index("-m") + 1] for line in commands() if "-m" in line]
    assert set(modules) == {
        "serving",
        "lab",
        "distributed.cli.dask_scheduler",
        "distributed.cli.dask_worker",
    }
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


def test_every_service_gives_up_what_it_does_not_need(tmp_path: Path) -> None:
    """The drop-in is that of all whose name begins with its own, up to the line."""
    services = [unit for unit in UNITS if unit.suffix == ".service"]
    assert len(services) == 7
    assert all(unit.name.startswith(PROTECTION.parent.name.split(".")[0]) for unit in services)
    lines = PROTECTION.read_text().splitlines()
    for line in (
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "SystemCallFilter=@system-service",
        "IPAddressDeny=any",
        "TasksMax=1024",
    ):
        assert line in lines
    if analyze := shutil.which("systemd-analyze"):
        shutil.copytree(DEPLOY / "systemd", tmp_path, dirs_exist_ok=True)
        for unit in services:
            file = shutil.copy(unit, tmp_path / unit.name.replace("@.", "@8501."))
            told = subprocess.run(
                [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", file],
                env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
                capture_output=True,
                text=True,
                check=False,
            )
            assert told.returncode == 0, told.stdout[-300:]


def test_a_process_stays_with_its_release() -> None:
    """The link moves under it, and it imports more later on."""
    starts = [
        line for unit in UNITS for line in re.findall("^ExecStart=.*", unit.read_text(), re.M)
    ]
    of_a_release = [line for line in starts if "python" in line]
    assert len(of_a_release) == 5
    for line in of_a_release:
        assert line.startswith("""ExecStart=/bin/sh -c 'exec "$$(pwd -P)/.venv/bin/python" -m """)


def test_a_night_without_a_copy_is_heard() -> None:
    unit = (DEPLOY / "systemd" / "posenc-backup.service").read_text()
    assert "OnFailure=posenc-failed@%n.service" in unit
    backup = COMPOSE["services"]["backup"]
    assert "-mmin -1560" in backup["healthcheck"]["test"][-1]
    assert "|| true" not in backup["command"][-1]


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
        assert f"--proxy={inside['proxy']}" in services[name]["command"]
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
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:3:3:4:5:6", True),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:2:2:3:4:5:6", False),
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
    patterns = re.findall(r'"~(\S+)" \$site;', text)

    def network(address: str) -> str:
        found = (re.match(one.replace("?<", "?P<"), address) for one in patterns)
        return next((match["site"] for match in found if match), address)

    assert (network(one) == network(other)) is alike


def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    file = nginx_files(tmp_path / "nginx", [8501, 8502], 8443)
    listed = (file.parent / "replicas.conf").read_text()
    assert re.findall(r"server [\d.]+:(\d+) max_fails=0;", listed) == ["8501", "8502"]
    text = file.read_text()
    assert text.count("{") == text.count("}")
    assert re.findall(r"error_log \S+ (\w+);", text) == ["crit"]  # error: addresses, typed texts
    # What an operator sees is not for everybody, and a replica's own names are not the proxy's.
    refused, ours = re.search(r"location ~ (\S+) \{ return 404; \}", text), ("/ready", "/metrics")
    assert refused
    for path in (*ours, "/_stcore/metrics", "/rope/ready"):
        assert re.search(refused[1], path)
    # The log has no session's id, which stands in the address of an upload.
    hidden = re.search(r'"~(.+)" "\$start…"', text)
    assert hidden
    found = re.match(hidden[1].replace("?<", "?P<"), " /_stcore/upload_file/id/file")
    assert found
    assert found["start"] == "/_stcore/upload_file/"
    assert '"path":"$logged"' in text
    (logged,) = re.findall(r"log_format posenc(.*?);", text, re.DOTALL)
    assert not re.search(r"remote_|args|request_uri|query", logged)
    # Who asks without TLS is led to this site, whatever name the request gives.
    assert re.findall(r"return 301 https://(\S+?)\$request_uri", text) == ["$server_name"]
    if nginx := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        checked = subprocess.run(
            [nginx, "-t", "-c", str(file)], capture_output=True, text=True, check=False
        )
        assert "test is successful" in checked.stderr, checked.stderr


def test_what_opens_every_job_is_not_told_to_those_who_do_them() -> None:
    for name in ("scheduler", "worker"):
        assert COMPOSE["services"][name]["env_file"] == []
    for name in ("posenc-scheduler.service", "posenc-worker@.service"):
        unit = (DEPLOY / "systemd" / name).read_text()
        assert "UnsetEnvironment=POSENC_SECRET POSENC_LAB_ADMIN" in unit


def test_a_dead_database_makes_no_replica_unhealthy() -> None:
    assert "/_stcore/health" in COMPOSE["services"]["app-1"]["healthcheck"]["test"][-1]


def test_image_and_units_start_the_same_server() -> None:
    """It bounds what pages send, and waits for nobody without end."""
    text = (ROOT / "Dockerfile").read_text()
    image = re.findall(r'"(\S+?)"', text[text.index("\nCMD ") :])
    starts = [image, *(words for words in commands() if "serving" in words)]
    assert len(starts) == 5
    for words in starts:
        options = [word.replace("%i", "8501") for word in words[words.index("serving") + 1 :]]
        assert serving.parser().parse_args(options).port == 8501


def test_who_signs_in_reaches_the_provider_and_no_one_else() -> None:
    more = yaml.safe_load((DEPLOY / "accounts.yaml").read_text("utf-8"))["services"]
    assert set(more) == {name for name in COMPOSE["services"] if name.startswith("app-")}
    for service in more.values():
        assert [name for name in service["networks"] if COMPOSE["networks"][name]] == []
        assert service["volumes"] == ["./secrets.toml:/app/.streamlit/secrets.toml:ro"]
    assert {name for name, one in COMPOSE["services"].items() if "outside" in one["networks"]} == {
        "proxy"
    }


def test_the_models_licence_is_where_it_goes() -> None:
    assert "Version 2.0, January 2004" in (ROOT / "data/models/SmolLM2-LICENSE.txt").read_text()
    assert "COPY data data" in (ROOT / "Dockerfile").read_text()
