"""The environments of the engines, in build/engines: the table, and how one is made."""

import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from advisor.facts import TRIED

FOLDER = Path(__file__).resolve().parents[3] / "build" / "engines"
SOURCE = "source"
"""Folder of an environment with the engine's source."""
REQUIRES = "from importlib.metadata import requires; print(*requires({name!r}), sep='\\n')"
VERSION = (
    "from importlib.metadata import version; print(version({name!r}).partition('+')[0], end='')"
)


class Missing(Exception):
    """Why an engine cannot be run here, a sentence that goes on after its name."""


@dataclass(frozen=True)
class Environment:
    """Packages of an engine.

    Args:
        package: Its name where pip takes it from; its release stands in facts.json.
        how: What is compared, a sentence for the record.
        left_out: Beginnings of the names of requirements that it runs without here: CUDA's.
        also: Further packages, with releases.
        said: Packages whose releases the record names.
        source: Settings of the build from its source, which is unpacked too; none: not built.
        reader: The module that reads it; "" for one of the engine's name.
    """

    package: str
    how: str
    left_out: str = "$"
    also: tuple[str, ...] = ()
    said: tuple[str, ...] = ("transformers", "torch")
    source: tuple[str, ...] = ()
    reader: str = ""

    def within(self, python: Path) -> str:
        """The packages that it ran with, in words."""
        named = [f"{name} {_run(python, '-c', VERSION.format(name=name))}" for name in self.said]
        return ", ".join([*named, "CPU"])


CLASS = (
    "the model's own class, built of all layers from the file with the arguments laid over it; "
    "all but the rotary parts is built without memory; angles at position 1 and the amplitude in "
    "the table of every rotary part that it made; the window of every layer"
)
OF_TRANSFORMERS = Environment(
    "transformers",
    "the model's own class, built from the file with the fields pasted into it, without memory; "
    "inv_freq and attention_scaling of every rotary part at the longest position",
    said=("torch",),
    reader="transformers",
)
ENVIRONMENTS = {
    "transformers_5": OF_TRANSFORMERS,
    "transformers_4": OF_TRANSFORMERS,
    "vllm": Environment(
        "vllm",
        CLASS,
        left_out="torch|nvidia|nvtx|flashinfer|tilelang|quack|tokenspeed|humming|PyNv|fastsafe"
        "|instanttensor|apache-tvm",
        also=("transformers==5.19.0",),
    ),
    "sglang": Environment(
        "sglang",
        CLASS,
        left_out="torch|nvidia|nvshmem|cuda|flash|humming|sgl|quack|tilelang|smg|timm|kernels"
        "|datasets|modelscope|outlines|av|decord|apache-tvm|deepseek|tml",
        also=("dill", "triton"),
    ),
    "mlx": Environment(
        "mlx-lm",
        "the model's own class, built of all layers from the file with the fields pasted into it "
        "(widths that the file lacks filled in), lazily; what the rope of every layer makes of "
        "ones at positions 1, 64, 4096, 2^18 and 2^24",
        also=("mlx[cpu]==0.32.4",),
        said=("mlx",),
    ),
    "exllamav3": Environment(
        "exllamav3",
        "the layers that the architecture's own class makes of the file with the fields pasted "
        "into it (widths that the file lacks filled in); inv_freq and attn_factor of RoPE in "
        "util/rope.py for the settings of every layer, without its CUDA extension",
        left_out="torch|flash|xformers|triton",
        said=("torch",),
    ),
    "llama_cpp": Environment(
        "llama-cpp-python",
        "a file without weights that llama.cpp's own conversion makes of the config.json, with one "
        "head and few channels; the arguments as common/arg.cpp reads them; by how much every "
        "layer's keys are turned at positions 1, 64, 4096, 2^18 and 2^24 when the model runs",
        also=("transformers==4.57.6", "sentencepiece"),
        # Without pictures and the fastest products of matrices: half the time.
        source=("LLAVA_BUILD=OFF", "GGML_LLAMAFILE=OFF", "GGML_CPU_REPACK=OFF"),
    ),
}


def _run(python: Path | str, *words: str) -> str:
    done = subprocess.run([str(python), *words], capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{' '.join(words)[:80]} failed: {done.stderr.strip()[-300:]}")
    return done.stdout


def python_of(engine: str) -> Path:
    """The interpreter of an engine's environment, which is made where it is not there.

    Raises:
        Missing: If it cannot be installed.
    """
    one, about = ENVIRONMENTS[engine], TRIED[engine]
    release = about.within.rpartition(" ")[2] or about.version
    stamp = FOLDER / engine / f"{one.package}-{release}"
    python = FOLDER / engine / "bin" / "python"
    if stamp.exists():
        return python
    # The release that the project itself runs on, which is there for the CPU.
    torch = f"torch=={version('torch').partition('+')[0]}"
    _run(sys.executable, "-m", "venv", "--clear", str(FOLDER / engine))
    pip = ("-m", "pip", "install", "--quiet")
    if "torch" in one.said:
        _run(python, *pip, torch)
    wanted = f"{one.package}=={release}"
    if one.source:
        folder = FOLDER / engine / SOURCE
        get = ("-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", one.package)
        _run(python, *get, "--dest", str(folder), wanted)
        (packed,) = folder.glob("*.tar.gz")
        with tarfile.open(packed) as every:
            every.extractall(folder, filter="data")
        wanted = str(packed)
    settings = [f"--config-settings=cmake.define.{setting}" for setting in one.source]
    _run(python, *pip, "--no-deps", *settings, wanted)
    needs = _run(python, "-c", REQUIRES.format(name=one.package)).splitlines()
    left_out = re.compile(one.left_out)
    kept = [need for need in needs if "extra ==" not in need and not left_out.match(need)]
    _run(python, *pip, *kept, *one.also, *([torch] if "torch" in one.said else []))
    stamp.touch()
    return python
