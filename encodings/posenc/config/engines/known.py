"""Settings are written for models that are known."""

from posenc.config.data import Config
from posenc.words import say


def check_known(config: Config) -> None:
    """Refuse a model of which it is not known how its layers rotate.

    Raises:
        ValueError: If it is not known.
    """
    if not config.is_known:
        raise ValueError(
            say(
                "model_type must be one that is known; nothing is written for {model}: how its "
                "layers use positions is not known.",
                model=config.model_type or say("a file without it"),
            )
        )
    if config.family.own_form:
        raise ValueError(
            say(
                "model_type must be one whose form is written here; that of {model} is read "
                "exactly and not written yet: its class takes the base or the share of channels "
                "from places of its own.",
                model=config.model_type or say("a file without it"),
            )
        )
