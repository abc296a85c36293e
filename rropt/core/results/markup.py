r"""Tables as Markdown and LaTeX: what ``Result.to_markdown`` and ``to_latex`` return.

LaTeX output sets exact numbers as formulas: 1/3 becomes ``$\frac{1}{3}$`` and log(3) becomes ``$\log(3)$``. A tilde
between an exact number and its decimal becomes ``$\approx$``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rropt.core.errors import MissingExtraError
from rropt.core.results.layout import Table
from rropt.core.visible import visible

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # at the start of a row, LaTeX reads [ and * as arguments of the line break
    "*": "{*}",
    '"': "''",  # textquotedbl needs another encoding of fonts
    "ε": r"$\varepsilon$",  # pdflatex has no such letter, and no narrow space
    "\u202f": r"\,",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
}
_LINE, _GAP = 68, 2.5  # characters of a line of an article, and of the space of a column
_NUMERIC = re.compile(r"[<>-]? ?[\d.,]+( %)?( to -?[\d.,]+( %)?)?|")
# the parts of a number's text that become formulas: a fraction, a logarithm, and the tilde before a decimal
_FORMULA = re.compile(
    r"(?<![\w./])(?P<above>-?\d+)/(?P<below>[1-9]\d*)(?![\w/]|\.\d)|(?<!\w)log\((?P<of>[\d/]+)\)| (?P<near>~) (?=-?\d)"
)


def _in_one_line(text: str) -> str:
    """Join the lines of a text, such as the rows of a matrix, into one line."""
    return re.sub(r"\n *", "; ", text)


def tex(text: str) -> str:
    """Escape a text for LaTeX."""
    marks = "".join(_TEX.get(sign, sign) for sign in visible(_in_one_line(text)))
    return re.sub("-(?=-)", "-{}", marks)


def tex_number(text: str) -> str:
    """Escape a text for LaTeX and set its exact numbers as formulas.

    >>> print(tex_number("2551/9740 ~ 0.262"), tex_number("log(3)"))
    $\\frac{2551}{9740}$ $\\approx$ 0.262 $\\log(3)$
    """
    found, last = [], 0
    for one in _FORMULA.finditer(text):
        found.append(tex(text[last : one.start()]))
        if one["near"]:
            found.append(r" $\approx$ ")
        elif one["of"]:
            found.append(f"$\\log({one['of']})$")
        else:
            sign = "-" if one["above"].startswith("-") else ""
            found.append(f"${sign}\\frac{{{one['above'].lstrip('-')}}}{{{one['below']}}}$")
        last = one.end()
    return "".join([*found, tex(text[last:])])


def is_numeric(cells: Sequence[str]) -> bool:
    """Return whether all cells are numbers or ranges of numbers."""
    return bool(cells) and all(_NUMERIC.fullmatch(cell) for cell in cells)


def _fitted(kinds: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the columns of a table so that it fits a line: texts are wrapped in the longest ones."""
    sizes = [max((len(row[i]) for row in rows if i < len(row)), default=0) for i in range(len(kinds))]
    room, left, wide = _LINE - _GAP * len(kinds), sum(sizes), [*range(len(kinds))]
    if left <= room:
        return kinds
    while True:  # a column that is shorter than an equal part of the room keeps its size
        short = [i for i in wide if sizes[i] * len(wide) <= room]
        if not short or len(short) == len(wide):
            break
        room, wide = room - sum(sizes[i] for i in short), [i for i in wide if i not in short]
    if len(wide) == len(kinds) == 2 and room > 0:  # labels and values
        parts = {0: 0.36 * room, 1: 0.64 * room}
    else:
        parts = dict.fromkeys(wide, max(room, 4.0) / len(wide))
    return [f"p{{{parts[i] / _LINE:.3f}\\linewidth}}" if i in parts else kind for i, kind in enumerate(kinds)]


def latex_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a LaTeX table in the style of the package booktabs."""
    width = max([len(header), *(len(row) for row in rows)], default=1)
    kinds = ["r" if is_numeric([row[i] if i < len(row) else "" for row in rows]) else "l" for i in range(width)]
    kinds = _fitted(kinds, [header, *rows])
    lines = [r"\begin{table}[htbp]", r"\centering"]
    lines += [f"\\caption{{{tex(title)}}}"] if title else []
    lines += [f"\\begin{{tabular}}{{{''.join(kinds)}}}", r"\toprule"]
    lines += [" & ".join(map(tex, header)) + r" \\", r"\midrule"] if header else []
    lines += [" & ".join(map(tex_number, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def pipe_text(text: str) -> str:
    """Escape a text for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|]|&(?=\w+;))", r"\\\1", visible(_in_one_line(text)))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; without a header, its header row is empty."""
    width = max([len(header), *(len(row) for row in rows)], default=0)
    head = [pipe_text(cell) for cell in header] or [""] * width
    lines = [head, ["---"] * width, *([pipe_text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_of(tables: Sequence[Table]) -> str:
    """Return tables as Markdown."""
    parts = []
    for title, header, rows in tables:
        parts += [f"**{pipe_text(title)}**"] if title else []
        parts.append(markdown_table(header or (), rows))
    return "\n\n".join(parts)


def required_pandas() -> Any:
    """Return the module pandas.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise MissingExtraError(
            "a data frame needs pandas, which is not installed; pip install 'rropt[frames]', or use to_dict"
        ) from None
    return pandas
