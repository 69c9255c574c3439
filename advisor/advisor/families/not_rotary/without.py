"""Families without a positional encoding of their own: convolutions, states, coordinates, none.

Source: transformers 5.23, the models' code.
"""

from advisor.families.family import Family, families

SPEECH = "data2vec-audio hubert sew unispeech unispeech-sat wav2vec2"
"""A convolution over neighbouring frames makes what is added to each of them."""
CONVOLUTIONS = """
    align_vision_model bit chameleon_vqgan convnext convnextv2 cvt dac dinov3_convnext efficientnet
    emu3_vqgan encodec fastspeech2_conformer_hifigan flava_image_codebook florence_vision focalnet
    glm_image_vqmodel glpn hgnet_v2 janus_vqgan mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2
    muse_spark_audio poolformer pp_lcnet pp_lcnet_v3 pp_lcnet_v4 pvt_v2 qwen2_5_omni_bigvgan regnet
    resnet rt_detr_resnet sapiens2_head segformer speecht5_hifigan superpoint swiftformer textnet
    univnet uvdoc_backbone vibevoice_acoustic_tokenizer vibevoice_acoustic_tokenizer_decoder
    vibevoice_acoustic_tokenizer_encoder
"""
STATES = "falcon_mamba mamba mamba2 rwkv xlstm"
COORDINATES = """
    edgetam_mask_decoder edgetam_prompt_encoder edgetam_video_mask_decoder
    edgetam_video_prompt_encoder sam2_mask_decoder sam2_prompt_encoder sam2_video_mask_decoder
    sam2_video_prompt_encoder sam3_geometry_encoder sam3_lite_text_geometry_encoder
    sam3_lite_text_mask_decoder sam3_mask_decoder sam3_tracker_mask_decoder
    sam3_tracker_prompt_encoder sam3_tracker_video_mask_decoder sam3_tracker_video_prompt_encoder
    sam_hq_mask_decoder sam_hq_prompt_encoder sam_mask_decoder sam_prompt_encoder superglue
"""
"""Points and boxes: their coordinates are among the inputs."""
NOTHING = """
    blip_2_qformer flava_multimodal_model gemma4_unified_audio idefics2_perceiver idefics_perciever
    inkling_audio inkling_vision molmo2_adapter moonshine_streaming_encoder moshi_depth
    vibevoice_diffusion
"""
"""Latents that query, tokens taken one by one, layers that a mask or a window alone orders."""

FAMILIES = {
    **families(
        SPEECH,
        "convolution",
        names={"kernel": "num_conv_pos_embeddings"},
        numbers=("kernel",),
    ),
    **families(CONVOLUTIONS, "convolution"),
    **families(STATES, "linear"),
    **families(COORDINATES, "coordinates"),
    **families(NOTHING, "nope"),
    "patchtsmixer": Family(
        encoding="nope", switches=(("use_positional_encoding", True, "sinusoidal"),)
    ),
    "timesfm": Family(
        encoding="nope", switches=(("use_positional_embedding", True, "sinusoidal"),)
    ),
}
