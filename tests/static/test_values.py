import json

import pytest
import torch

from tests.static.values import FOLDER, VALUES


@pytest.mark.parametrize("name", VALUES)
def test_what_javascript_is_compared_with_is_what_posenc_computes(name: str) -> None:
    kept = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    computed = VALUES[name]()
    assert kept.keys() == computed.keys()
    for key, values in computed.items():
        torch.testing.assert_close(
            torch.tensor(kept[key], dtype=torch.float64),
            torch.tensor(values, dtype=torch.float64),
            rtol=0,
            atol=1e-14,
        )


def test_every_test_in_javascript_has_its_values_from_here() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(VALUES)
    assert {path.name.split(".")[0] for path in FOLDER.glob("*.test.js")} >= set(VALUES)
