"""Half a page of proof of a design of the information: from the KKT solution, or from an enclosure, that was proved.

Every formula is printed from the proved object (``information.Solved``, ``enclosures.Enclosure``); no number is typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.exact.display import decimal_text
from rropt.core.results.guesses import Exponents
from rropt.core.results.twins import short
from rropt.core.visible import with_noun
from rropt.symbolic import symbols
from rropt.symbolic.enclosures import Enclosure
from rropt.symbolic.fields import ends
from rropt.symbolic.information import Solved

_CRITERIA = {
    "covariance": (r"\operatorname{tr} C\,\mathrm{Cov}\,C^T", "the sum of $n$ Var of the targets"),
    "determinant": (r"\ln\det M", "the logarithm of the determinant of the information"),
    "eigenvalue": (r"\lambda_{\max}(\mathrm{Cov})", "the largest eigenvalue of $n$ Cov"),
    "numbers": (r"\max_j \mathrm{Var}(z \mid x_j)", "the largest variance of a report"),
    "polytope": (r"\max_\pi \operatorname{tr} C\,\mathrm{Cov}\,C^T", "the largest sum of $n$ Var over the polytope"),
}
_MOST_PRINTED = 3  # categories up to which the matrix of prices is printed
_MOST_LINES = 12  # of weights, prices or conditions that are printed one by one


@dataclass(frozen=True)
class Derivation:
    """A proof in short paragraphs with formulas.

    Attributes:
        title: what is proved.
        paragraphs: pairs of a heading and a text in Markdown; formulas are in LaTeX, between dollars.
    """

    title: str
    paragraphs: Sequence[tuple[str, str]]

    def markdown(self) -> str:
        """Return the proof in Markdown."""
        return "\n\n".join([f"### {self.title}", *(f"**{name}.** {text}" for name, text in self.paragraphs)]) + "\n"

    def latex(self) -> str:
        """Return the proof as LaTeX paragraphs, for a document with amsmath."""
        parts = [rf"\paragraph{{{name}.}} {_in_latex(text)}" for name, text in self.paragraphs]
        return "\n\n".join([rf"\subsection*{{{self.title}}}", *parts]) + "\n"

    def __str__(self) -> str:
        return self.markdown()


def _in_latex(text: str) -> str:
    """Return a paragraph with LaTeX's display formulas and lists in place of Markdown's."""
    pieces = text.split("$$")
    shown = [piece if i % 2 == 0 else rf"\[{piece.strip()}\]" for i, piece in enumerate(pieces)]
    lines = "".join(shown).split("\n")
    found, is_list = [], False
    for line in lines:
        is_item = line.startswith("- ")
        if is_item != is_list:
            found.append(r"\begin{itemize}" if is_item else r"\end{itemize}")
        is_list = is_item
        found.append(rf"\item {line[2:]}" if is_item else line)
    text = "\n".join([*found, *([r"\end{itemize}"] if is_list else [])])
    return text.replace("∎", r"\hfill$\square$")


def of_solution(solved: Solved, numeric: float | None = None) -> Derivation:
    """Return the proof of a closed form.

    Args:
        solved: the KKT solution, proved optimal at the level.
        numeric: the value that CVXPY finds, for the last line.
    """
    asked, field = solved.asked, solved.asked.field
    what, words = _CRITERIA[asked.kind]
    sense = "Maximize" if asked.kind == "determinant" else "Minimize"
    low, high = ends(field, solved.conditions)
    where = rf"{_end(low)} < \gamma" + ("" if high is sp.oo else rf" < {_end(high)}")
    value = solved.value_expression()
    proportions = ", ".join(str(p) for p in asked.population)
    paragraphs = [
        (
            "Problem",
            f"{sense} ${what}$, {words}, over private $P$ with any outputs, at $\\pi = ({proportions})$. Here "
            r"$M = \sum_i p_i p_i^T/(p_i\cdot\pi)$ and $\mathrm{Cov} = M^{-1} - \pi\pi^T$.",
        ),
        (
            "Active set",
            f"CVXPY gives weight to {with_noun(len(solved.rows), 'row')}"
            + (f", and {with_noun(len(solved.tight), 'pair is', 'pairs are')} tight" if asked.has_delta else "")
            + ":\n\n"
            + _weights(solved),
        ),
        ("KKT system", _system(solved)),
        ("Value", f"$${_value(solved, value)}$$"),
        ("Proof", _proof(solved)),
        (
            "Region",
            f"The {len(solved.conditions)} conditions (weights, prices $z$, slacks of the other pairs"
            + (", coefficients of the characteristic polynomial" if solved.extra else "")
            + f", and (1) for the other rows) were factored. None changes its sign for ${where}$"
            + (rf" at $\delta = {sp.latex(field.values[symbols.delta])}$" if asked.has_delta else "")
            + (
                ", and the prices are rounded where the equations leave them free: at least there"
                if any(solved.free)
                else ""
            )
            + ".",
        ),
        ("Numbers", _numbers(solved, value, numeric)),
    ]
    return Derivation(f"{words[0].upper()}{words[1:]}, k = {asked.k}".replace("$", ""), paragraphs)


def of_enclosure(own: Enclosure) -> Derivation:
    """Return the proof of rational bounds, with the design and the witness that prove them."""
    own.check()
    asked = own.asked
    what, words = _CRITERIA[asked.kind]
    ends = [decimal_text(x, 15) for x in (own.lower, own.upper)]
    attained, proved = ("lower", "upper") if asked.kind == "determinant" else ("upper", "lower")
    row = max(own.design, key=max)
    paragraphs = [
        (
            "Problem",
            f"{'Maximize' if asked.kind == 'determinant' else 'Minimize'} ${what}$, {words}, over private $P$ "
            f"with any outputs, at $\\gamma = {decimal_text(asked.below.gamma, 12)}$"
            + (rf" and $\delta = {decimal_text(asked.below.delta, 12)}$." if asked.below.delta else "."),
        ),
        (
            "Design",
            f"A rational matrix of {with_noun(len(own.design), 'output')} is private, exactly. The value that it has "
            f"by the definition is the {attained} bound. Its row with the largest entry is ({_decimals(row)}).",
        ),
        (
            "Witness",
            f"$q = ({_decimals(own.prior)})$, $y = ({_decimals(own.prices)})$ and a matrix $G$ of shape "
            f"({asked.k}, {len(own.directions[0])}), all rational, satisfy on every edge $r$ of the cells"
            + _inequality(asked.above.delta > 0)
            + _bound(asked.kind),
        ),
        (
            "Numbers",
            f"The optimum is between {ends[0]} and {ends[1]}: {short(own.width)} apart. The {proved} bound is "
            "that of the witness.",
        ),
    ]
    return Derivation(f"Bounds of {words}, k = {asked.k}".replace("$", ""), paragraphs)


def _inequality(has_delta: bool) -> str:
    more = r" + \sum z_{jl}(r_j - \gamma r_l)_+" if has_delta else ""
    return rf"$$|G^T r|^2 \le \big(y\cdot r{more}\big)\,(r\cdot q). \tag{{1}}$$"


def _bound(kind: str) -> str:
    paid = r"Dividing by $p_i\cdot q$ and adding up over the rows of a private $P$, $\operatorname{tr} G^T M G \le c$ "
    paid += r"with $c = \sum y_j + \delta\sum z_{jl}$. "
    found = {
        "determinant": r"By the inequality of arithmetic and geometric means, $$\det M \le (c/k)^k/\det(G)^2.$$",
        "eigenvalue": r"The columns of $G$ have the sum 0. By Cauchy and Schwarz, $$\lambda_{\max} \ge |G|^2/c.$$",
    }
    square = r"From $|M^{-1/2}D^T - M^{1/2}G|^2 \ge 0$ with $D = C - Cq1^T$, "
    square += (
        r"$$\operatorname{tr} C\,\mathrm{Cov}\,C^T = \operatorname{tr} D M^{-1} D^T \ge 2\operatorname{tr} D G - c.$$"
    )
    more = {
        "numbers": r"The largest variance is at least the mean, so that $\operatorname{Var}_q(x)$ is subtracted.",
        "polytope": r"The largest value over the polytope is at least that at $q$.",
    }
    return paid + found.get(kind, square + more.get(kind, ""))


def _weights(solved: Solved) -> str:
    field = solved.asked.field
    groups: dict[Any, list[Exponents]] = {}
    for w, row in zip(solved.weights, solved.rows, strict=True):
        groups.setdefault(field.expression(w), []).append(row)
    lines = [f"- $w = {sp.latex(w)}$: " + ", ".join(f"${_row(row)}$" for row in rows) for w, rows in groups.items()]
    if solved.tight:
        lines.append("- tight: " + ", ".join(f"$({j + 1}, {other + 1})$" for j, other in solved.tight))
    return "\n".join(lines) + "\n"


def _row(row: Exponents) -> str:
    texts = ["0" if e is None else "1" if e == 0 else r"\gamma" if e == 1 else rf"\gamma^{{{e}}}" for e in row]
    return "(" + ", ".join(texts) + ")"


def _system(solved: Solved) -> str:
    asked, field = solved.asked, solved.asked.field
    text = r"$\sum_S w_S S = (1,\dots,1)$"
    if solved.tight:
        text += r" and $\sum_S w_S (S_j - \gamma S_l)_+ = \delta$ for the tight pairs"
    if solved.is_equal:
        text += (
            r", with $T M T^T = \mu\, T T^T$ for the differences $T r = (r_1 - r_k, \dots, r_{k-1} - r_k)$ "
            r"(all eigenvalues of $n$ Cov are $1/\mu$),"
        )
    text += " determine the weights. "
    text += {
        "covariance": r"The prices of the information solve $M G = C^T$",
        "determinant": r"The prices of the information are $G G^T = M^{-1}$",
        "eigenvalue": r"The prices of the information are $G G^T$, positive semidefinite, with columns of sum 0",
    }[asked.kind]
    if asked.kind == "eigenvalue" and not solved.is_equal:
        text += r" (G is the eigenvector of the largest eigenvalue of $n$ Cov)"
    if asked.k <= _MOST_PRINTED:
        square = sp.Matrix([[field.expression(x) for x in line] for line in solved.square])
        text += f", here $$G G^T = {sp.latex(square)}.$$"
    else:
        text += ". "
    text += "The prices of the columns solve (1) with equality on the rows above:\n\n$$"
    names = [f"y_{{{j + 1}}} = {sp.latex(field.expression(y))}" for j, y in enumerate(solved.prices)]
    names += [
        f"z_{{{j + 1}{other + 1}}} = {sp.latex(field.expression(z))}"
        for (j, other), z in zip(solved.tight, solved.pair_prices, strict=True)
    ]
    return text + r",\quad ".join(names[:_MOST_LINES]) + (r",\ \dots" if len(names) > _MOST_LINES else "") + "$$"


def _value(solved: Solved, value: Any) -> str:
    head = {
        "covariance": r"2\operatorname{tr} C G - \sum_j y_j - \delta\sum z_{jl} - |C\pi|^2",
        "determinant": r"\ln\det M",
        "eigenvalue": r"|G|^2/(\sum_j y_j + \delta\sum z_{jl})",
    }[solved.asked.kind]
    if not solved.asked.has_delta:
        head = head.replace(r" - \delta\sum z_{jl}", "").replace(r" + \delta\sum z_{jl}", "")
    return f"v = {head} = {sp.latex(value)}"


def _proof(solved: Solved) -> str:
    edges = len(solved.all_rows())
    text = "The prices satisfy on every edge $r$ of the cells" + _inequality(solved.asked.has_delta).replace(
        r"\cdot q", r"\cdot\pi"
    )
    text += (
        r"Divided by $r\cdot\pi$, the left side is convex and homogeneous, and the right side is linear on each cell "
        r"between the planes $r_j = 0$ and $r_j = \gamma r_l$. So it suffices to test the edges: of "
        f"{edges} edges, {len(solved.rows)} hold with equality; the other {edges - len(solved.rows)} are conditions of "
        "the region below. "
    )
    if solved.asked.kind == "covariance":
        text += (
            r"Dividing by $p_i\cdot\pi$ and adding up over the rows of $P$, $\operatorname{tr} G^T M_P G \le c$ "
            r"with $c = \sum y_j + \delta\sum z_{jl}$. From $|M_P^{-1/2}C^T - M_P^{1/2}G|^2 \ge 0$, "
            r"$$\operatorname{tr} C\,\mathrm{Cov}_P\,C^T = \operatorname{tr} C M_P^{-1} C^T - |C\pi|^2 "
            r"\ge 2\operatorname{tr} C G - c - |C\pi|^2 = v.$$"
        )
    else:
        text += _bound(solved.asked.kind).replace(r"\cdot q", r"\cdot\pi")
    return text + " The weights attain it. ∎"


def _numbers(solved: Solved, value: Any, numeric: float | None) -> str:
    point = solved.asked.field.values
    told = ", ".join(rf"$\{symbol.name} = {sp.latex(number)}$" for symbol, number in point.items())
    exact = value.xreplace(point)
    short_form = f"{sp.latex(exact)} = " if exact.is_Rational and len(str(exact)) < 20 else ""
    cvxpy = "" if numeric is None else f" CVXPY finds ${numeric:.10g}$."
    return f"At {told}: $v = {short_form}{sp.N(exact, 12)}$.{cvxpy}"


def _end(number: Any) -> str:
    """Return an end of a region: exactly if it is a radical, else in decimals, as an exact root of its polynomial."""
    return f"{sp.N(number, 12)}\\dots" if number.has(sp.CRootOf) else str(sp.latex(number))


def _decimals(numbers: Sequence[Fraction]) -> str:
    return ", ".join(decimal_text(x, 6) for x in numbers)
