"""Models in folders: found, converted, opened, and refused in a sentence."""

import json
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from models.files.find import PACKAGE, Found, found, installed
from models.files.gguf import converted
from models.forward import forward
from models.home import Home
from models.opened import open_model
from posenc.rope.layouts import convert_projection
from tests.conftest import PATIENCE
from tests.models import tiny

IDS = [3, 141, 59, 26, 53, 58, 97, 93, 23, 84, 62, 64]


def test_the_environment_is_read() -> None:
    home = Home.from_environment(
        {"POSENC_MODELS_HOME": "some", "POSENC_MODELS_MAX_MEMORY": "5000000"}
    )
    assert (home.folder, home.max_memory) == (Path("some").absolute(), 5_000_000)
    assert not home.without_installed
    assert Home.from_environment({"POSENC_NO_MODEL": "1"}).without_installed
    with pytest.raises(ValueError, match="POSENC_MODELS_MAX_MEMORY is 'much'"):
        Home.from_environment({"POSENC_MODELS_MAX_MEMORY": "much"})


def test_the_installed_model_is_found_unless_it_is_left_out(tmp_path: Path) -> None:
    one = installed(Home(tmp_path))
    assert one is not None
    assert one.is_gguf
    assert one.path.parent.name == PACKAGE
    assert installed(Home(tmp_path, without_installed=True)) is None


def test_models_of_folders_are_found(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", without_installed=True)
    assert found(home) == {}
    tiny.save("llama", home.folder / "owner--name")
    (home.folder / "file.gguf").touch()
    (home.folder / "converted").mkdir()
    other = tiny.save("gpt2", tmp_path / "more" / "mine")
    assert found(home, [other.parent]) == {
        "file": Found("file", "file", home.folder / "file.gguf"),
        "owner--name": Found("owner--name", "owner/name", home.folder / "owner--name"),
        "mine": Found("mine", "mine", other),
    }


def write_gguf(folder: Path, file: Path, joined: str = "ab") -> None:
    """The tiny Llama of a folder as llama.cpp's converter writes one, q and k interleaved."""
    config = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_name("Tiny")
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = sorted(tokenizer["model"]["vocab"].items(), key=lambda pair: pair[1])
    writer.add_tokenizer_model("gpt2")
    # A vocabulary without a merge is none: the last byte gives its place to "ab".
    writer.add_token_list([*(char for char, _ in vocabulary[:-1]), joined])
    writer.add_token_types([1] * len(vocabulary))
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(7)
    writer.add_add_bos_token(True)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config["num_hidden_layers"])
    for name, tensor in load_file(folder / "model.safetensors").items():
        if "q_proj" in name or "k_proj" in name:
            tensor = convert_projection(tensor, config["head_dim"], to="interleaved")
        short = names.get_name(name, try_suffixes=(".weight",))
        writer.add_tensor(short, tensor.to(torch.float16).float().numpy().astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_gguf_is_converted_once_and_reads_as_its_model(tmp_path: Path) -> None:
    folder, file = tiny.save("llama", tmp_path / "tiny"), tmp_path / "tiny.gguf"
    write_gguf(folder, file)
    home, parts = Home(tmp_path / "home"), []
    model = open_model(Found("tiny", "Tiny", file), home, progress=parts.append)
    assert parts == sorted(parts)
    assert (parts[0], parts[-1]) == (0.0, 1.0)
    own = open_model(Found("own", "Own", folder), home)
    one, other = (forward(m, IDS).logits(0, len(IDS)) for m in (model, own))
    # Weights in float16: eleven bits.
    assert (one - other).abs().max() < 0.02 * other.std()
    assert model.tokens("cab").ids == [7, *own.tokens("c").ids, 255]
    assert [path.name for path in (home.folder / "converted").iterdir()] == [
        converted(file, home).name
    ]


@pytest.mark.slow
def test_one_of_many_at_once_converts_the_model(tmp_path: Path) -> None:
    """Each of two replicas took 36 s of a core for it."""
    write_gguf(tiny.save("llama", tmp_path / "tiny"), tmp_path / "tiny.gguf")
    program = """
import sys
import time
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import Barrier

from models.files import gguf
from models.files.find import Found
from models.home import Home
from models.opened import open_model

folder, number = Path(sys.argv[1]), sys.argv[2]
convert = gguf._convert

def noted(*about):
    with (folder / "conversions").open("a") as file:
        file.write(number)
    convert(*about)

gguf._convert = noted
together = Barrier(6)
(folder / f"replica {number}").touch()
while len(list(folder.glob("replica *"))) < 2:
    time.sleep(0.01)

def first(number):
    together.wait()
    found = Found("tiny", "Tiny", folder / "tiny.gguf")
    return open_model(found, Home(folder / "home")).title

assert ThreadPool(6).map(first, range(6)) == 6 * ["Tiny"]
"""
    replicas = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), number]) for number in "12"
    ]
    assert [one.wait(PATIENCE) for one in replicas] == [0, 0]
    assert (tmp_path / "conversions").read_text() in ("1", "2")
    assert len(list((tmp_path / "home" / "converted").iterdir())) == 1


