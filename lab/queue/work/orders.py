"""Orders that the lab takes: payloads made complete, checked, with their cost; then carried out.

    train     {"spec": RunSpec.to_dict()}
    evaluate  {"of": 7}  or  {"of": "recall-rope-s0"}      a finished job, or a shipped checkpoint
    finetune  {"of": ..., "method": "yarn", "factor": 4}   RoPE models of recall and text
    own       {"name": "my-model", "minutes": 10, "times": 0, "methods": ["yarn"], "keys": true,
              "text": ""}
              one of `python -m models list`; times: longest context in trained lengths, 0 is what
              fits; "" are the usual texts

A payload may come from anybody, so it names no path: a corpus is one that was added before.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.checked import one_of, whole_number
from lab.model.methods import tried
from lab.queue.limits import Cost
from lab.queue.perform import CHECKPOINT, Stopped, perform
from lab.queue.settings import CHECKPOINTS, CORPORA
from lab.queue.work.costs import evaluation_cost, finetuning_cost, training_cost
from lab.spec import RunSpec
from lab.training.checkpoints import load_checkpoint, shipped_checkpoints
from models.files.find import Found, found
from models.measuring.own import TIMES, look
from models.measuring.plan import LONGEST

__all__ = ["Stopped", "perform", "prepare"]

KINDS = {
    "train": {"spec"},
    "evaluate": {"of"},
    "finetune": {"of", "method", "factor"},
    "own": {"name", "minutes", "times", "methods", "keys", "text"},
}
FACTORS = 2, 32
"""Least and largest factor of a fine-tuning."""
MOST_MINUTES = 24 * 60
"""Most minutes of one measurement of a reader's own checkpoint."""


def prepare(kind: str, payload: Mapping[str, Any], home: Path) -> tuple[dict[str, Any], Cost]:
    """A complete payload for `perform`, and what the job will cost.

    Raises:
        ValueError: If the order makes no sense, in a sentence.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(one_of("kind", kind, KINDS))
    if not isinstance(payload, Mapping) or set(payload) != KINDS[kind]:
        raise ValueError(
            f"A job of kind {kind} has {', '.join(sorted(KINDS[kind]))}, got {payload!r:.80}."
        )
    if kind == "train":
        spec = RunSpec.from_dict(payload["spec"])
        check_corpus(spec, home)
        return {"spec": spec.to_dict()}, training_cost(spec)
    if kind == "own":
        return own_order(payload, home)
    path = checkpoint_of(payload["of"], home)
    spec = load_checkpoint(path).spec
    complete = {**payload, "checkpoint": str(path)}
    if kind == "evaluate":
        return complete, evaluation_cost(spec)
    check_finetuning(spec, payload["method"], payload["factor"])
    return complete, finetuning_cost(spec, payload["factor"])


def own_order(payload: Mapping[str, Any], home: Path) -> tuple[dict[str, Any], Cost]:
    """The payload of a measurement of a reader's own checkpoint, and its cost.

    Raises:
        ValueError: If it is not one of the models here or cannot be measured.
    """
    there = own_models(home)
    name = payload["name"]
    methods = payload["methods"]
    if not isinstance(name, str) or name not in there:
        raise ValueError(
            f"There is no model {name!r:.60} here; there are: {', '.join(there) or 'none'}."
        )
    for field, least, most in (("minutes", 1, MOST_MINUTES), ("times", 0, max(TIMES))):
        check_whole(field, payload[field], least, most)
    model = look(there[name])
    if not isinstance(methods, list) or len(methods) != sum(m in methods for m in model.methods):
        raise ValueError(
            f"methods must be among {', '.join(model.methods)}, each once, got {methods!r:.80}."
        )
    if not isinstance(payload["keys"], bool):
        raise ValueError(one_of("keys", payload["keys"], ("true", "false")))
    text = payload["text"]
    if text != "" and not is_added(text, home):
        raise ValueError(f"The text {text!r:.60} was not added to this lab; add it.")
    longest = min(LONGEST, model.trained * (payload["times"] or 2))
    minutes = float(payload["minutes"])
    cost = Cost(0.0, model.memory(longest), 1e6, minutes / 60)
    return {**payload, "model": model.id}, cost


def own_models(home: Path) -> dict[str, Found]:
    """The models that can be measured, by id: those of `models` and of the lab's folder."""
    return found(more=(home / CHECKPOINTS,))


def checkpoint_of(of: object, home: Path) -> Path:
    """The checkpoint of a finished training job (its number) or a shipped one (its name).

    Raises:
        ValueError: If there is none.
    """
    if isinstance(of, int) and not isinstance(of, bool):
        path = home / "jobs" / str(of) / CHECKPOINT
        if not path.is_file():
            raise ValueError(f"Job {of} has no trained model; a training job that is done has.")
        return path
    shipped = shipped_checkpoints()
    if not isinstance(of, str) or of not in shipped:
        raise ValueError(
            f"{of!r:.60} is no job's number and no shipped checkpoint: "
            f"{', '.join(shipped) or 'none'}."
        )
    return shipped[of]


def check_corpus(spec: RunSpec, home: Path) -> None:
    """Refuse a corpus that was not added to the lab.

    Raises:
        ValueError: If it is another file, or is gone.
    """
    if spec.corpus and not is_added(spec.corpus, home):
        name = Path(spec.corpus).name
        raise ValueError(f"The corpus {name!r:.60} was not added to this lab; add it.")


def is_added(text: object, home: Path) -> bool:
    """Whether that is the path of a text that was added to the lab; no disk is asked for it."""
    return isinstance(text, str) and text in map(str, (home / CORPORA).glob("*.txt"))


def check_finetuning(spec: RunSpec, method: object, factor: object) -> None:
    """Refuse a fine-tuning that cannot be done."""
    if spec.encoding != "rope" or spec.task == "counting":
        raise ValueError("Only RoPE models of recall and text can be fine-tuned to a scaling.")
    if method not in list(tried()):
        raise ValueError(one_of("method", method, tried()))
    check_whole("factor", factor, *FACTORS)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number of a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(whole_number(name, value, low, high))
