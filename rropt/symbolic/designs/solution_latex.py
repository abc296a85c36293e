"""A design as a result for a paper: its statement, its closed form as mathematics, its mechanism, and a table."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import both_texts
from rropt.core.results.markup import latex_table, tex, tex_number
from rropt.mechanisms.displays import mechanism_latex
from rropt.symbolic.derivations import FITTED, LONGEST, in_line, math
from rropt.symbolic.designs.problem import posing_of
from rropt.symbolic.posing import Form, factored
from rropt.symbolic.symbols import delta, gamma, pi

_PROCESS = ("problem", "posed twice", "closed form", "routes that agree", "routes not closed", "certificate states")
_GREEK = re.compile(r"\b(epsilon|delta|gamma)\b")


def to_latex(solution: Any) -> str:
    r"""Return the design as a result for a paper, for the packages amsmath, amssymb, booktabs and graphicx.

    The text has a sentence that states the problem and the optimum, the closed form with its conditions and its source
    if there is one, the mechanism, a table of the other numbers, and as an appendix the derivation.

    >>> import rropt
    >>> print(to_latex(rropt.design.binary("1/4", epsilon="log(3)")).split("\n")[4])
    - \frac{\left(\gamma \pi - \gamma - \pi\right) \left(\gamma \pi - \pi + 1\right)}{\left(\gamma - 1\right)^{2}},
    """
    objective, title = solution.problem.objective, solution.problem.objective.title
    name, _, setting = str(solution.problem).partition(": ")
    value = _number(both_texts(solution.value))
    if not solution.is_closed:
        value += f", between {_number(both_texts(solution.lower))} and {_number(both_texts(solution.upper))}"
    sense = "smallest" if objective.sense == "minimise" else "largest"
    parts = [
        f"\\textbf{{Result}} ({tex(name)}).",
        f"At {_greek(tex_number(setting))}, the {sense} {tex(title)} is {value}.",
    ]
    form = _form(solution)
    if form is not None:
        parts.append(_formula(form))
    parts += ["An optimal mechanism (rows are outputs, columns are categories) is", mechanism_latex(solution.mechanism)]
    lines = [line for line in solution.lines() if line[0] not in _PROCESS and not line[0].startswith("route ")]
    if solution.certificate is not None and solution.is_certified:
        lines.append(("certificate", "accepted by the independent checker"))
    return "\n".join([*parts, _table(lines), *appendix(solution)])


def result_to_latex(result: Any) -> str:
    """Return a result in LaTeX: its tables and matrices, its closed form as mathematics, and its derivation.

    The packages are amsmath, amssymb, booktabs and graphicx.
    """
    tables = [
        latex_table(title, header or (), [row for row in rows if row[0] not in ("posed twice", "closed form")])
        for title, header, rows in result.as_tables()
    ]
    matrices = [matrix.to_latex() for matrix in result.matrices().values() if hasattr(matrix, "to_latex")]
    form = _posed_form(result)
    formula = [] if form is None or not form.value.free_symbols else [_formula(form)]
    return "\n\n".join([*tables, *matrices, *formula, *appendix(result)])


def appendix(result: Any) -> list[str]:
    """Return the derivation of a result as the appendix of its LaTeX; an empty list if there is none."""
    try:
        found = result.derivation()
    except UnsupportedProblemError:
        return []
    return [f"\n\\section*{{Appendix: derivation}}\n{found.latex()}"]


def _posed_form(result: Any) -> Form | None:
    try:
        return getattr(result.to_sympy(), "form", None)
    except UnsupportedProblemError:
        return None


def _table(lines: list[tuple[str, str]]) -> str:
    return latex_table("", ("quantity", "value"), lines).replace(r"\textasciitilde{}", r"$\approx$ ")


def _number(text: str) -> str:
    return tex_number(text).replace(r"\textasciitilde{}", r"$\approx$ ")


def _form(solution: Any) -> Form | None:
    try:
        return posing_of(solution.problem).form
    except UnsupportedProblemError:
        return None


def _formula(form: Form) -> str:
    """Return the closed form as a displayed formula, its conditions, and its source; a delta of 0 is put in."""
    value, domain = form.value, form.domain
    if form.parameters.get(delta) == 0:
        value, domain = factored(value.subs(delta, 0)), sp.sympify(domain).subs(delta, 0)
    known = [r"$\gamma = e^{\varepsilon}$"] if value.has(gamma) else []
    conditions = [in_line(sp.latex(part)) for part in _conditions(domain)]
    where = f"where {known[0]}" if known else ""
    where += f"{', if' if known else 'if'} {' and '.join(conditions)}" if conditions else ""
    formula = f"{math(value)}{',' if where else '.'}"
    if len(formula) > LONGEST:
        formula = rf"\fitted{{{formula}}}"
    shown = f"In closed form it is\n\\[\n{formula}\n\\]"
    if "fitted" in shown + where:
        shown = f"{FITTED}%\n{shown}"
    told = [rf"{{\sloppy {where}.\par}}" if "fitted" in where else f"{where}." if where else ""]
    return "\n".join(filter(None, [shown, *told, f"Source: {_greek(tex(form.theorem))}."]))


def _conditions(domain: Any) -> list[Any]:
    """Return the conditions that do not hold at every level and prevalence."""
    parts = [part for part in (domain.args if isinstance(domain, sp.And) else (domain,)) if part != sp.true]
    parts = [sp.Gt(gamma, 1) if part == sp.Gt(gamma - 1, 0) else part for part in parts]
    strict = sp.Gt(gamma, 1) in parts
    return [
        part for part in parts if not (isinstance(part, sp.Ge) and (_is_plain(part) or (strict and part.lhs == gamma)))
    ]


def _is_plain(part: Any) -> bool:
    """Return whether the two sides of a condition differ by a product of squares and of pi, 1 - pi, gamma and delta."""
    difference = part.lhs - part.rhs
    if not difference.is_polynomial():
        return False
    constant, factors = sp.factor_list(difference)
    sign = sp.sign(constant)
    for base, power in factors:
        if power % 2 and base not in (pi, gamma, delta):
            if base != pi - 1:
                return False
            sign = -sign
    return bool(sign >= 0)


def _greek(text: str) -> str:
    return _GREEK.sub(lambda found: "$\\" + ("varepsilon" if found[1] == "epsilon" else found[1]) + "$", text)
