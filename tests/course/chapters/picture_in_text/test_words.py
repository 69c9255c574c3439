"""Numbers that the chapter says, beside those of the models' own classes."""

import json

from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLModel

from course.chapters import FOLDER
from course.chapters.picture_in_text.data import data
from posenc import split_video
from tests.posenc.rope.test_mrope import ids_of

TOLD = json.loads((FOLDER / "picture_in_text" / "told.json").read_text("utf-8"))


def test_pictures_and_words_stand_where_models_put_them() -> None:
    told = {name: int(value) for name, value in TOLD["next"]["at"].items()}
    for model in (Qwen2VLModel, Qwen2_5_VLModel, Qwen3VLModel):
        ids, _ = ids_of(model, [3, (1, 4, 6), 3])
        rows, columns = ids[1:, 3:-3]
        assert [int(ids[0, 3]), int(rows[-1]), int(columns[-1])] == [
            told[name] for name in ("start", "last_row", "last_column")
        ]
        assert ids[:, -3].tolist() == [told["past_columns"]] * 3
        assert ids.shape[1] - 3 == told["past_patches"]
        square, _ = ids_of(model, [3, (1, 4, 3), 1])
        assert square[:, -1].tolist() == [7, 7, 7]


def test_sheets_of_a_film_get_the_t_that_the_words_say() -> None:
    film = [3, (3, 4, 6)]
    assert ids_of(Qwen2VLModel, film)[0][0, 3::24].tolist() == [3, 4, 5]
    assert ids_of(Qwen2_5_VLModel, film, 2.0)[0][0, 3::24].tolist() == [3, 7, 11]
    apart, _ = ids_of(Qwen3VLModel, [3, *split_video(3, 4, 6, 2), 3])
    assert apart[0, [5, 31, 57, -3]].tolist() == [5, 13, 21, 27]


def test_sections_are_those_of_the_words() -> None:
    found = data()
    assert found["blocks"]["sections"] == [16, 24, 24]
    assert found["interleaved"]["sections"] == [24, 20, 20]
    assert len(found["blocks"]["axes"]) == len(found["interleaved"]["axes"]) == 64
