"""What the chapter says of models with memories, beside their own classes, and of trained gates."""

import json

import torch
from transformers import (
    KimiLinearConfig,
    KimiLinearForCausalLM,
    PreTrainedModel,
    Qwen3NextConfig,
    Qwen3NextForCausalLM,
)

from course.chapters import FOLDER
from course.chapters.forget_gates.data import (
    KIMI_LINEAR,
    LENGTH,
    SHOWN,
    TRAINED,
    data,
    gates_of,
    kinds_of,
    measured,
)
from lab.model.forgetting import forgetting_model
from lab.spec import text_spec
from lab.tasks.corpus import VOCAB
from lab.training.loop import Trainer

TOLD = json.loads((FOLDER / "forget_gates" / "told.json").read_text("utf-8"))
SMALL = {
    "vocab_size": 64, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 4,
    "num_attention_heads": 2, "num_key_value_heads": 2, "pad_token_id": 0,
    "attn_implementation": "eager",
}  # fmt: skip


def kimi_linear(**sizes: object) -> KimiLinearConfig:
    """A configuration with the list of layers that the released file has."""
    full = KIMI_LINEAR["full"]
    layers = int(sizes.get("num_hidden_layers", KIMI_LINEAR["layers"]))  # type: ignore[call-overload]
    kinds = {
        "full_attn_layers": [one for one in full if one <= layers],
        "kda_layers": [one for one in range(1, layers + 1) if one not in full],
        "num_heads": 2,
        "head_dim": 16,
        "short_conv_kernel_size": 4,
    }
    return KimiLinearConfig(**sizes, linear_attn_config=kinds)


def of_kind(layer_types: list[str]) -> list[int]:
    return [at + 1 for at, kind in enumerate(layer_types) if kind == "full_attention"]


def test_layers_are_those_of_the_models() -> None:
    qwen, kimi = data()["models"]
    theirs = Qwen3NextConfig()
    assert qwen["full"] == of_kind(theirs.layer_types)
    assert qwen["layers"] == theirs.num_hidden_layers == 48
    assert qwen["turned"] == theirs.rope_parameters["partial_rotary_factor"] == 0.25
    assert theirs.linear_conv_kernel_dim == KimiLinearConfig().linear_conv_kernel_dim == 4
    assert kimi["layers"] == KimiLinearConfig().num_hidden_layers
    assert kimi["full"] == of_kind(kimi_linear().layer_types)
    assert TOLD["where"]["after"] == {"full_qwen": "12"}
    assert TOLD["where"]["at"] == {"full_kimi": "7", "layers_kimi": "27"}


@torch.no_grad()
def moved_by(model: PreTrainedModel) -> float:
    """Change of the logits when the position numbers are others, and the text is the same."""
    ids = torch.arange(1, 13)[None]
    mask = torch.ones_like(ids)
    places = torch.arange(12)[None]
    said = [
        model(ids, attention_mask=mask, position_ids=one).logits
        for one in (places, places.flip(1) * 7 + 3)
    ]
    return float((said[0] - said[1]).abs().max())


def test_position_numbers_move_qwen3_next_and_leave_kimi_linear() -> None:
    torch.manual_seed(0)
    experts = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16}
    qwen = Qwen3NextForCausalLM(
        Qwen3NextConfig(
            **SMALL, **experts, head_dim=16, linear_num_key_heads=2, linear_num_value_heads=2,
            linear_key_head_dim=16, linear_value_head_dim=16, shared_expert_intermediate_size=16,
        )
    )  # fmt: skip
    kimi = KimiLinearForCausalLM(
        kimi_linear(
            **SMALL, num_local_experts=2, num_experts_per_tok=1, moe_intermediate_size=16,
            kv_lora_rank=16, q_lora_rank=None, qk_nope_head_dim=16, qk_rope_head_dim=8,
            v_head_dim=16, n_group=1, topk_group=1,
        )
    )  # fmt: skip
    for model in (qwen, kimi):
        for name, weights in model.named_parameters():
            if weights.dim() > 1 and "conv" not in name:
                torch.nn.init.normal_(weights, std=weights.shape[-1] ** -0.5)
        model.eval()
    assert moved_by(kimi) == 0
    assert moved_by(qwen) > 0.01


def test_gates_are_wide_open_as_training_begins() -> None:
    model = forgetting_model(text_spec("nope"), VOCAB)
    gates = gates_of(model, torch.randint(32, 127, (8, LENGTH)))
    assert gates.shape == (8, 8, LENGTH)
    assert gates.mean() > 0.85


def test_a_training_goes_on_with_the_model_that_it_is_given() -> None:
    spec = text_spec("nope", seed=5).model_copy(update={"updates": 3, "tokens_per_update": 128})
    trainer = Trainer(spec, forgetting_model(spec, VOCAB))
    before = trainer.model.layers[0].self_attn.forget.weight.detach().clone()  # type: ignore[union-attr]
    while not trainer.done:
        trainer.advance()
    moved = trainer.model.layers[0].self_attn.forget.weight - before  # type: ignore[union-attr]
    assert moved.abs().max() > 0
    found = measured([trainer.model])
    assert len(found["text"]) == SHOWN == len(found["gates"][0])


def test_kinds_of_bytes_are_all_bytes_once() -> None:
    every = torch.arange(VOCAB)
    kinds = torch.stack(kinds_of(every))
    assert torch.equal(kinds.sum(0), torch.ones_like(every))
    ends, spaces, letters, _ = ([chr(one) for one in every[kind]] for kind in kinds)
    assert (ends, spaces) == (["\n"], [" "])
    assert all(one.isalpha() and one.isascii() for one in letters)
    assert len(letters) == 52


def test_every_model_has_heads_that_forget_at_different_signs() -> None:
    found = json.loads(TRAINED.read_text("utf-8"))
    kinds = torch.tensor(found["kinds"]).view(found["trained"], -1, 4)
    ends, spaces = kinds[..., 0], kinds[..., 1]
    assert ((ends < 0.1).sum(1) >= 1).all(), "heads that shut at a line's end"
    assert ((ends > 0.9) & (spaces < 0.1)).any(1).all(), "and one that shuts at spaces instead"
