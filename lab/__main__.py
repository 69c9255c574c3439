"""`python -m lab`."""

from lab.cli.commands import app

if __name__ == "__main__":
    app(prog_name="python -m lab")
