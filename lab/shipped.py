"""The lab's files that ship with the project, and how they are made: `python -m lab.shipped`.

Every run is trained, saved in float16, loaded again and measured as loaded, so that the curves are
those of the checkpoints. What is finished is kept in the work folder and not done twice.
"""

import json
import multiprocessing
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import torch
import typer

from lab.measuring.plan import Rows, measured_rows, measurements, tuned_rows
from lab.spec import RunSpec, counting_spec, recall_spec, text_spec
from lab.training.checkpoints import (
    DATA,
    Checkpoint,
    facts_of,
    load_checkpoint,
    save_checkpoint,
    write_whole,
)
from lab.training.finetuning import finetune
from lab.training.loop import train

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

WORK = DATA.parent.parent / ".lab" / "shipped"
TUNED_FACTOR = 4  # fine-tuning at this many training lengths
TUNED_METHODS = ("none", "linear", "ntk", "yarn")
TABLES = ("recall", "text", "positions", "counting")


def specs() -> list[RunSpec]:
    """All runs of the exhibits, those that carry most first."""
    # Three seeds wherever a claim rests on it: all in recall, these in text.
    three_in_text = ("rope", "alibi", "learned", "sinusoidal")
    main: list[tuple[str, dict[str, float]]] = [
        ("rope", {"base": 128}),
        ("rope", {}),
        ("alibi", {}),
        ("nope", {}),
        ("t5", {}),
        ("kerple", {}),
        ("fire", {}),
        ("learned", {}),
        ("sinusoidal", {}),
        ("sandwich", {}),
        ("xpos", {}),
        ("cope", {}),
    ]
    counting: list[tuple[str, dict[str, float]]] = [
        ("cope", {"max_positions": 16}),
        ("cope", {}),
        ("alibi", {}),
        ("rope", {}),
        ("learned", {}),
    ]
    runs = []
    for seed in range(3):
        in_text = [run for run in main if seed == 0 or run[0] in three_in_text]
        runs += [recall_spec(name, seed, **settings) for name, settings in main]
        runs += [text_spec(name, seed, **settings) for name, settings in in_text]
        runs += [counting_spec(name, seed, **settings) for name, settings in counting]
    return runs


def trained(spec: RunSpec, path: Path) -> Checkpoint:
    """The checkpoint at `path`; trained and written first where it is not there."""
    if not path.exists():
        start = time.perf_counter()
        values = []
        for trainer, value in train(spec):  # noqa: B007, the last one is kept
            values.append(value)
        last = values[-max(1, spec.updates // 5) :]
        facts = {
            **facts_of(spec, trainer.model),
            "seconds": round(time.perf_counter() - start, 1),
            "loss": sum(v["loss"] for v in last) / len(last),
            "accuracy": sum(v["accuracy"] for v in last) / len(last),
        }
        save_checkpoint(path, spec, trainer.model, facts, torch.float16)
    return load_checkpoint(path)


def rows_of(run: Checkpoint) -> Rows:
    """Everything that is measured of a run, by table; RoPE models also after fine-tuning."""
    tables: Rows = {table: [] for table in TABLES}
    parts = [measured_rows(run, one) for one in measurements(run.model, run.spec)]
    if run.spec.encoding == "rope" and run.spec.task != "counting":
        for method in TUNED_METHODS:
            *_, (tuned, _) = finetune(run.model, run.spec, method, TUNED_FACTOR)
            parts.append(tuned_rows(run, tuned.eval(), method, TUNED_FACTOR))
    for part in parts:
        for table, rows in part.items():
            tables[table] += rows
    return tables


def measure(spec: RunSpec, work: Path) -> str:
    """Train and measure one run, unless the work folder has it; return its name."""
    torch.set_num_threads(1)
    path = work / f"{spec.name}.json"
    if path.exists() and json.loads(path.read_text())["spec"] == spec.to_dict():
        return spec.name
    run = trained(spec, work / f"{spec.name}.safetensors")
    start = time.perf_counter()
    tables = rows_of(run)
    facts = {**run.facts, "measured_in_seconds": round(time.perf_counter() - start, 1)}
    result = {"name": spec.name, "spec": spec.to_dict(), "facts": facts, "tables": tables}
    write_whole(path, json.dumps(result).encode())
    return spec.name


def collect(work: Path, data: Path) -> None:
    """Gather what is in the work folder into the files that ship."""
    results = [
        json.loads(path.read_text())
        for spec in specs()
        if (path := work / f"{spec.name}.json").exists()
    ]
    runs = [{k: v for k, v in result.items() if k != "tables"} for result in results]
    write_whole(data / "runs.json", (json.dumps(runs, indent=1) + "\n").encode())
    for table in TABLES:
        rows = [
            {"run": result["name"], **row}
            for result in results
            for row in result["tables"].get(table, [])
        ]
        if rows:
            write_whole(data / f"{table}.csv", as_csv(rows))
    for result in results:
        if result["spec"]["seed"] == 0 and result["spec"]["task"] != "counting":
            name = f"{result['name']}.safetensors"
            write_whole(data / name, (work / name).read_bytes())


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    """Rows of equal keys as comma-separated lines under a header."""
    return pd.DataFrame(rows).to_csv(index=False, lineterminator="\n").encode()


def regenerate(runs: Iterable[RunSpec], work: Path, workers: int) -> None:
    """Measure every run that is not there yet, `workers` at a time, telling each that is done."""
    runs = list(runs)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        waiting = [pool.submit(measure, spec, work) for spec in runs]
        for count, future in enumerate(as_completed(waiting), 1):
            print(f"{count} of {len(runs)}: {future.result()}", flush=True)


@app.command()
def main(
    only: Annotated[str, typer.Option(help="Runs whose name begins so, for example text-.")] = "",
    work: Annotated[Path, typer.Option(help="Folder of what is finished.")] = WORK,
    data: Annotated[Path, typer.Option(help="Folder of what ships.")] = DATA,
    workers: Annotated[int, typer.Option(help="Processes, one thread each.", min=1)] = 1,
) -> None:
    """Train, measure and collect what comes with the project."""
    regenerate([spec for spec in specs() if spec.name.startswith(only)], work, workers)
    collect(work, data)


if __name__ == "__main__":
    app(prog_name="python -m lab.shipped")
