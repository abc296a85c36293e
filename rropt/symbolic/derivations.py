"""A derivation: half a page of proof of a result, as Markdown and as LaTeX.

The proofs of all kinds of results are written as this one class: ``row_derivations`` (traces, losses, payoffs, sums),
``information_derivations`` (criteria of the Fisher information, and bounds), ``result_derivations`` (all others). Each
formula in them is printed from an object that was derived or tested for the result; no number is typed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.exact.display import decimal_text
from rropt.core.results.active_sets import Exponents
from rropt.core.results.markup import tex
from rropt.symbolic.symbols import exact, gamma

LONGEST = 240  # characters of the LaTeX of a formula; of a longer one the value at the level is given
_WIDE = 70  # characters of the LaTeX of a formula in a line, from which it is made narrower if the line is too short
_SHORT = 24  # digits of an exact number
_MOST_LISTED = 12  # entries, prices or conditions that are written out
_MOST_SQUARE = 4  # rows and columns of a matrix that is written out
QED = r"$\blacksquare$"

FITTED = (
    r"\providecommand{\fitted}[1]{\ifvmode\leavevmode\fi\begingroup\setbox0=\hbox{$\displaystyle "
    r"#1$}\ifdim\wd0>.9\linewidth\resizebox{.9\linewidth}{!}{\box0}\else\box0\fi\endgroup}"
)
_PREAMBLE = "\n".join(
    (
        r"\documentclass[a4paper]{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{amsmath,amssymb,graphicx}",
    )
)


@dataclass(frozen=True)
class Derivation:
    """A proof of a result, in short paragraphs with formulas.

    Attributes:
        title: what is solved.
        parts: pairs of a heading and a text in Markdown: paragraphs, lists, and LaTeX between dollar signs.
        behind: what stands behind the half page of ``parts``: lists of weights and prices, lemmas, theorems.
        further: derivations that follow, such as that of the other direction of an order.

    >>> found = Derivation("Sum", (("Value", "It is $1+1=2$ for 100 % of us."),))
    >>> print(found.markdown())
    ### Sum
    <BLANKLINE>
    **Value.** It is $1+1=2$ for 100 % of us.
    <BLANKLINE>
    >>> found["Value"], "\\\\paragraph{Value.} It is $1+1=2$ for 100 \\\\% of us." in found.latex()
    ('It is $1+1=2$ for 100 % of us.', True)
    """

    title: str
    parts: tuple[tuple[str, str], ...]
    behind: tuple[tuple[str, str], ...] = ()
    further: tuple[Derivation, ...] = ()

    def __getitem__(self, heading: str) -> str:
        """Return the text under a heading."""
        return dict((*self.parts, *self.behind))[heading]

    def markdown(self) -> str:
        """Return the proof in Markdown."""
        parts = (f"**{head}.** {text.strip()}" for head, text in (*self.parts, *self.behind) if text)
        own = "\n\n".join([f"### {_capital(self.title)}", *parts])
        return "\n".join([own + "\n", *(each.markdown() for each in self.further)])

    def latex(self) -> str:
        """Return the proof as paragraphs of LaTeX, for a document with the packages amsmath, amssymb and graphicx.

        Formulas that are wider than the line are made narrower.
        """
        return (
            "\n".join([r"\begingroup\sloppy\emergencystretch\linewidth", FITTED, self._latex() + r"\par\endgroup"])
            + "\n"
        )

    def _latex(self) -> str:
        own = [rf"\paragraph{{{head}.}} {_paragraphs(text)}" for head, text in (*self.parts, *self.behind) if text]
        own = [rf"\subsection*{{{tex(_capital(self.title))}}}", *own, *(each._latex() for each in self.further)]
        return "\n\n".join(own) + "\n"

    def document(self) -> str:
        """Return the proof as a whole document for pdflatex."""
        return f"{_PREAMBLE}\n\\begin{{document}}\n{self.latex()}\\end{{document}}\n"

    def text_of(self, path: str) -> str:
        """Return the proof in the format of a file name: a whole document for ``.tex``, else Markdown."""
        return self.document() if path.lower().endswith(".tex") else self.markdown()

    def written_parts(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the headings with their paragraphs and items of lists; formulas stand between single dollar signs."""
        for each in (self, *self.further):
            for head, text in (("Result", f"{_capital(each.title)}."), *each.parts, *each.behind):
                lines = [re.sub(r"\\tag\{(\d+)\}", r"\\quad(\1)", line) for line in text.strip().split("\n") if line]
                if lines:
                    yield head, tuple(line.replace("$$", "$").removeprefix("- ") for line in lines)

    def __str__(self) -> str:
        return self.markdown()

    def _repr_markdown_(self) -> str:
        return self.markdown()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: Sequence[Derivation]) -> Derivation:
    """Return several derivations as one: the first one, with the others below it."""
    first, *others = parts
    return Derivation(first.title, first.parts, first.behind, (*first.further, *others))


