"""The weights that the lab's screens read: of a job, finished or not, or shipped."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from lab.queue.perform import CHECKPOINT, STATE
from lab.spec import RunSpec
from lab.training.checkpoints import DATA, Checkpoint, load_checkpoint, read_tensors
from lab.training.loop import half_trained


@dataclass(frozen=True)
class Model:
    """Weights that can be read: of a finished run, or as they are while it is trained."""

    run: Checkpoint
    path: Path
    stamp: int
    """Stamp of the file's content: another one, another model."""
    updates: int | None
    """Updates made so far; None when it is finished."""

    @property
    def key(self) -> str:
        """Key of the charts of this model's run."""
        return str(self.path.parent / self.run.spec.key)


def shipped_model(spec: RunSpec) -> Model | None:
    """The model of exactly this run that comes with the project."""
    path = DATA / f"{spec.name}.safetensors"
    if not path.exists():
        return None
    model = _loaded(str(path), path.stat().st_mtime_ns, spec)
    return model if model.run.spec == spec else None


def job_model(folder: Path, spec: RunSpec) -> Model | None:
    """The model in a job's folder: the finished weights, else those last saved."""
    for name in (CHECKPOINT, STATE):
        try:
            stamp = (folder / name).stat().st_mtime_ns
            return _loaded(str(folder / name), stamp, spec)
        except (OSError, ValueError):
            continue  # not there yet, or just replaced by the next
    return None


@st.cache_resource(max_entries=32, show_spinner=False)
def _loaded(path: str, stamp: int, _spec: RunSpec) -> Model:
    file = Path(path)
    if file.name != STATE:
        return Model(load_checkpoint(file), file, stamp, None)
    model, updates = half_trained(_spec, read_tensors(file)[0])
    return Model(Checkpoint(_spec, model, {}), file, stamp, updates)
