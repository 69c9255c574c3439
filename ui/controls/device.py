"""Which device computes: chosen by the user from what is there."""

from typing import Any

import torch

from posenc.words import say
from ui import controls
from ui.words import _


def available() -> list[str]:
    """Devices that torch can use on this machine, the CPU first."""
    found = ["cpu"]
    if torch.cuda.is_available():
        found.append("cuda")
    if torch.backends.mps.is_available():
        found.append("mps")
    return found


def device(under: str = controls.MORE) -> Any:
    """The entry of a device that the reader chooses; with the CPU alone it still says so."""
    help = say("Where attention is computed. Only what this machine has is listed.")
    return controls.entry(_choice, say("Device"), help=help, under=under)


def _choice(key: str, label: str, *, help: str) -> torch.device:
    return torch.device(controls.choice(key, label, available(), help=help))


def in_words(device: torch.device) -> str:
    """Where a model runs: "the CPU", "the GPU"."""
    return _("the CPU") if device.type == "cpu" else _("the GPU")


def working_dtype(device: torch.device) -> torch.dtype:
    """float64 where the device has it; Apple's MPS has not, and works in float32."""
    return torch.float32 if device.type == "mps" else torch.float64


def synchronize(device: torch.device) -> None:
    """Wait for the device, so that a measured time is the computation's."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
