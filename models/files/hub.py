"""Public models fetched from a hub: weights as safetensors, config and tokenizer, nothing else."""

import re
import shutil
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

from models.files.gguf import check_size
from models.home import Home
from posenc.words import say

WANTED = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "model.safetensors.index.json",
    "*.safetensors",
)
NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?")


def get(
    name: str,
    home: Home | None = None,
    endpoint: str | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Path:
    """Fetch a public model into the folder of models.

    Nobody is logged in for it, and no file is fetched that could run code.

    Args:
        name: As the hub has it: "owner/name".
        home: Where it is put, and how large it may be; the environment's when None.
        endpoint: Address of the hub; huggingface_hub's own when None.
        report: Gets what comes next, in a line.

    Returns:
        The directory that can be opened.

    Raises:
        ValueError: If there is no such model, or it has no safetensors, or it does not fit.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HFValidationError

    if not NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"A model's name is owner/name, got {name!r:.80}.")
    home = home or Home.from_environment()
    api = HfApi(endpoint=endpoint, token=False)
    folder = home.folder / name.replace("/", "--")
    try:
        info = api.model_info(name, files_metadata=True)
        files = {
            file.rfilename: file.size or 0
            for file in info.siblings or ()
            if any(fnmatch(file.rfilename, wanted) for wanted in WANTED)
            and "/" not in file.rfilename
        }
        _check(name, files, home)
        report(
            say(
                "{name}: {count} files, {size:,} bytes, into {folder}",
                name=name,
                count=len(files),
                size=sum(files.values()),
                folder=folder,
            )
        )
        for file in sorted(files, key=lambda one: one == "config.json"):  # last: all is there
            report(file)
            api.hf_hub_download(name, file, revision=info.sha, local_dir=folder)
    except HFValidationError:
        raise ValueError(f"A model's name is owner/name, got {name!r:.80}.") from None
    except ValueError:
        raise
    except Exception as error:  # the client has many kinds of its own
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{name} cannot be fetched: {reason:.200}") from None
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    return folder


def _check(name: str, files: dict[str, int], home: Home) -> None:
    weights = sum(size for file, size in files.items() if file.endswith(".safetensors"))
    if not weights or "config.json" not in files:
        raise ValueError(
            f"{name} has no config.json with *.safetensors beside it. Other formats can run code "
            "when they are opened and are not fetched."
        )
    if "tokenizer.json" not in files:
        raise ValueError(f"{name} has no tokenizer.json.")
    check_size(name, weights, home.max_memory)
    home.folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(home.folder).free
    if free < sum(files.values()):
        raise ValueError(
            f"{name} takes {sum(files.values()):,} bytes, and {home.folder} has {free:,} left."
        )
