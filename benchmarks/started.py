"""`posenc explain Qwen3-8B --target 128k` against `import torch, transformers`: processor seconds.

python -m benchmarks.started prints the ratio, of the medians and the median of pairs that take
turns. Bytecode is kept, as an installed package has it. Goal: 1.3.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

PAIRS = 11
EXPLAIN = ("-m", "advisor", "explain", "Qwen3-8B", "--target", "128k")
IMPORT = ("-c", "import torch, transformers")


def seconds(arguments: tuple[str, ...], kept: str) -> float:
    """Processor seconds, user and system, of Python with these arguments."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": kept}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Time both in turn."""
    with tempfile.TemporaryDirectory() as kept:
        for one in (EXPLAIN, IMPORT):
            seconds(one, kept)
        pairs = [(seconds(EXPLAIN, kept), seconds(IMPORT, kept)) for _ in range(PAIRS)]
    explain, imported = (statistics.median(one) for one in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"explain {explain:.2f} s, import {imported:.2f} s")
    print(f"ratio of medians {explain / imported:.2f}, median of ratios {ratio:.2f}")


if __name__ == "__main__":
    main()
