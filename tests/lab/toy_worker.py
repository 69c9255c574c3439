"""`python -m lab` whose jobs are toys: every process that it starts imports this module too."""

from lab.cli.commands import app
from tests.lab import toy

toy.install()

if __name__ == "__main__":
    app(prog_name="python -m lab")
