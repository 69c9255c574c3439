"""The page of the chapter, and what its words count on."""

import json
import re

from course.chapters import FOLDER
from course.page.words import chapter

PICTURE = (FOLDER / "why_rope" / "picture.js").read_text("utf-8")


def test_the_page_has_the_words_and_clocks_of_the_picture() -> None:
    words = chapter("why_rope").labels["story"].split()
    assert len(words) == 400
    asked = chapter("why_rope").labels["asked"]
    back = sorted(399 - at for at, word in enumerate(words) if word.strip(".,") == asked)
    (wanted,) = re.findall(r"CLOCK = (\d+);", PICTURE)
    (listed,) = re.findall(r"CLOCKS = (\[.*?\]);", PICTURE)
    assert back == json.loads(listed.replace("CLOCK", wanted))
    assert words[-1].isalpha()
