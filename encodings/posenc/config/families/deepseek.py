"""DeepSeek and those after it: latent attention (MLA), whose heads have a rotated part."""

from posenc.config.families.classes import known

_INTERLEAVED = (
    *("deepseek_v2", "deepseek_v3", "deepseek_v32", "axk1", "axk2", "glm4_moe_lite"),
    *("glm_moe_dsa", "longcat_flash", "youtu"),
)
_HALF = ("hy_v4", "minicpm3")

FAMILIES = {
    name: known(name, layout="interleaved", multiplies_softmax=True) for name in _INTERLEAVED
} | {name: known(name, multiplies_softmax=True) for name in _HALF}
