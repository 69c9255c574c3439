"""Every family without rotation by its `model_type`."""

from posenc.config.families.family import Family
from posenc.config.families.not_rotary import computed, learned, parts, relative, without

FAMILIES: dict[str, Family] = {
    **learned.FAMILIES,
    **computed.FAMILIES,
    **relative.FAMILIES,
    **without.FAMILIES,
    **parts.FAMILIES,
}
