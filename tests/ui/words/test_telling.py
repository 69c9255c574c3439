"""Sentences in the language of a session: values, plurals, formulas, sessions side by side."""

import re
from collections.abc import Iterator

import pytest
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from posenc.quantity.step import no_value, words
from posenc.words import say, say_count
from tests.conftest import PATIENCE
from ui.words import _, fill, languages, latex, markdown, numbers, plural, telling, translate
from ui.words.pseudo import NAME as MADE_UP
from ui.words.pseudo import pseudo

GERMAN = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "1,234.5"
msgstr "1.234,5"

msgid "{tokens:,} tokens of {name}"
msgstr "{name}: {tokens:,} Token"

msgid "the key"
msgstr "der Schlüssel"

msgid "{count:,} word"
msgid_plural "{count:,} words"
msgstr[0] "{count:,} Wort"
msgstr[1] "{count:,} Wörter"

msgid "nothing, because the pair does not turn"
msgstr "nichts, denn das Paar dreht sich nicht"

msgid "place {0} takes channel {1}"
msgstr "Kanal {1} kommt an Platz {0}"

msgid "terms"
msgstr "Summanden"
"""


@pytest.fixture
def german(tmp_path, monkeypatch) -> Iterator[None]:
    """A second language, and a session that speaks it."""
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "messages.po").write_text(GERMAN, "utf-8")
    monkeypatch.setattr(languages, "LOCALES", tmp_path)
    monkeypatch.setattr(telling, "language", lambda: "de")
    monkeypatch.setattr(numbers, "language", lambda: "de")
    caches = (languages.catalogue, numbers.separators)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def test_outside_a_session_english_is_told() -> None:
    assert _("{n:,} tokens", n=16384) == "16,384 tokens"
    assert plural("{count} word", "{count} words", 1) == "1 word"
    assert translate(say("the key")) == "the key"
    assert type(translate(say("the key"))) is str
    assert latex(r"\text{ terms}") == r"\text{ terms}"


def test_a_template_is_looked_up_and_filled_anew(german: None) -> None:
    assert _("{tokens:,} tokens of {name}", tokens=16384, name="x") == "x: 16.384 Token"
    assert numbers.number(-1234.5, ",.2f") == "−1.234,50"
    assert fill("{p:.1f} %", {"p": 2.5}, "de") == "2,5 %"


def test_values_that_are_sentences_or_errors_are_told_too(german: None) -> None:
    key = say("the key")
    assert _("{tokens:,} tokens of {name}", tokens=1, name=key) == "der Schlüssel: 1 Token"
    error = ValueError(key)
    assert translate(error) == "der Schlüssel"
    assert _("{error} Using {n:.1f}.", error=error, n=0.5) == "der Schlüssel Using 0,5."


def test_plurals_follow_the_language(german: None) -> None:
    assert translate(say_count("{count:,} word", "{count:,} words", 1)) == "1 Wort"
    assert plural("{count:,} word", "{count:,} words", 2000) == "2.000 Wörter"


def test_texts_that_are_no_sentences_stay(german: None) -> None:
    assert translate("the key") == "the key"
    assert translate(ValueError("the key")) == "the key"


def test_words_of_formulas_are_told(german: None) -> None:
    assert latex(r"a + \dots\;(16{,}384\text{ terms})") == (
        r"a + \dots\;(16{.}384\text{ Summanden})"
    )
    reason = no_value("y", "nothing, because the pair does not turn").formula
    assert latex(reason) == words("nichts, denn das Paar dreht sich nicht")
    place = words("place {0} takes channel {1}", 3, 0.5)
    assert latex(place) == words("Kanal {1} kommt an Platz {0}", 3, "0{,}5")
    assert latex(r"\text{terms}\text{: }x") == r"\text{Summanden}\text{: }x"
    assert latex(r"\frac{\text{other}}{x}") == r"\frac{\text{other}}{x}"


def test_the_made_up_language_leaves_values_alone(monkeypatch) -> None:
    monkeypatch.setattr(telling, "language", lambda: MADE_UP)
    told = _("{n:,} tokens of `code` and **{name}** at [a](b.html)", n=16384, name="dog")
    assert "16,384" in told
    assert "`code`" in told
    assert "**dog**" in told
    assert "](b.html)" in told
    assert "tokens" not in told
    assert " " not in pseudo("a label of some length")
    assert len(pseudo("a label of some length")) >= 4 / 3 * len("a label of some length") - 2


def test_the_made_up_language_counts_with_three_forms(monkeypatch) -> None:
    monkeypatch.setattr(telling, "language", lambda: MADE_UP)
    told = [plural("{count} word", "{count} words", n) for n in (1, 21, 2, 34, 5, 11, 12)]
    one, few, many = "ŵóóřď", "ŵóóóřďš", "ŵóóřďš"
    assert told[:4] == [f"1 {one}", f"21 {one}", f"2 {few}", f"34 {few}"]
    assert told[4:] == [f"{n} {many}" for n in (5, 11, 12)]
    assert pseudo("[[n]] [[n?word|words]]") == f"[[n]] [[n?{one}|{few}|{many}|{few}]]"


@pytest.mark.parametrize(
    "kept",
    [
        "{value:.3g}",
        "%{y:.6~g}",
        r"$\frac{q}{\sqrt{d}}$",
        "$$softmax$$",
        "`posenc.rope`",
        "<br>",
        "<sub>",
        "&lt;",
        "](https://arxiv.org/abs/1)",
        ":material/tune:",
        "1,234.5",
    ],
)
def test_the_made_up_language_keeps(kept: str) -> None:
    assert pseudo(kept) == kept
    assert kept in pseudo(f"some words [x{kept} and more")


def test_the_made_up_language_tells_the_words_in_formulas() -> None:
    assert pseudo(r"$\text{terms}_x$") == rf"$\text{{{pseudo('terms')}}}_x$"


CACHED = """
import streamlit as st
from posenc.words import say
from ui.words import _, translate