# --- LaTeX ------------------------------------------------------------------------------------------------------------


def _paragraphs(text: str) -> str:
    """Return a text in Markdown as LaTeX: formulas stay, what is outside of them is escaped, lists are itemized."""
    found, is_list = [], False
    for line in text.split("\n"):
        is_item = line.startswith("- ")
        if is_item != is_list:
            found.append(r"\begin{itemize}" if is_item else r"\end{itemize}")
        is_list = is_item
        found.append(rf"\item {_line(line[2:])}" if is_item else _line(line))
    return "\n".join([*found, *([r"\end{itemize}"] if is_list else [])])


def _line(text: str) -> str:
    found = []
    for part in re.split(r"(\$\$.*?\$\$|\$.*?\$|`.*?`)", text):
        if part.startswith("$$"):
            formula, tag, number = part[2:-2].strip().partition(r"\tag")
            found.append(rf"\[\fitted{{{formula.strip()}}}{tag}{number}\]")
        elif part.startswith("$"):
            found.append(in_line(part[1:-1]))
        else:
            found.append(rf"\texttt{{{_breakable(part[1:-1])}}}" if part.startswith("`") else tex(part))
    return "".join(found)


def in_line(formula: str) -> str:
    """Return a formula for a line of text; a long one is made narrower if it does not fit."""
    return rf"\fitted{{{formula}}}" if len(formula) > _WIDE else f"${formula}$"


def _breakable(name: str) -> str:
    """Return a name that may be broken after its underscores and slashes."""
    return re.sub(r"(\\_|/)", r"\1\\allowbreak{}", tex(name))


# --- formulas ---------------------------------------------------------------------------------------------------------


def math(expression: Any) -> str:
    """Return an expression in LaTeX; a long sum in lines, and roots of polynomials by their polynomial."""
    if isinstance(expression, sp.Basic) and expression.has(sp.CRootOf):
        return _decimals(expression)
    text = str(sp.latex(expression))
    if isinstance(expression, sp.Add) and len(text) > LONGEST:
        return broken(expression)
    return text


def broken(expression: sp.Expr) -> str:
    """Return a long sum in several lines, a few terms in each."""
    lines: list[str] = []
    for term in sp.Add.make_args(expression):
        text = str(sp.latex(term))
        text = text if text.startswith("-") else f"+ {text}"
        if lines and len(lines[-1]) + len(text) < LONGEST // 2:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
    lines[0] = lines[0].removeprefix("+ ")
    return r"\begin{aligned}" + r" \\ ".join(f"& {line}" for line in lines) + r"\end{aligned}"


def _decimals(number: sp.Expr) -> str:
    return rf"{sp.N(number, 12)}\dots"


def end(number: sp.Expr) -> str:
    """Return an end of an interval in LaTeX: exactly, or in decimals with the polynomial whose root it is."""
    if not number.has(sp.CRootOf):
        return str(sp.latex(number)) if not number.has(sp.Float) else rf"{sp.N(number, 12)}\dots"
    return _decimals(number)


def roots_named(domain: Any) -> str:
    """Return which polynomials the ends of an interval are roots of, if they are no radicals; else an empty text."""
    roots = sorted(domain.atoms(sp.CRootOf), key=lambda root: float(root.evalf(20))) if domain != sp.true else []
    said = []
    for root in roots:
        text = sp.latex(root.poly.as_expr())
        what = (
            f"a root of ${text}$"
            if len(text) < LONGEST // 2
            else f"a root of a polynomial of degree {root.poly.degree()}"
        )
        said.append(f"${_decimals(root)}$ is {what}")
    return "; ".join(said)


def where(domain: Any, *, has_roots: bool = True) -> str:
    """Return a domain as words with formulas: ``$1 < \\gamma \\le 3$ at $\\delta = 1/10$``.

    Args:
        domain: the domain.
        has_roots: whether the polynomials are named whose roots its ends are.
    """
    if domain == sp.true:
        return "all levels"
    parts = list(sp.And.make_args(domain))
    fixed = [part for part in parts if isinstance(part, sp.Eq)]
    own = [part for part in parts if part not in fixed and part.lhs == gamma and not part.rhs.free_symbols]
    others = [part for part in parts if part not in fixed and part not in own]
    lower = [
        f"{end(part.rhs)} {'<' if isinstance(part, sp.Gt) else chr(92) + 'le'}" for part in own if ">" in part.rel_op
    ]
    upper = [
        f"{'<' if isinstance(part, sp.Lt) else chr(92) + 'le'} {end(part.rhs)}" for part in own if "<" in part.rel_op
    ]
    found = [f"${' '.join([*lower, chr(92) + 'gamma', *upper])}$"] if own else []
    found += [f"${sp.latex(part)}$" for part in others]
    at = f" at {' and '.join(f'${sp.latex(part)}$' for part in fixed)}" if fixed and found else ""
    return (
        (" and ".join(found) or " and ".join(f"${sp.latex(part)}$" for part in fixed))
        + at
        + (f" ({roots})" if has_roots and (roots := roots_named(domain)) else "")
    )


