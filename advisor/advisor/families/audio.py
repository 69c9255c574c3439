"""Networks for sound, and what writes sound, that rotate along the time."""

from advisor.families.classes import known
from advisor.families.family import Family
from posenc.words import say

HALF = """
    dots3_note_audio_encoder glmasr_encoder
    lasr_encoder mimi mimi_decoder mimi_encoder nemotron3_5_transcribe_asr_audio
    nemotron3_5_transcribe_word_timestamp nemotron3_diarization_audio neucodec
    pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder
    pocket_tts_audio_tokenizer_encoder voxtral_realtime_encoder xcodec2
"""
INTERLEAVED = """
    moonshine moonshine_streaming pe_audio_encoder pe_audio_video_encoder pe_video_encoder
"""

FAMILIES = {
    **known("deepseek_ocr2_encoder"),
    **known(HALF),
    **known(INTERLEAVED, layout="interleaved"),
    # TimesFM's queries have a learned scale for each channel instead.
    **known("dia_decoder dia_encoder timesfm2_5", softmax_scale=1.0),
    "qwen2_5_omni_dit": Family(
        encoding="unknown",
        reason=say("Only the first head of each layer is turned, and the others not at all."),
    ),
    # Half of each head's 64 channels; values are turned as queries and keys are.
    "clvp_encoder": Family(
        defaults={
            "hidden_size": 768,
            "num_attention_heads": 12,
            "num_hidden_layers": 20,
            "partial_rotary_factor": 0.5,
            "rope_theta": 10000.0,
        },
        names_base=False,
        by_table=True,
        switches=(("use_rotary_embedding", False, "nope"),),
    ),
}
