"""Every screen in the made-up language: no plain English is left, and longer labels still fit.

The made-up language has an accent on every letter and is a third longer. So a run of plain letters
is a text that nobody has wrapped, and what is cut off has no room for a longer language.
"""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from models.measuring.texts import TEXTS as TEXT_IDS
from tests.browser.conftest import WIDE, answered, settle, turn_to, until
from tests.browser.test_screens_browser import SIZES, path_of, visit
from tests.conftest import PATIENCE
from ui.words.pseudo import NAME as MADE_UP

pytestmark = pytest.mark.browser

WRAPPED = {
    "rope": {"text": "α β γ δ", "bad": "view=x&head_dim=7&method=x"},
    "side_by_side": {"text": "α β γ δ ε ζ", "bad": "view=matrices&a=x&head=9&panels_at=x"},
    "live_attention": {"text": "α β γ δ ε ζ", "bad": "encoding=x&stage_matrix_cell=x"},
    "home": {"bad": "encoding=x"},
    "mrope": {"bad": "view=x&rows=0&frames=x&positions_point=9,9"},
    "cope": {"text": "α β γ δ", "bad": "max_positions=1&gates=x&positions_cell=9"},
    "kv_cache": {"text": "α β γ δ", "bad": "view=x&decoding_step=99&attention_cell=9"},
    "pitfalls": {"bad": "pitfall=x&wrong_and_right_at=y"},
    "verified": {"bad": "view=x&recorded_point=999"},
    "why_position": {"text": "α β γ δ", "bad": "seed=x&shuffle=-1&output_at=7"},
    "absolute": {"bad": "layout=x&d_model=0&length=-1&table_cell=9&table_window=x"},
    "relative": {"bad": "view=padding&ids=1.5&padding=-1&seed=x"},
    "alibi": {"bad": "view=x&mode=x&num_heads=0&length=7&bias_cell=9"},
    "forget_gates": {"text": "α β . γ", "bad": "view=x&gates=y&gate=2&shut=0&head_dim=3"},
    "measured": {"bad": "view=distance&length=9&curves=x&recall_by_distance_point=7"},
    "lab": {"bad": "view=x&times=3&recall_point=7"},
    "own": {"bad": "own_point=7&methods=x"},
    "config": {"bad": "view=x&trained_length=5&wavelengths_point=9,9&methods=x"},
    "scaling": {"bad": "view=x&head_dim=2&rotary_dim=3&methods=ntk"},
    "units": {"bad": "unit=x&value=0.5&slowed_point=9,9"},
}
"""Screens whose words are wrapped: what is typed for `text`, and an address with mistakes."""

NAMES = """
RoPE xPos ALiBi NoPE YaRN NTK CoPE FIRE Kerple Sandwich Shaw XPos T5 LongRoPE Llama GPT BLOOM
MPT Qwen Mistral Gemma DeepSeek Phi vLLM llama.cpp CSV NPZ HTML PNG SVG JSON CPU CUDA GPU UTF
FoX Python Transformer Transformer-XL float64 float32 bfloat16 float16 cuda cpu mps posenc
Instruct Yarn mini llama transformers koboldcpp python torch Vaswani Shazeer Uszkoreit Haviv
Kazemnejad Press Raffel Dai Su Peng Chi Li Sun Golovneva Huang Devlin Liu Chen Touvron Smith
Lewis Kiyono Gehring Ke He Chang Ding Zhang Wang Jin Xiao al arXiv Attention HuggingFace
EleutherAI NeoX GitHub BERT XLNet LongT WavLM StreamingLLM float MiB KiB GiB TiB GFLOP TFLOP
PFLOP EFLOP RTX PRO Ada torchtune Torchtune
"""
SAME = {*TEXT_IDS, *NAMES.split()}
"""Words that are the same in every language: encodings, models, formats, authors."""

