"""The words of the app in the reader's language.

Texts are written in English where they are used, and looked up here:

- `_("Sentence")` and `_("{count:,} tokens", count=n)` tell a text at once, for what is drawn now;
- `plural("{count} word", "{count} words", n)` does so for a number of things;
- `say(...)` (from `posenc.words`) is for what is drawn later or somewhere else: a constant of a
  module, what the library returns or raises, anything that is cached. `translate` tells it;
- `markdown` tells an error, or a sentence of `say` with what a reader typed, where Markdown is
  read (`st.error`, `st.warning`, `st.info`, `st.caption`): what was typed is then shown as it is;
- `latex` tells the words inside a formula.
"""

import plots.words
from ui.words.languages import PARAMETER as PARAMETER
from ui.words.languages import asked_language as asked_language
from ui.words.languages import choose_language as choose_language
from ui.words.languages import language as language
from ui.words.languages import settle_screen as settle_screen
from ui.words.numbers import exact as exact
from ui.words.numbers import minus as minus
from ui.words.numbers import number as number
from ui.words.numbers import rounded as rounded
from ui.words.numbers import separators as separators
from ui.words.telling import _ as _
from ui.words.telling import as_text as as_text
from ui.words.telling import fill as fill
from ui.words.telling import latex as latex
from ui.words.telling import markdown as markdown
from ui.words.telling import plural as plural
from ui.words.telling import signed as signed
from ui.words.telling import translate as translate
from ui.words.telling import unlinked as unlinked

plots.words.tell = _
