"""Every engine has a place where one sees that its settings took effect."""

import shlex

import pytest
from typer.testing import CliRunner

from advisor.__main__ import app
from advisor.engines.all import ENGINES


@pytest.mark.parametrize("engine", ENGINES)
def test_the_command_is_one_that_is_understood(engine: str) -> None:
    command = ENGINES[engine].check_command("Qwen2.5-7B-Instruct with YaRN", 131072)
    assert command.startswith("posenc check http://localhost:")
    _, *arguments = shlex.split(command)
    # Nobody listens at this port: all of it was understood, up to the asking.
    port = arguments[1].rpartition(":")[2]
    arguments[1] = arguments[1].replace(port, "1")
    result = CliRunner().invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("http://localhost:1 gives no answer: ")