def number(value: Any) -> str:
    """Return a number in LaTeX: a short fraction with its decimals, and other ones in decimals; floats in 10 digits."""
    if isinstance(value, float):
        return _powers(f"{value:.10g}" if abs(value) >= 1e-6 else f"{value:.2g}")
    given = exact(value) if isinstance(value, (int, Fraction)) else sp.sympify(value)
    if given.is_infinite:
        return str(sp.latex(given))
    near = _trimmed(str(sp.N(given, 12)))
    shown = _powers(near)
    if not given.is_Rational or len(str(given)) > _SHORT:
        return rf"\approx {shown}"
    if given.is_Integer:
        return str(given)
    is_whole = exact(Fraction(near)) == given
    return rf"{sp.latex(given)} {'=' if is_whole else chr(92) + 'approx'} {shown}"


def _powers(text: str) -> str:
    """Return a decimal number with its power of ten as LaTeX."""
    return re.sub(r"e([+-]?)0*(\d+)$", lambda found: rf"\cdot 10^{{{found[1].strip('+')}{found[2]}}}", text)


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def numbers(point: Mapping[Any, Any], named: Mapping[str, Any]) -> str:
    """Return the paragraph of numbers: the level, and the value by its origin; those that are missing are left out."""
    level = ", ".join(f"${sp.latex(symbol)} = {sp.latex(value)}$" for symbol, value in point.items())
    said = "; ".join(f"{name} ${number(value)}$" for name, value in named.items() if value is not None)
    if not said:
        return f"At {level}." if level else ""
    return f"At {level}: {said}." if level else f"{said[0].upper()}{said[1:]}."


def decimals(values: Iterable[Fraction], digits: int = 6) -> str:
    """Return fractions as a row of decimals."""
    return ", ".join(decimal_text(x, digits) for x in values)


def matrix(rows: Sequence[Sequence[Any]]) -> sp.ImmutableMatrix:
    """Return exact numbers as a matrix."""
    return sp.ImmutableMatrix([[exact(x) for x in row] for row in rows])


def shown_matrix(name: str, entries: sp.MatrixBase, level: Mapping[Any, Any]) -> str:
    """Return a displayed matrix: in symbols if it is small, else at the level in decimals, else by its shape alone."""
    text = str(sp.latex(entries))
    if max(entries.shape) <= _MOST_SQUARE and len(text) <= 4 * LONGEST:
        return f"$${name} = {text}$$"
    if max(entries.shape) > 3 * _MOST_SQUARE:
        return f"${name}\\in\\mathbb{{R}}^{{{entries.shape[0]}\\times{entries.shape[1]}}}$, which is not printed. "
    near = entries.xreplace(dict(level)).applyfunc(lambda x: sp.Float(sp.N(x, 15), 6))
    at = "at the level, " if entries.free_symbols else ""
    return f"$${name} \\approx {sp.latex(near)}\\quad\\text{{{at}in six digits.}}$$"


def row(exponents: Exponents) -> str:
    """Return a row whose entries are powers of gamma."""
    powers = ("0" if e is None else "1" if not e else sp.latex(gamma**e) for e in exponents)
    return f"({','.join(powers)})"


def tight_pairs(tight: Sequence[tuple[int, ...]], k: int) -> str:
    """Return which ordered pairs are tight, in words."""
    if len(tight) == k * (k - 1):
        return f"the conditions of all ordered pairs, {len(tight)}, are tight"
    listed = ", ".join(f"$({j},{other})$" for j, other in tight) or "none"
    return f"the conditions of these ordered pairs are tight: {listed}"


def grouped(pairs: Iterable[tuple[Any, str]], level: Mapping[Any, Any], join: str = " for ") -> str:
    """Return a list with one item for each value: ``$x$ for a, b``; a long formula is evaluated at the level.

    Args:
        pairs: expressions with names in LaTeX or in words.
        level: the values of the symbols.
        join: what stands between value and names; ``=`` puts the names first.
    """
    groups: dict[Any, list[str]] = {}
    for value, name in pairs:
        groups.setdefault(value, []).append(name)
    items = []
    for value, names in groups.items():
        text = str(sp.latex(value))
        is_long = len(text) > LONGEST or (isinstance(value, sp.Basic) and value.has(sp.CRootOf))
        shown = rf"${number(value.xreplace(dict(level)))}$ at the level" if is_long else f"${text}$"
        more = len(names) - _MOST_LISTED
        listed = ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
        items.append(f"- {listed}: {shown}" if join == "=" else f"- {shown}{join}{listed}")
    more = len(items) - _MOST_LISTED
    return "\n".join(items[:_MOST_LISTED]) + (f"\n- and {more} more values" if more > 0 else "")


