"""The language model, converted before its first reader would wait for it."""

import logging
import multiprocessing

from lab import logs
from models.files.find import installed
from models.files.gguf import converted, is_converted
from models.home import Home

LOG = logging.getLogger("posenc.server")


def prepare_model() -> None:
    """Convert the language model where that was not done: its first reader would wait for it.

    A process of its own does it, which gives its memory back.
    """
    found = installed()
    if found is None or not found.is_gguf or is_converted(found.path, Home.from_environment()):
        return
    LOG.info("the language model is converted, once in its folder (POSENC_MODELS_HOME)")
    working = multiprocessing.get_context("spawn").Process(target=_convert)
    working.start()
    working.join()
    if working.exitcode:
        LOG.warning("the language model is not converted: status %d", working.exitcode)


def _convert() -> None:
    found = installed()
    assert found is not None
    logs.settle()
    try:
        converted(found.path, Home.from_environment())
    except ValueError as error:  # screens that show it say so too
        LOG.warning("the language model is not converted: %s", error)
