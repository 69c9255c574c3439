"""Models made of others: which object of the file describes the part that is read.

Where a model writes text, that is its decoder; where it has no text, the network that sees the
image or hears the sound. Each entry's encoding is that of the class's default part.
"""

from advisor.families.family import Family, families
from posenc.words import say

TIMM = say(
    "The network is one of the package timm, which the file names under architecture and "
    "transformers does not hold."
)

FAMILIES: dict[str, Family] = {
    # Parts that rotate.
    **families("colmodernvbert colpali colqwen2 pi0", "rope", part="vlm_config"),
    **families("t5gemma t5gemma2", "rope", part="decoder"),
    **families("qwen2_5_omni qwen3_omni_moe", "rope", part="thinker_config"),
    **families("deepseek_ocr2_vision lasr_ctc", "rope", part="encoder_config"),
    "dia": Family(part="decoder_config"),
    "esmfold2": Family(part="esmc_config"),
    "nemotron3_5_transcribe_audio": Family(part="asr_config"),
    "nemotron3_diarization": Family(part="audio_config"),
    "qwen2_5_omni_token2wav": Family(part="dit_config"),
    # What writes text.
    **families(
        "encoder-decoder nougat speech-encoder-decoder vision-encoder-decoder",
        "learned",
        part="decoder",
    ),
    **families("musicgen musicgen_melody", "sinusoidal", part="decoder"),
    "rag": Family(encoding="learned", part="generator"),
    "bark": Family(encoding="learned", part="semantic_config"),
    "clvp": Family(encoding="learned", part="decoder_config"),
    "canary": Family(encoding="sinusoidal", part="decoder_config"),
    # Images.
    **families(
        "depth_anything prompt_depth_anything tipsv2_dpt vitmatte vitpose",
        "learned",
        part="backbone_config",
    ),
    "depth_pro": Family(encoding="learned", part="image_model_config"),
    **families(
        """
        pp_ocrv5_mobile_det pp_ocrv5_mobile_rec pp_ocrv5_server_det pp_ocrv5_server_rec
        pp_ocrv6_medium_det pp_ocrv6_small_det pp_ocrv6_small_rec pp_ocrv6_tiny_rec slanet
        upernet uvdoc
        """,
        "convolution",
        part="backbone_config",
    ),
    "zoedepth": Family(encoding="window_bias", part="backbone_config"),
    **families("sam sam_hq slanext", "window_bias", part="vision_config"),
    "sam2_vision_model": Family(encoding="learned", part="backbone_config"),
    "sam2": Family(encoding="learned", part="vision_config"),
    "edgetam": Family(encoding="unknown", part="vision_config", reason=TIMM),
    "edgetam_vision_model": Family(encoding="unknown", part="backbone_config", reason=TIMM),
    **families("gemma3n_vision timm_backbone timm_wrapper", "unknown", reason=TIMM),
    "unlimited_ocr_vision": Family(encoding="learned", part="encoder_config"),
    # Sound.
    **families(
        "nemotron3_5_asr nemotron_asr_streaming parakeet_ctc parakeet_rnnt parakeet_tdt",
        "transformer_xl",
        part="encoder_config",
    ),
    "fastspeech2_conformer_with_hifigan": Family(encoding="transformer_xl", part="model_config"),
    "granite_speech5_ctc": Family(encoding="shaw", part="encoder_config"),
    **families("higgs_audio_v2_tokenizer xcodec", "convolution", part="semantic_model_config"),
}
