"""Settings are written for models that are known."""

from posenc.config.data import Config


def check_known(config: Config) -> None:
    """Refuse a model of which it is not known how its layers rotate.

    Raises:
        ValueError: If it is not known.
    """
    if not config.is_known:
        model = config.model_type or "a file without it"
        raise ValueError(
            f"model_type must be one that is known; nothing is written for {model}: how its "
            "layers use positions is not known."
        )
    if config.family.own_form:
        model = config.model_type or "a file without it"
        raise ValueError(
            f"model_type must be one whose form is written here; that of {model} is read exactly "
            "and not written yet: its class takes the base or the share of channels from places "
            "of its own."
        )