# Everything that can be read or heard: texts, names for screen readers, hints in empty fields, and
# of the charts what is only seen when something is hovered. Code and the symbols of formulas are
# no words; the words inside formulas are. What Streamlit says by itself is not ours.
TEXTS = r"""() => {
  const skip = 'code, pre, script, style, [data-testid=stHeader] [data-testid=stToolbar],'
    + ' .katex-mathml, [data-testid=stStatusWidget], [data-testid=stSkeleton],'
    + ' [data-testid=InputInstructions],'
    + ' [data-testid=stAlertContentError]'; // the library's errors are plain English
  const theirs = new RegExp('^(\\d+ options? available|Skip to main|Increment|Decrement|Increase|'
    + 'Decrease|Clear|Open|Close|'
    + 'Help|Select|Show|Hide|Add|Remove|Collapse|Expand|Choose an option|Choose options|'
    + 'Upload$|Upload a file$|Copy to clipboard$|Send message$|Sidebar$|'
    + 'App pages$|\\d+MB per file$)');
  const found = [];
  const visible = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    const empty = !node.data.trim() || theirs.test(node.data);
    if (empty || parent.closest(skip) || !visible(parent)) continue;
    if (parent.closest('[data-testid=stIconMaterial]')) continue;
    const maths = parent.closest('.katex');
    if (maths && !parent.closest('.text')) continue;
    found.push(node.data);
  }
  for (const e of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    if (e.closest(skip) || !visible(e)) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      const text = e.getAttribute(name) ?? '';
      if (!theirs.test(text)) found.push(text);
    }
  }
  for (const e of document.querySelectorAll('input[role=combobox]')) found.push(e.value);
  for (const plot of document.querySelectorAll('.js-plotly-plot')) {
    for (const trace of plot.data) {
      found.push(trace.name ?? '', trace.colorbar?.title?.text ?? '');
      found.push([trace.hovertemplate ?? ''].flat().join(' '));
    }
    found.push(...[plot.layout.meta?.rows, plot.layout.meta?.cols].filter(Boolean));
  }
  return found;
}"""
# What is cut off: boxes that hide what does not fit, and texts of a chart that leave it.
CUT = r"""() => {
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const style = getComputedStyle(e);
    const hides = ['hidden', 'clip'].includes(style.overflowX) && e.clientWidth > 8;
    const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (hides && own && e.checkVisibility() && e.scrollWidth > e.clientWidth + 1) {
      found.push('cut: ' + e.textContent.trim());
    }
  }
  for (const plot of document.querySelectorAll('.js-plotly-plot')) {
    const box = plot.getBoundingClientRect();
    for (const text of plot.querySelectorAll('svg text')) {
      if (!text.textContent.trim() || text.closest('.hoverlayer')) continue;
      const { left, right, top } = text.getBoundingClientRect();
      if (left < box.left - 2 || right > box.right + 2 || top < box.top - 2) {
        found.push('leaves its chart: ' + text.textContent);
      }
    }
  }
  for (const drawing of document.querySelectorAll('.posenc-picture svg')) {
    const box = drawing.getBoundingClientRect();
    for (const text of drawing.querySelectorAll('text')) {
      const { left, right } = text.getBoundingClientRect();
      const isOutside = left < box.left - 2 || right > box.right + 2;
      if (isOutside) found.push('leaves its picture: ' + text.textContent);
    }
  }
  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) found.push(`the page is ${sideways} pixels too wide`);
  return found;
}"""


def english(texts: list[str]) -> list[str]:
    """Runs of plain letters that are neither names nor values nor markup."""
    found = []
    for text in texts:
        plain = re.sub(
            r"%\{[^}]*\}|</?[a-z]+[^>]*>|https?://\S+|[\w.-]+\.(json|py|md)\b"
            r"|\b[A-Za-z]+[_\d]\w*\b",  # head_dim, float32
            " ",
            text,
        )
        words = re.findall(r"(?:[^\W\d_]|['’](?=\w))+|\S", plain)
        run: list[str] = []
        for word in [*words, "."]:
            is_plain = word.isascii() and len(word) > 1 and word.isalpha()
            if is_plain and word not in SAME:
                run.append(word)
                continue
            if len(run) > 1 or any(len(one) > 3 for one in run):
                found.append(f"{' '.join(run)!r} in {text.strip()[:120]!r}")
            run = []
    return list(dict.fromkeys(found))


def test_plain_english_is_found_and_names_are_not() -> None:
    assert (
        english(["Ŕóóþéé wíth ĥéé", "RoPE", "YaRN: 3.5", "%{y:.6~g}<br>", "a b c", "12 ms"]) == []
    )
    assert len(english(["Query position", "is the", "softmax", "Ñúúɱ of all"])) == 4


def open_list(page: Page, field: Locator) -> None:
    """Open a list of options, which closes when its page scrolls: first let that be told."""
    field.scroll_into_view_if_needed()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    field.click()
    page.locator("[role=option]").first.wait_for()


def options_of(page: Page, key: str = "view") -> int:
    """How many options the control of a screen's pictures has; 0 without one."""
    control = page.locator(f".st-key-{key}")
    if not control.count():
        return 0
    if (buttons := control.locator("[role=radio]")).count():
        return buttons.count()
    open_list(page, control.locator("input").first)
    count = page.locator("[role=option]").count()
    page.keyboard.press("Escape")
    return count


def choose(page: Page, number: int, key: str = "view") -> None:
    """Choose an option of the control of the pictures."""
    control = page.locator(f".st-key-{key}")
    buttons = control.locator("[role=radio]")
    with answered(page):
        if buttons.count():
            buttons.nth(number).click()
        else:
            open_list(page, control.locator("input").first)
            page.locator("[role=option]").nth(number).click()


