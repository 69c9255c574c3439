"""Findings about numbers of heads that do not go together: no model is made of such a file."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.facts import TRANSFORMERS
from advisor.families.all import has_class
from advisor.findings.finding import Told, judge
from posenc.checks import LONGEST
from posenc.words import say

HIDDEN = "hidden_size"
HEADS = "num_attention_heads"
KEYS = "num_key_value_heads"
# Classes of transformers 5.23 that refuse such a width, also beside a head_dim. Others round the
# width of a head down and run. tests/parity/test_heads.py asks them all.
REFUSES_WIDTH = """
    arcee aria_text codegen cwm deepseek_ocr2_text deepseek_v2 dots3_note_text eurobert falcon
    gemma2 gemma3_text gemma3n_text gpt_neox gptj higgs_audio_v2 hrm_text hyperclovax idefics
    internlm3 iquestcoder jais2 llama mimi_encoder minicpm3 modernbert modernbert-decoder moshi
    muse_glimmer_text muse_spark_text nemotron3_5_transcribe_asr_audio nemotron3_diarization_audio
    neucodec persimmon pocket_tts_audio_tokenizer_encoder qwen2_5_vl_text qwen2_vl_text stablelm
    t5_gemma_module t5gemma2_decoder t5gemma2_text ultrabert unlimited_ocr_text vaultgemma xcodec2
"""
# Classes without the field, and two that share their keys in another way.
OWN_KEYS = """
    blt clvp_encoder codegen dbrx deepseek_ocr2_vision dia esmfold2 falcon gpt_neox
    gpt_neox_japanese gptj gte hrm_text idefics jetmoe jina_embeddings_v3 lasr_encoder modernbert
    modernbert-decoder moonshine_streaming nomic_bert persimmon roformer
"""


@judge("error")
def width_not_in_heads(config: Config) -> Iterator[Told]:
    """A width that the heads do not divide, for a class that refuses it."""
    width, heads = _count(config, HIDDEN), _count(config, HEADS)
    is_refused = {config.read_as, f"{config.read_as}_text"} & {*REFUSES_WIDTH.split()}
    if not (config.rotary and is_refused and width and heads) or width % heads == 0:
        return
    fields = (config.text.own_name(HIDDEN), config.text.own_name(HEADS))
    yield Told(
        fields,
        say(
            "{hidden} {width} is not a multiple of {field} {heads}: {transformers} refuses to make "
            "a {model} model of the file.",
            hidden=fields[0],
            width=width,
            field=fields[1],
            heads=heads,
            model=config.model_type,
            transformers=TRANSFORMERS,
        ),
        say(
            "Write both as the model was trained; {field} must divide {width} without remainder.",
            field=fields[1],
            width=width,
        ),
    )


@judge("error")
def heads_not_in_groups(config: Config) -> Iterator[Told]:
    """Query heads that the key/value heads cannot share evenly."""
    heads, keys = _count(config, HEADS), _count(config, KEYS)
    is_latent = config.text.get("qk_rope_head_dim") is not None
    is_shared = (
        has_class(config.read_as) and config.read_as not in OWN_KEYS.split() and not is_latent
    )
    if not (config.rotary and is_shared and heads and keys and config.text.given(KEYS)):
        return
    if heads % keys == 0:
        return
    fields = (config.text.own_name(HEADS), config.text.own_name(KEYS))
    yield Told(
        fields,
        say(
            "{field} {heads} is not a multiple of {inner} {keys}: each key/value head serves "
            "equally many query heads, so {transformers} fails when the model is run.",
            field=fields[0],
            heads=heads,
            inner=fields[1],
            keys=keys,
            transformers=TRANSFORMERS,
        ),
        say(
            "Write both as the model was trained; {inner} must divide {heads} without remainder.",
            inner=fields[1],
            heads=heads,
        ),
    )


def _count(config: Config, name: str) -> int | None:
    """A whole number of the file or its class; None where it is none: nothing is judged then."""
    value = config.text.get(name)
    return value if isinstance(value, int) and 0 < value <= LONGEST else None