def test_the_installed_weights_are_the_files_in_halves() -> None:
    one = installed()
    assert one is not None
    folder = converted(one.path, Home.from_environment())
    weights = load_file(folder / "model.safetensors")
    assert sum(tensor.numel() for tensor in weights.values()) == 134_515_008
    stored = {tensor.name: tensor for tensor in gguf.GGUFReader(one.path).tensors}
    names = {
        "blk.7.attn_q.weight": "model.layers.7.self_attn.q_proj.weight",
        "blk.7.attn_k.weight": "model.layers.7.self_attn.k_proj.weight",
    }
    for short, name in names.items():
        tensor = stored[short]
        own = torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type))
        half = convert_projection(own, 64, to="half").to(torch.float16)
        assert torch.equal(weights[name], half)
        assert not torch.equal(weights[name], own.to(torch.float16))


def test_what_cannot_be_opened_is_refused_in_a_sentence(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", max_memory=10_000)

    def refusal(path: Path, home: Home = home) -> str:
        with pytest.raises(ValueError, match=r"\w") as caught:
            open_model(Found("x", "X", path), home)
        return str(caught.value)

    (tmp_path / "bad.gguf").write_bytes(b"GGUF" + bytes(100))
    assert refusal(tmp_path / "bad.gguf").startswith("bad.gguf cannot be read as a GGUF file:")
    write_gguf(tiny.save("llama", tmp_path / "some"), tmp_path / "merges.gguf", joined="other")
    assert "Token `ab` out of vocabulary" in refusal(tmp_path / "merges.gguf", Home(tmp_path))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert refusal(empty) == "empty has no config.json that can be read."
    (empty / "config.json").write_text('{"model_type": "nobody", "head_dim": 8}')
    assert refusal(empty).startswith(
        "empty is of the family 'nobody', which cannot be opened here."
    )
    large = tiny.save("llama", tmp_path / "large")
    assert "set POSENC_MODELS_MAX_MEMORY to allow more" in refusal(large)
    (large / "model.safetensors").write_bytes(b"nothing")
    assert refusal(large).startswith("model.safetensors is not a safetensors file:")
    (large / "model.safetensors").rename(large / "pytorch_model.bin")
    assert "Other formats can run code" in refusal(large)
    words = tiny.save("llama", tmp_path / "words")
    (words / "tokenizer.json").write_text("{}")
    assert refusal(words, Home(tmp_path)).startswith("The tokenizer.json of words cannot be read:")
    (words / "tokenizer.json").unlink()
    assert refusal(words, Home(tmp_path)).startswith("words has no tokenizer.json")


def test_a_large_file_is_refused_before_it_is_dequantised(tmp_path: Path) -> None:
    folder, file = tiny.save("llama", tmp_path / "tiny"), tmp_path / "tiny.gguf"
    write_gguf(folder, file)
    home = Home(tmp_path / "home", max_memory=10_000)
    with pytest.raises(ValueError, match=r"The weights of tiny\.gguf need [\d,]+ bytes"):
        converted(file, home)
    assert list((home.folder / "converted").iterdir()) == []