def open_everything(page: Page) -> None:
    """Open what is folded away, answer the question, so that all of it can be read."""
    closed = page.locator("[data-testid=stExpander] details:not([open]) > summary")
    while closed.count():  # what is drawn in an open one may have its own
        closed.evaluate_all("all => all.forEach((one) => one.click())")
        settle(page)
    answers = page.locator("[class*=st-key-predict_] label")
    if answers.count() > 1 and not answers.nth(1).locator("input").is_checked():
        with answered(page):
            answers.nth(1).click()


# Helps are read where Streamlit's icons keep them; to point at each and wait takes two seconds.
HELPS = r"""() => {
  const icons = [...document.querySelectorAll('[data-testid=stTooltipIcon]')];
  return icons.filter((icon) => icon.checkVisibility()).map((icon) => {
    let one = icon[Object.keys(icon).find((key) => key.startsWith('__reactFiber$'))];
    while (typeof one.memoizedProps?.content !== 'string') one = one.return;
    return one.memoizedProps.content.replace(/`[^`]*`|\$[^$]*\$/g, ' ');
  });
}"""


def pictures(page: Page) -> Iterator[int]:
    """Each picture of the screen in turn."""
    yield 0
    for number in range(1, options_of(page)):
        choose(page, number)
        yield number


def address_of(base: str, screen: str, more: str = "") -> str:
    text = f"&text={WRAPPED[screen]['text']}" if WRAPPED[screen].get("text") else ""
    return f"{base}{path_of(screen)}?lang={MADE_UP}{text}{more}"


def cut_off(page: Page, size: str) -> list[str]:
    """Texts that do not fit into a window of this size, once its charts are drawn for it."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    left: list[str] = []
    end = time.monotonic() + PATIENCE / 10
    while time.monotonic() < end and (left := page.evaluate(CUT)):
        page.wait_for_timeout(200)
    return left


@pytest.mark.slow
@pytest.mark.parametrize("screen", WRAPPED)
def test_no_english_is_left_and_longer_labels_fit(
    screen: str, page: Page, app_address: str
) -> None:
    visit(page, address_of(app_address, screen))
    open_everything(page)
    read = page.evaluate(TEXTS)
    assert len(read) > 30, "hardly anything was read"
    left: list[str] = []
    assert page.evaluate(HELPS), "no help was read"
    for number in pictures(page):
        open_everything(page)
        # The window changes once for a picture, because all charts are drawn for it anew.
        for size in ("wide", "narrow") if number % 2 == 0 else ("narrow", "wide"):
            left += cut_off(page, size)
            if size == "wide":
                left += english(page.evaluate(TEXTS) + page.evaluate(HELPS))
    page.set_viewport_size(WIDE)
    tabs = page.locator("[data-testid=stTabs] [role=tab]")
    for number in range(tabs.count()):
        if tabs.nth(number).get_attribute("aria-selected") != "true":
            with answered(page):
                tabs.nth(number).click()
        left += english(page.evaluate(TEXTS))
    left += cut_off(page, "wide") + cut_off(page, "narrow")
    turn_to(page, address_of(app_address, screen, "&" + WRAPPED[screen].get("bad", "view=x")))
    assert page.locator("[data-testid=stAlert]").count()
    left += english(page.evaluate(TEXTS))
    assert not left, "\n".join(dict.fromkeys(left))


@pytest.mark.slow
def test_two_readers_at_once_read_their_own_languages(
    page: Page, other_page: Page, app_address: str
) -> None:
    first, second = page, other_page
    screen = "why_position"
    visit(first, app_address + path_of(screen))
    visit(second, address_of(app_address, screen))
    titles = [reader.locator("h1").inner_text() for reader in (first, second)]
    assert not english(titles[1:])
    assert len(english(titles[:1])) == 1
    for _ in range(3):
        with answered(first), answered(second):
            for reader in (first, second):
                reader.locator("[data-testid=stNumberInputStepUp]:visible").first.click()
        assert [reader.locator("h1").inner_text() for reader in (first, second)] == titles
        assert not english([second.locator("[data-testid=stMain] h2").first.inner_text()])


def test_the_language_stays_in_the_address_that_has_it(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/why_position?lang={MADE_UP}")
    page.locator("#site summary").nth(1).click()
    with answered(page):
        page.locator("#site a[href='./alibi']").click()
    until(page, lambda: f"lang={MADE_UP}" in page.url, "the address follows")
    visit(page, f"{app_address}/why_position")
    assert "lang" not in page.url


def test_the_title_of_the_first_screen_ends_before_the_buttons(
    page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{app_address}/?lang={MADE_UP}")
    title, buttons = page.evaluate(
        "() => { const range = document.createRange();"
        " range.selectNodeContents(document.querySelector('h1'));"
        " return [Math.max(...[...range.getClientRects()].map((r) => r.right)),"
        " document.querySelector('.st-key-in_class').getBoundingClientRect().left]; }"
    )
    assert title < buttons
