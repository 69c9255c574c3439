"""`python -m models`."""

from models.cli import app

if __name__ == "__main__":
    app(prog_name="python -m models")
