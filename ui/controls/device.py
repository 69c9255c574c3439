"""Which device computes: chosen by the user from what is there."""

import torch

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


def picker() -> torch.device:
    """Let the user choose the device; with the CPU alone it still says so."""
    name = controls.choice(
        "device",
        _("Device"),
        available(),
        help=_("Where attention is computed. Only what this machine has is listed."),
    )
    return torch.device(name)


def working_dtype(device: torch.device) -> torch.dtype:
    """float64 where the device has it; Apple's MPS has not, and works in float32."""
    return torch.float32 if device.type == "mps" else torch.float64


def synchronize(device: torch.device) -> None:
    """Wait for the device, so that a measured time is the computation's."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
