"""The two forms of a pitfall as code: their bodies, with a comment where they differ."""

import inspect
import textwrap

from posenc.pitfall_cases import Form, Pitfall


def two_codes(pitfall: Pitfall) -> tuple[str, str]:
    """Body of the wrong form and of the right one."""
    wrong, right = _body(pitfall.wrong), _body(pitfall.right)
    return _commented(wrong, right), _commented(right, wrong)


def _body(form: Form) -> list[str]:
    signature_and_docstring = 2
    return inspect.getsource(form).splitlines()[signature_and_docstring:]


def _commented(body: list[str], other: list[str]) -> str:
    """A form is compared with several others: comments on lines that are alike here say nothing."""
    alike = {line for line in other if "  # " not in line}
    lines = [code if (code := line.partition("  # ")[0]) in alike else line for line in body]
    return textwrap.dedent("\n".join(lines))
