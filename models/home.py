"""Where models are kept and how much they may take, from the environment.

| variable | meaning | default |
|---|---|---|
| POSENC_MODELS_HOME | folder of fetched and converted models | ~/.local/share/posenc-models |
| POSENC_MODELS_MAX_MEMORY | bytes that the weights of one model may take | 4,000,000,000 |
| POSENC_NO_MODEL | leaves the installed model out where it is set | not set |
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_MEMORY = 4_000_000_000


@dataclass(frozen=True)
class Home:
    """Settings from the environment.

    Args:
        folder: Where fetched and converted models lie; it need not exist.
        max_memory: Bytes that the weights of one model may take.
        without_installed: Whether the installed model is left out.
    """

    folder: Path
    max_memory: int = MAX_MEMORY
    without_installed: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Home":
        """Read the variables.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """
        folder = data_folder(environment, "POSENC_MODELS_HOME", "posenc-models")
        most = environment.get("POSENC_MODELS_MAX_MEMORY") or str(MAX_MEMORY)
        if not most.isdecimal() or not 10**6 <= int(most) <= 10**13:
            raise ValueError(
                f"POSENC_MODELS_MAX_MEMORY is {most!r:.80}; it must be a whole number of bytes "
                "from 1,000,000 to 10,000,000,000,000."
            )
        return cls(folder, int(most), bool(environment.get("POSENC_NO_MODEL")))


def data_folder(environment: Mapping[str, str], variable: str, name: str) -> Path:
    """Where files are kept: the folder that a variable names, else one of the user's.

    Raises:
        ValueError: If the variable is missing and the user has no home folder.
    """
    if folder := environment.get(variable):
        return Path(folder).absolute()
    try:
        data = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        raise ValueError(
            f"{variable} must name a folder: there is no home folder to keep files in."
        ) from None
    return Path(data, name).absolute()
