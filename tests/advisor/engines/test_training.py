"""Examples in docs/training.md agree with the settings written today."""

import json
import re
from pathlib import Path

from advisor.decision import decide
from advisor.engines.all import settings
from advisor.engines.engine import Serving
from tests.kinds import known

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "training.md"


def test_the_file_is_what_is_advised() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    before = known("Qwen3-8B")
    after = decide(before, 131072).choice.config
    assert after is not None
    written = settings(after, "transformers_5", before, Serving(length=131072)).text
    assert json.loads(shown) == json.loads(written)