@st.cache_data
def sentence(n):
    return say("{n:,} tokens", n=n)

@st.cache_data
def told(n):
    return _("{n:,} tokens", n=n)

st.text(translate(sentence(3)))
told(4)
"""


def test_a_cached_function_returns_sentences_and_never_words() -> None:
    app = AppTest.from_string(CACHED, default_timeout=PATIENCE).run()
    assert app.text[0].value == "3 tokens"
    assert len(app.exception) == 1


HOSTILE = "[x](https://evil.example) ![i](y) **b** _e_ <b>h</b> $x^2$ `c` :red[r] :smile: www.e.org"


def test_what_was_typed_is_shown_as_text_where_markdown_is_read():
    """Each mark is read as Markdown reads it: none of the stranger's is left one."""
    shown = markdown(say("got {typed}; see *Jobs* and `{typed}`.", typed=HOSTILE))
    html = MarkdownIt("commonmark").render(shown)
    assert html.count("<em>") == 1
    assert html.count("<code>") == 1
    for tag in ("<a", "<img", "<strong", "<b>"):
        assert tag not in html
    outside, code = shown.rsplit("`", 2)[0], shown.rsplit("`", 2)[1]
    for link in ("https://", "www.", ":red", ":smile"):
        assert link not in outside
        assert link in code
    assert "$" not in re.sub(r"\\\$", "", outside)


def test_words_that_are_no_sentence_are_text_too():
    assert markdown(ValueError("head_dim must be *even*")) == r"head_dim must be \*even\*"
    inner = say("{name} is {value:,}", name="n_head", value=12345)
    assert markdown(say("{error} Using {default}.", error=inner, default="a|b")) == (
        r"n_head is 12,345 Using a\|b."
    )
    assert markdown(say_count("{count} `{id}`", "{count} of `{id}`", 2, id="a_b*")) == "2 of `a_b*`"


def test_symbols_are_symbols_in_every_language() -> None:
    assert pseudo("query  q = x W<sub>Q</sub>").endswith(" q = x W<sub>Q</sub>")
    assert pseudo("softmax(QKᵀ / √dₖ) V").endswith("(QKᵀ / √dₖ) V")
    assert "a " not in pseudo("a key")  # a word of one letter
