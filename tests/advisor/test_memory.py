"""Cost of a length, against values worked out by hand and published numbers of weights."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import RopeConfig, known_models
from advisor.decision import decide
from advisor.memory.cache import (
    CACHE_BITS,
    LayerCache,
    cache_bytes,
    layer_caches,
    longest_text,
)
from advisor.memory.cards import CARDS, GIB, KEPT, Card, Split, fits, split
from advisor.memory.needs import AskedAbout, needs
from advisor.memory.weights import WEIGHT_BITS, count_weights, prefill_operations
from posenc.checks import LONGEST
from tests.advisor.files import read
from tests.kinds import known

LLAMA = "Llama-3.1-8B"
GEMMA4 = json.dumps(
    {
        "model_type": "gemma4_text",
        "num_hidden_layers": 12,
        "hidden_size": 1536,
        "num_attention_heads": 8,
        "num_key_value_heads": 1,
        "head_dim": 256,
        "global_head_dim": 512,
        "sliding_window": 512,
        "num_kv_shared_layers": 4,
        "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 2,
    }
)
MAMBA = json.dumps(["mamba"] * 32, separators=(",", ":"))
EXAONE = (
    '{"model_type":"exaone4","hidden_size":5120,"num_attention_heads":40,"num_key_value_heads":8'
)
EXAONE += ',"num_hidden_layers":30,"sliding_window_pattern":"LLLG","sliding_window":'
BLOOM = '{"model_type":"bloom","n_embed":4096,"n_layer":30,"num_attention_heads":32}'

# Layers · key/value heads · channels · 2 (key and value) · 2 bytes · tokens, in bfloat16.
BY_HAND = {
    "Llama-3.1-70B": (262144, 80 * 8 * 128 * 2 * 2 * 262144),  # 80 GiB
    "Qwen3-30B-A3B": (131072, 48 * 4 * 128 * 2 * 2 * 131072),  # 12 GiB
    "Llama-2-7B": (4096, 32 * 32 * 128 * 2 * 2 * 4096),  # 2 GiB
    "Llama-3.1-8B": (131072, 32 * 8 * 128 * 2 * 2 * 131072),  # 16 GiB
    "Qwen2.5-7B-Instruct": (131072, 28 * 4 * 128 * 2 * 2 * 131072),  # 7 GiB
    "Mixtral-8x7B": (32768, 32 * 8 * 128 * 2 * 2 * 32768),  # 4 GiB
    "Phi-3-mini-128k": (131072, 32 * 32 * 96 * 2 * 2 * 131072),  # 48 GiB
    "GPT-NeoX-20B": (2048, 44 * 64 * 96 * 2 * 2 * 2048),
    # One key/value head for 71 query heads.
    "Falcon-7B": (2048, 32 * 1 * 64 * 2 * 2 * 2048),  # 16 MiB
    # A window of 4096 in every layer, whatever the length.
    "Mistral-7B-v0.1": (32768, 32 * 8 * 128 * 2 * 2 * 4096),  # 0.5 GiB
    # Every sixth layer sees everything, the others 1024.
    "Gemma-3-12B": (131072, 8 * 256 * 2 * 2 * (8 * 131072 + 40 * 1024)),
    "gpt-oss-20b": (131072, 8 * 64 * 2 * 2 * (12 * 131072 + 12 * 128)),
    "Mistral-7B-v0.1, vocab_size=32000": (1000, 32 * 8 * 128 * 2 * 2 * 1000),
    # Every fourth layer and the last see everything; without a window all do.
    EXAONE + "4096}": (131072, 8 * 128 * 2 * 2 * (8 * 131072 + 22 * 4096)),
    EXAONE + "null}": (131072, 8 * 128 * 2 * 2 * 30 * 131072),
    # Layers that share a cache keep none.
    GEMMA4: (10000, 2 * 2 * (7 * 256 * 512 + 512 * 10000)),
    # Fields of a hybrid family do not make a hybrid.
    f'{LLAMA}, hybrid_override_pattern="{"M" * 32}"': (512, 32 * 8 * 128 * 2 * 2 * 512),
    f"{LLAMA}, layers_block_type={MAMBA}": (512, 32 * 8 * 128 * 2 * 2 * 512),
    f"{LLAMA}, attn_layer_period=8, attn_layer_offset=4": (512, 32 * 8 * 128 * 2 * 2 * 512),
    # A file without key/value heads has those of its class.
    f"{LLAMA}, no num_key_value_heads": (1, 32 * 32 * 128 * 2 * 2),
    f'{LLAMA}, no num_key_value_heads, model_type="mistral", sliding_window=null': (
        1,
        32 * 8 * 128 * 2 * 2,
    ),
    # BloomConfig: "Backward compatibility with n_embed kwarg"; bigscience/bloom-7b1 has it.
    BLOOM: (2048, 30 * 2 * 4096 * 2048 * 2),
    # Families with code of their own are counted like Llama.
    'Llama-3-8B, model_type="exaone", no num_hidden_layers, num_layers=32': (8192, 2**30),
    'Llama-3-8B, model_type="internlm2"': (8192, 2**30),
    # Three of four layers keep the last 8192, and the files do not list which.
    "Llama-4-Scout": (131072, 8 * 128 * 2 * 2 * (12 * 131072 + 36 * 8192)),  # 7.1 GiB
    "Llama-4-Maverick": (10**6, 8 * 128 * 2 * 2 * (12 * 10**6 + 36 * 8192)),  # 46.9 GiB
    # A latent of 512 and a rotated key of 64 for all 128 heads.
    "DeepSeek-V3": (131072, 61 * (512 + 64) * 2 * 131072),
    "DeepSeek-V2": (131072, 60 * (512 + 64) * 2 * 131072),
    # 12 of 48 layers keep keys; 36 a state in float32 and the last 4 inputs of a convolution.
    "Qwen3-Next-80B-A3B": (
        262144,
        12 * 2 * 256 * 2 * 2 * 262144 + 36 * (32 * 128 * 128 * 4 + (2 * 2048 + 4096) * 4 * 2),
    ),
}


@pytest.mark.parametrize("file", BY_HAND)
def test_the_cache_of_a_model_by_hand(file: str) -> None:
    length, expected = BY_HAND[file]
    assert cache_bytes(read(file), length) == expected


@pytest.mark.parametrize("kind", CACHE_BITS)
def test_types_and_batch(kind: str) -> None:
    numbers = 32 * 8 * 128 * 2 * 4096
    assert cache_bytes(known("Llama-3.1-8B"), 4096, kind, 3) == 3 * numbers * CACHE_BITS[kind] / 8
    # A block of llama.cpp: 32 numbers and a scale of 16 bits.
    assert CACHE_BITS["q8_0"] == (32 * 8 + 16) / 32
    assert CACHE_BITS["q4_0"] == (32 * 4 + 16) / 32


def test_a_state_stays_as_large_in_a_smaller_type() -> None:
    state = known("Qwen3-Next-80B-A3B")
    at_rest = 36 * (32 * 128 * 128 * 4 + 8192 * 4 * 2)
    for kind in ("bfloat16", "fp8", "q4_0"):
        per_token = 12 * 2 * 256 * 2 * CACHE_BITS[kind] / 8
        assert cache_bytes(state, 1000, kind) == at_rest + 1000 * per_token


def test_the_kinds_are_named() -> None:
    kinds = {one.kind: one.layers for one in layer_caches(known("Gemma-3-12B"))}
    assert kinds == {"window": 40, "full": 8}
    assert [one.kind for one in layer_caches(known("DeepSeek-V3"))] == ["latent"]


# Weights as the model cards and safetensors files give them.
PUBLISHED = {
    "Llama-3.1-70B": (70_553_706_496, None),
    "Llama-3.1-8B": (8_030_261_248, 7_504_924_672),
    "Llama-2-7B": (6_738_415_616, None),
    "Llama-3.2-1B": (1_235_814_400, 1_235_814_400),
    "Mistral-7B-v0.1": (7_241_732_096, None),
    "Mixtral-8x7B": (46_702_792_704, 12.9e9),
    "Qwen2.5-7B-Instruct": (7_615_616_512, None),
    "Qwen3-8B": (8_190_735_360, None),
    "Qwen3-30B-A3B": (30_532_122_624, 3.35e9 - 151936 * 2048),  # 3.3 with the table
    "DeepSeek-V2": (235_741_434_880, 21e9),
    "DeepSeek-V3": (671_026_419_200, 37e9),
    "Phi-2": (2_779_683_840, None),
    "Phi-3-mini-128k": (3_821_079_552, None),
    "Phi-4": (14_659_507_200, None),
    "Gemma-2-9B": (9_241_705_984, None),
    "SmolLM3-3B": (3_075_098_624, None),
    "gpt-oss-20b": (20_914_757_184, 3.6e9),
    "GLM-4-9B-0414": (9_400_279_040, None),
    "GPT-NeoX-20B": (20_554_567_680, None),
    "GPT-J-6B": (6_050_882_784, None),
    "Falcon-7B": (6_921_720_704, None),
    "MPT-7B": (6_649_286_656, None),
    "BLOOM-176B": (176_247_271_424, None),
    "GPT-2": (124_439_808, None),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_are_those_that_were_published(name: str) -> None:
    total, active = PUBLISHED[name]
    counted = count_weights(known(name))
    assert counted.total == pytest.approx(total, rel=0.01)
    # Published numbers of active weights are rounded, and some hold both tables of words.
    assert active is None or counted.active == pytest.approx(active, rel=0.05)


def test_bytes_of_weights() -> None:
    weights = count_weights(known("Llama-3.1-8B"))
    for kind, bits in WEIGHT_BITS.items():
        assert weights.in_bytes(kind) == pytest.approx(8.03e9 * bits / 8, rel=1e-3)
    with pytest.raises(ValueError, match="kind must be one of"):
        weights.in_bytes("int3")


def test_operations_of_a_prompt() -> None:
    llama = known("Llama-2-7B")
    matrices, attention = prefill_operations(llama, 1000)
    assert matrices == 2 * 1000 * count_weights(llama).active
    # Each of 500,500 pairs: a product and a sum over 128 channels, in 32 heads of 32 layers.
    assert attention == 500_500 * 2 * (128 + 128) * 32 * 32
    # In a window of 4096, 10,000 queries see 4096 · 4097 / 2 + 5904 · 4096 pairs.
    _, window = prefill_operations(known("Mistral-7B-v0.1"), 10000)
    assert window == (4096 * 4097 // 2 + 5904 * 4096) * 2 * 256 * 32 * 32
    # Latent attention compares 192 channels and sums up 128, in 128 heads of 61 layers.
    _, latent = prefill_operations(known("DeepSeek-V3"), 100)
    assert latent == 5050 * 2 * (192 + 128) * 128 * 61


@given(
    st.lists(
        st.builds(
            LayerCache,
            kind=st.just("full"),
            layers=st.integers(1, 80),
            per_token=st.integers(0, 8192),
            window=st.none() | st.integers(1, 9000),
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(-(10**6), 10**13),
    st.sampled_from([*CACHE_BITS]),
    st.integers(1, 9),
)
def test_one_more_token_than_the_longest_text_has_no_room(caches, room, kind, batch) -> None:
    def size(tokens: int) -> float:
        return batch * sum(one.size(tokens, CACHE_BITS[kind]) for one in caches)

    most = longest_text(caches, room, kind, batch)
    assert 0 <= most < LONGEST
    assert most == 0 or size(most) <= room
    assert most == LONGEST - 1 or size(most + 1) > room


@pytest.mark.parametrize("batch", [1, 8])
def test_the_longest_text_is_the_last_that_fits(batch: int) -> None:
    for name, kind in (("Qwen3-8B", "bfloat16"), ("Gemma-3-12B", "fp8")):
        config = known(name)
        found = needs(config, 4096, kind, "bfloat16", batch).longest
        assert {one.card.name for one in found} >= {"H200", "B200"}
        for one in found[::5]:
            for tokens, holds in ((one.tokens, True), (one.tokens + 1, False)):
                cards = needs(config, tokens, kind, "bfloat16", batch).cards
                (fit,) = (fit for fit in cards if fit.card == one.card)
                assert (fit.cards is not None and fit.cards <= one.cards) == holds, one


def test_cards_hold_what_they_hold() -> None:
    card = Card("made up", 100)
    room = int(100 * GIB * (1 - KEPT))
    for weights, cache in ((room - 5, 5), (room, 0)):
        (fit,) = fits(weights, cache, (8, 8), (card,))
        assert (fit.cards, fit.left, fit.weights, fit.cache) == (1, 0, weights, cache)
    assert fits(room, 2, (8, 8), (card,))[0].cards == 2
    # Two key/value heads cannot be split in more than two parts, a latent not at all.
    assert fits(0, 4 * room, (8, 8), (card,))[0].cards == 4
    # Machines of eight split by layers, whatever the heads.
    assert fits(0, 4 * room, (8, 2), (card,))[0].cards == 16
    assert fits(0, 2 * room, (8, 1), (card,))[0].cards == 16
    (fit,) = fits(0, 5 * room, (8, 1), (card,))
    assert (fit.cards, fit.tried, fit.machines, fit.left) == (
        None,
        32,
        4,
        room - (5 * room + 3) // 4,
    )
    assert [one.gib for one in CARDS] == sorted(one.gib for one in CARDS)


@pytest.mark.parametrize(
    ("cards", "heads", "kv_heads", "tensor"),
    [
        (8, 28, 4, 4),  # Qwen2-7B, vllm-project/vllm issue 11797
        (8, 52, 52, 4),  # issue 2652
        (3, 40, 40, 1),  # issue 596
        (8, 40, 10, 2),  # Phi-3-medium
        (8, 64, 8, 8),
        (16, 128, 1, 8),  # a latent, over two machines
        (6, 12, 12, 6),
    ],
)
def test_cards_share_a_layer_where_its_heads_divide(
    cards: int, heads: int, kv_heads: int, tensor: int
) -> None:
    assert split(cards, heads, kv_heads) == Split(tensor, cards // tensor)


@given(*(st.integers(1, n) for n in (64, 130, 130)))
def test_every_split_is_one_that_engines_take(cards: int, heads: int, kv_heads: int) -> None:
    lies = split(cards, heads, kv_heads)
    assert lies.tensor * lies.stages == cards
    assert lies.tensor <= 8
    assert heads % lies.tensor == 0
    assert kv_heads % lies.tensor == 0 or lies.tensor % kv_heads == 0


def test_heads_that_eight_cards_cannot_share_lie_on_four_twice() -> None:
    def asked(tokens: int) -> AskedAbout:
        about = needs(known("Qwen2.5-7B-Instruct"), tokens, gpus=(CARDS[1], 8)).asked
        assert about is not None
        return about

    qwen = asked(32768)
    # 28 query heads: four cards share a layer, and each four have half of the layers.
    assert (qwen.fit.split, qwen.fit.tried) == (Split(4, 2), 8)
    assert qwen.fit.cache == needs(known("Qwen2.5-7B-Instruct"), 32768).cache // 8
    assert asked(qwen.longest).fit.left >= 0
    assert asked(qwen.longest + 1).fit.left < 0


def test_everything_at_once() -> None:
    cost = needs(known("Llama-3.1-8B"), 131072)
    assert cost.cache == 16 * GIB
    found = {fit.card.name: fit.cards for fit in cost.cards}
    # 15.0 GiB of weights and 16 of cache: above nine tenths of 32, below those of 40.
    assert (found["RTX 5090"], found["A100 40GB"]) == (2, 1)
    assert cost.missing == ""


def test_where_engines_keep_more_the_number_is_ideal() -> None:
    scout = needs(known("Llama-4-Scout"), 10**6)
    assert scout.cache / GIB == pytest.approx(46.9, abs=0.05)
    # 48 layers, 8 heads of 128 channels: vLLM keeps every token in all of them.
    assert f"vLLM {48 * 8 * 128 * 2 * 2 * 10**6 / GIB:,.1f} GiB" in scout.kept
    gemma = needs(known("Gemma-3-12B"), 131072, batch=2)
    assert "llama.cpp --swa-full 96.0 GiB" in gemma.kept
    assert needs(known("Llama-3.1-8B"), 1000).kept is None
    for name, word in (("Llama-4-Scout", ", ideally."), ("Llama-3.1-8B", "bfloat16.")):
        assert decide(known(name), 131072).sentence.endswith(word)
        assert decide(known(name), 131072, batch=2).sentence.endswith(word)


@pytest.mark.parametrize(
    ("file", "length", "words"),
    [
        ("T5", 512, "the type t5 keeps in memory is not known"),
        (f'{LLAMA}, model_type="frobnicate"', 512, "the type frobnicate keeps in memory is not"),
        ("Llama-2-7B", 0, "length must be an integer from 1 to"),
        (f'{LLAMA}, num_key_value_heads="many"', 512, "num_key_value_heads must be"),
        (
            f'{LLAMA}, model_type="qwen3", num_hidden_layers=2, layer_types=["full_attention","x"]',
            512,
            "layer of the kind 'x' keeps is not known",
        ),
        (
            '{"model_type":"gemma3n_text","num_hidden_layers":13}',
            100,
            "num_kv_shared_layers must be below the 13 layers",
        ),
    ],
)
def test_what_is_not_known_is_said(file: str, length: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cache_bytes(read(file), length)


def test_an_encoder_keeps_no_cache() -> None:
    for name, kind in (("ModernBERT-base", "modernbert"), ("BERT-base", "bert")):
        said = decide(known(name)).missing
        assert said.startswith(f"{kind} is an encoder: it reads the whole text at once")
    decoder = RopeConfig.from_hf({**known_models()["BERT-base"].config, "is_decoder": True})
    assert "is not known" in decide(decoder).missing


def test_a_value_without_a_width_has_that_of_a_head() -> None:
    """transformers 5.23, models/minicpm3/configuration_minicpm3.py: hidden_size // heads."""
    file = {
        "model_type": "minicpm3",
        "hidden_size": 2560,
        "intermediate_size": 6400,
        "num_attention_heads": 40,
        "num_hidden_layers": 62,
        "q_lora_rank": 768,
        "kv_lora_rank": 256,
        "qk_nope_head_dim": 64,
        "qk_rope_head_dim": 32,
        "max_position_embeddings": 32768,
        "vocab_size": 73448,
    }
    weights = count_weights(RopeConfig.from_hf(file))
    assert weights == count_weights(RopeConfig.from_hf({**file, "v_head_dim": 64}))
    assert 4.0e9 < weights.total < 4.1e9  # MiniCPM3-4B
