"""Questions that people ask about configurations, each with its own case and its answer's number.

The cases are those of public issue threads; the numbers are worked out here by another way than
the library's, or are those of the thread.
"""

import math

import pytest
import torch

from posenc import NTK, DynamicNTK, RopeConfig, known_models, rope_inv_freq
from posenc.config.choosing.choose import choose
from posenc.config.engines.all import engine_readings
from posenc.report.document import explain
from posenc.scaling.ntk import ntk_base

ORIGINAL, LONGEST = "original_max_position_embeddings", "max_position_embeddings"
QWEN = known_models()["Qwen2.5-7B-Instruct"].config
YARN = {"type": "yarn", "factor": 4.0, ORIGINAL: 32768}
PLAIN_QWEN, _ = rope_inv_freq(128, 1e6)
PLAIN_MISTRAL, _ = rope_inv_freq(128, 1e4)


def layer(fields: dict):
    return RopeConfig.from_hf(fields).rotary["all"]


def codes(fields: dict) -> dict[str, str]:
    return {f.code: f.severity for f in RopeConfig.from_hf(fields).findings}


def method(document: dict, name: str) -> dict:
    return next(m for m in document["layers"][0]["methods"] if m["name"] == name)


# 1. factor, original_max_position_embeddings, max_position_embeddings: which wins?


def test_row_1_the_factor_that_had_no_effect() -> None:
    # transformers 38224: Qwen's documented addition, the declared length left at 32768.
    readings = engine_readings(RopeConfig.from_hf({**QWEN, "rope_scaling": YARN}), "all")
    found = {r.engine: (r.trained_length, r.factor, r.longest) for r in readings}
    assert found == {
        "transformers 5.23": (32768, 4.0, 32768),
        "transformers 4.51": (32768, 1.0, 32768),
        "vLLM 0.33.0": (32768, 4.0, 32768),
        "vLLM 0.27.0": (32768, 4.0, 131072),
        "SGLang 0.5.23": (32768, 4.0, 32768),
        "llama.cpp": (32768, 4.0, 32768),
        "exllamav3 1.6.5": (32768, 1.0, 32768),
    }
    finding = next(
        f
        for f in RopeConfig.from_hf({**QWEN, "rope_scaling": YARN}).findings
        if f.code == "declared_below_reach"
    )
    assert "transformers 4.51 takes the ratio" in finding.message
    assert "max_position_embeddings: 131072" in finding.remedy


def test_row_1_a_raised_length_without_the_original() -> None:
    fields = {**QWEN, LONGEST: 131072, "rope_scaling": {"type": "yarn", "factor": 4.0}}
    assert layer(fields).scaling.original_length == 131072
    # The model of this shape is known; of another, the declared length may be that of the training.
    assert codes(fields)["trained_length_missing"] == "error"
    assert codes(fields | {"num_hidden_layers": 27})["trained_length_missing"] == "warning"


# 2. static YaRN on short prompts


# 4. "dynamic" that is not dynamic


def test_row_4_vllm_fixes_one_base_and_transformers_moves_it() -> None:
    # vLLM: base at the longest text that it allows, L₀·α, so α·α - α + 1 = 13 for α = 4.
    static = ntk_base(128, 1e4, factor=4.0, alpha=4.0)
    assert static == pytest.approx(1e4 * 13 ** (128 / 126))
    for stretch, k in ((1, 1), (2, 5), (3, 9), (4, 13), (8, 29)):
        moving, _ = rope_inv_freq(128, 1e4, DynamicNTK(4.0, 4096), 4096 * stretch)
        expected = (1e4 * k ** (128 / 126)) ** (-torch.arange(64, dtype=torch.float64) / 64)
        torch.testing.assert_close(moving, expected, rtol=1e-12, atol=0)
        fixed, _ = rope_inv_freq(128, static)
        assert torch.allclose(moving, fixed, rtol=1e-9) == (stretch == 4)
    # The published rule, α = 1, is static too and weaker.
    published, _ = rope_inv_freq(128, 1e4, NTK(4.0))
    assert float(published[-1] / rope_inv_freq(128, static)[0][-1]) == pytest.approx(13 / 4)


def test_row_4_the_file_says_so() -> None:
    source = known_models()["Llama-2-7B"].config
    config = RopeConfig.from_hf({**source, "rope_scaling": {"type": "dynamic", "factor": 4.0}})
    finding = next(f for f in config.findings if f.code == "dynamic_factor_is_no_ratio")
    assert "Keys that were cached at a shorter length keep an older base." in finding.message
    told = " ".join(one.text for one in choose(config, 8192).reasons)
    assert "SGLang fixes the base of 16,384 tokens" in told
    by_engine = {r.engine: r for r in engine_readings(config, "all")}
    assert by_engine["vLLM 0.33.0"].longest == by_engine["SGLang 0.5.23"].longest == 4 * 4096
    assert by_engine["llama.cpp"].factor is None


# 8. Llama-3.1's rope_scaling, rejected or ignored


def test_row_8_three_bands_and_what_happens_when_they_are_ignored() -> None:
    source = known_models()["Llama-3.1-8B"].config
    document = explain(RopeConfig.from_hf(source), 131072)
    slowed = [pair["slowed"] for pair in document["layers"][0]["pairs"]]
    keep, blend, divide = (
        [i for i, s in enumerate(slowed) if s == pytest.approx(1)],
        [i for i, s in enumerate(slowed) if 1.001 < s < 7.999],
        [i for i, s in enumerate(slowed) if s == pytest.approx(8)],
    )
    assert (keep, blend, divide) == ([*range(29)], [*range(29, 35)], [*range(35, 64)])
    # By hand: pair 32, wavelength 2π·500000^(1/2) = 4443, 8192/4443 = 1.844 turns.
    keep_32 = (8192 / (2 * math.pi * 500000**0.5) - 1) / 3
    assert slowed[32] == pytest.approx(1 / (keep_32 + (1 - keep_32) / 8))
    drift = 500000**-0.5 * (1 - 1 / slowed[32])
    assert method(document, "none")["half_a_turn_off_at"] == math.ceil(math.pi / drift) == 3533
    (llama_cpp,) = (e for e in document["settings"]["engines"] if e["id"] == "llama_cpp")
    assert llama_cpp["text"] == "--ctx-size 131072"  # it is in the model file


# 10. a lost base: fine when short, nonsense when long


# 11. the attention factor: on cos and sin, on the softmax, once, twice