# --- theorems ---------------------------------------------------------------------------------------------------------

COQ = {
    "edges": ("rays_suffice", "kernels/coq/RayLists.v"),
    "linear program": ("lower_bound_ok", "kernels/coq/Programs.v"),
    "lines": ("bound_of_lines_ok", "kernels/coq/Lines.v"),
    "sums": ("check_sums_ok", "kernels/coq/RaySums.v"),
    "covariance": ("contrast_bound", "kernels/coq/Contrasts.v"),
    "eigenvalue": ("check_eigenvalue_ok", "kernels/coq/Eigen.v"),
    "determinant": ("determinant_bound", "kernels/coq/Determinants.v"),
    "numbers": ("check_conditional_ok", "kernels/coq/Conditional.v"),
    "polytope": ("check_mixture_ok", "kernels/coq/RayMixtures.v"),
    "every level": ("every_level", "kernels/coq/EveryLevel.v"),
    "garbling": ("check_garbling_ok", "kernels/coq/Garblings.v"),
    "task": ("check_decision_ok", "kernels/coq/Garblings.v"),
    "split": ("split_least", "kernels/coq/Splits.v"),
    "joint split": ("joint_split_least", "kernels/coq/JointSplits.v"),
    "worst case": ("check_worst_ok", "kernels/coq/BinaryRules.v"),
    "regret": ("check_regret_ok", "kernels/coq/BinaryRules.v"),
    "checker": ("accepted", "kernels/coq/Checker.v"),
    "trace": ("chai_nayak_theorem_4_4a_trace_bound", "proofs/rropt_proofs/coq/ChaiNayak.v"),
    "B(h)": ("chai_nayak_theorem_3_1_upward_private_iff_parity_is_at_most_B", "proofs/rropt_proofs/coq/ChaiNayak.v"),
    "posterior": ("chai_nayak_eq_3_6_bayes_factors_are_at_most_the_parity", "proofs/rropt_proofs/coq/ChaiNayak.v"),
    "admissible": ("chai_nayak_theorem_4_3_admissible_iff_in_the_core", "proofs/rropt_proofs/coq/Admissibility.v"),
    "binary": ("holohan_theorem_2_optimal_epsilon_private_design", "proofs/rropt_proofs/coq/Holohan.v"),
    "binary, delta": (
        "holohan_theorem_3_optimal_epsilon_delta_private_design",
        "proofs/rropt_proofs/coq/HolohanDelta.v",
    ),
    "binary, one half": (
        "holohan_theorem_3_at_prevalence_one_half_the_mirror_image_ties",
        "proofs/rropt_proofs/coq/HolohanDelta.v",
    ),
    "binary, above": (
        "holohan_corollary_2_optimal_design_for_prevalence_above_one_half",
        "proofs/rropt_proofs/coq/HolohanDelta.v",
    ),
    "warner": ("holohan_theorem_4_optimal_warner_design", "proofs/rropt_proofs/coq/HolohanDelta.v"),
}
"""Theorems that are proved in Coq, with their files, by the step of a derivation that they prove."""

CARDS = {
    "rows": "literature.staircase-rows",
    "blocks": "literature.ratio-blocks",
    "any output": "rropt.any-output",
    "four": "rropt.garbling-of-four",
    "subsets": "rropt.subset-selection",
    "saddle": "rropt.saddle-point",
    "bayes": "rropt.bayes-design",
    "first regime": "rropt.first-regime",
    "second regime": "rropt.second-regime",
    "patterns": "rropt.patterns-of-numbers",
    "B(h)": "chainayak2018.theorem-3.1",
}
"""Claims of the registry by the step of a derivation that they state."""


def theorems(coq: Mapping[str, str] | None = None, cards: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return the paragraph that names the theorems of a derivation, with what each of them proves.

    Args:
        coq: keys of ``COQ``, with what the theorem says.
        cards: keys of ``CARDS``, with what the claim says.
    """
    said = [f"{text} is proved in Coq: `{COQ[key][0]}` (`{COQ[key][1]}`)." for key, text in (coq or {}).items()]
    said += [f"{text} is the claim `{CARDS[key]}` of the registry." for key, text in (cards or {}).items()]
    return ("Theorems", " ".join(said))
