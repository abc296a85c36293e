"""Families of designs in SymPy: the optimum as ``Min`` of the formulas, and their mechanisms put into the definition.

At given sizes the definition of a member is written out: a matrix with a row for each output and a column for each
category, whose entries are rational functions of gamma and the other parameters. Each column must sum to 1, gamma times
an entry less another one of its row must be nonnegative for all values, and the expected cost must be the formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.results.twins import EQUAL, Twin
from rropt.core.visible import with_noun
from rropt.symbolic.derivations import FITTED
from rropt.symbolic.symbols import gamma

_SIZES = 2  # values of each whole parameter at which the definition is written out
_MOST_CATEGORIES = 12
_LONGEST = 300  # characters of a form


def to_sympy(result: Any) -> sp.Expr:
    """Return the optimum as ``Min`` (of payoffs ``Max``) of the formulas in the parameters and ``gamma``.

    >>> from rropt.designs.problem_families.family import family
    >>> print(to_sympy(family("reject", fast=True)))
    Min(a, (k - 1)/(gamma + k - 1))
    """
    values = [expression(formula.tree) for formula in result.formulas]
    return (sp.Min if result.problem.sense == "minimise" else sp.Max)(*values)


def symbol(name: str) -> sp.Symbol:
    """Return the symbol of a parameter or of gamma."""
    return gamma if name == "gamma" else sp.Symbol(name, real=True)


def expression(tree: Any) -> sp.Expr:
    """Return a formula of a certificate as an expression."""
    if isinstance(tree, str):
        return symbol(tree) if tree[0].isalpha() else sp.Rational(tree)
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return -expression(parts)
    if operation == "power":
        return expression(parts[0]) ** int(parts[1])
    found = [expression(part) for part in parts]
    if operation == "quotient":
        return found[0] / found[1]
    return sp.Add(*found) if operation == "sum" else sp.Mul(*found)


def sympy_twin(result: Any) -> Twin:
    """Return the twin: the mechanism of each formula in the definition, at small sizes.

    Raises:
        RouteDisagreementError: a mechanism is none, is not private, or has another cost than its formula.
    """
    problem = result.problem.certified()
    count = 0
    for sizes in _sizes(problem):
        counts = [int(expression(one["size"]).subs(sizes)) for one in problem["classes"]]
        if sum(counts) > _MOST_CATEGORIES:
            continue
        count += 1
        for formula in result.formulas:
            _require_definition(problem, formula, sizes, counts)
    if not count:
        return Twin.missing("SymPy", f"more than {_MOST_CATEGORIES} categories at the smallest sizes")
    form = str(to_sympy(result))
    return Twin(
        "SymPy",
        value=f"{with_noun(len(result.formulas), 'mechanism')} at {with_noun(count, 'size')}",
        agrees=EQUAL,
        form=form if len(form) <= _LONGEST else None,
        domain=result.domain,
    )


def _sizes(problem: Any) -> Iterator[dict[sp.Symbol, int]]:
    """Yield the first values of the whole parameters."""
    whole = [(symbol(one["name"]), int(one["from"])) for one in problem["parameters"] if one["whole"]]
    for steps in product(range(_SIZES), repeat=len(whole)):
        yield {name: low + step for (name, low), step in zip(whole, steps, strict=True)}


def _require_definition(problem: Any, formula: Any, sizes: Mapping[sp.Symbol, int], counts: list[int]) -> None:
    rows, costs = _matrix(problem, formula, sizes, counts)
    columns = range(sum(counts))
    # categories of a class have the same entries, in other rows: each sum, and each pair of entries, is decided once
    same: dict[tuple[Any, ...], int] = {}
    for j in columns:
        same.setdefault(tuple(sorted(Counter(row[j] for row in rows).items(), key=str)), j)
    for j in same.values():
        if sp.cancel(sum(row[j] for row in rows) - 1) != 0:
            raise RouteDisagreementError(
                f"SymPy: column {j} of the mechanism of {formula} does not sum to 1 at {sizes}"
            )
    values = _variables(problem)
    for one, other in dict.fromkeys(pair for row in rows for pair in product(dict.fromkeys(row), repeat=2)):
        if not _is_nonnegative(sp.cancel((gamma * one - other).subs(values))):
            raise RouteDisagreementError(f"SymPy: the mechanism of {formula} is not private at {sizes}")
    cost = sum(row[j] * own[j] for row, own in zip(rows, costs, strict=True) for j in columns)
    if sp.cancel(cost - expression(formula.tree).subs(sizes)) != 0:
        raise RouteDisagreementError(f"SymPy: the mechanism of {formula} has the cost {sp.cancel(cost)} at {sizes}")


def _matrix(
    problem: Any, formula: Any, sizes: Mapping[sp.Symbol, int], counts: list[int]
) -> tuple[list[list[sp.Expr]], list[list[sp.Expr]]]:
    """Return the entries of the mechanism, and the part of each entry in the cost."""
    classes = [i for i, n in enumerate(counts) for _ in range(n)]
    shares = [expression(one["share"]).subs(sizes) for one in problem["classes"]]
    weights = [expression(row["weight"]).subs(sizes) for row in formula.rows]
    over = sum(weights) + gamma - 1
    rows, costs = [], []
    for h, decision in enumerate(problem["decisions"]):
        own = None if decision["own"] is None else int(decision["own"])
        members = [None] if own is None else [j for j, i in enumerate(classes) if i == own]
        listed = [(row, x) for row, x in zip(formula.rows, weights, strict=True) if int(row["decision"]) == h]
        reduced: dict[tuple[int, ...], sp.Expr] = {}
        for member in members if listed else ():
            entries, parts = [], []
            for j, i in enumerate(classes):
                digits = tuple(int(row["own"]) if j == member else int(row["classes"][i]) for row, _ in listed)
                if digits not in reduced:
                    terms = [x * (gamma if bit else 1) for bit, (_, x) in zip(digits, listed, strict=True)]
                    reduced[digits] = sp.cancel(sum(terms) / (len(members) * over))
                entries.append(reduced[digits])
                cost = decision["right"] if j == member else decision["costs"][i]
                parts.append(shares[i] * expression(cost).subs(sizes))
            rows.append(entries)
            costs.append(parts)
    return rows, costs


def _variables(problem: Any) -> dict[sp.Symbol, sp.Expr]:
    """Return gamma and the parameters that are no whole numbers as functions of positive variables."""
    values: dict[sp.Symbol, sp.Expr] = {gamma: 1 + sp.Symbol("u", positive=True)}
    for one in problem["parameters"]:
        if not one["whole"]:
            t, low = sp.Symbol(f"t_{one['name']}", positive=True), sp.Rational(one["from"])
            values[symbol(one["name"])] = low + t if one["to"] is None else (low + sp.Rational(one["to"]) * t) / (1 + t)
    return values


def _is_nonnegative(value: sp.Expr) -> bool:
    """Return whether a rational function of positive variables has coefficients of one sign in each part."""
    above, below = sp.fraction(sp.cancel(value))
    signs = []
    for part in (above, below):
        symbols = sorted(part.free_symbols, key=str)
        coefficients = sp.Poly(part, *symbols).coeffs() if symbols else [part]
        if not (all(x >= 0 for x in coefficients) or all(x <= 0 for x in coefficients)):
            return False
        signs.append(1 if sum(coefficients) >= 0 else -1)
    return above == 0 or signs[0] == signs[1]


# --- LaTeX -----------------------------------------------------------------------------------------------------------


def to_latex(result: Any) -> str:
    r"""Return the theorem in LaTeX: the statement, a table of mechanisms, the duals, and the identities as an appendix.

    The packages are amsmath, amssymb and graphicx. Polynomials are broken into lines by LaTeX; a wide formula or table
    is made smaller.
    """
    problem = result.problem
    formulas = [sp.latex(expression(formula.tree)) for formula in result.formulas]
    classes = [
        f"${sp.latex(expression(one['size']))}$ of proportion ${sp.latex(expression(one['share']))}$"
        for one in problem.certified()["classes"]
    ]
    least = r"\min" if problem.sense == "minimise" else r"\max"
    names = ",".join(f"v_{{{number}}}" for number in range(1, len(formulas) + 1))
    lines = [
        r"\begingroup\sloppy\emergencystretch\linewidth",
        FITTED,
        r"\paragraph{Theorem.} Let the categories have the classes " + "; ".join(classes) + ".",
        f"For all ${_domain(result)}$ the optimal expected {'cost' if problem.sense == 'minimise' else 'payoff'} is",
        f"${least}\\{{{names}\\}}$ with",
        *(rf"\[ \fitted{{v_{{{number}}} = {one}}} \]" for number, one in enumerate(formulas, 1)),
        *_mechanisms(result),
        *_proofs(result),
        r"\par\endgroup",
    ]
    return "\n".join(lines)


def _domain(result: Any) -> str:
    parts = []
    for one in result.problem.certified()["parameters"]:
        name = sp.latex(symbol(one["name"]))
        if one["whole"]:
            parts.append(rf"{name} \in \{{{one['from']}, {int(one['from']) + 1}, \ldots\}}")
        elif one["to"] is None:
            parts.append(f"{name} > {one['from']}")
        else:
            parts.append(f"{one['from']} < {name} < {one['to']}")
    return r",\ ".join([*parts, r"\gamma > 1"])


def _plain(text: str) -> str:
    return "".join({"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$"}.get(c, c) for c in text)


def _mechanisms(result: Any) -> list[str]:
    """Return a table for each formula: the probability of each output at each class."""
    names = [_plain(one.name) for one in result.problem.classes]
    lines = [r"\paragraph{Mechanisms.} The probability of each output:"]
    for number, formula in enumerate(result.formulas, 1):
        rows = [" & ".join([f"for $v_{{{number}}}$", *(f"at {name}" for name in names), "at its own"]) + r" \\ \hline"]
        for name, places, own in formula.entry_trees():
            cells = ["" if tree is None else f"${sp.latex(expression(tree))}$" for tree in (*places, own)]
            rows.append(r"\rule{0pt}{4ex}" + " & ".join([_plain(name), *cells]) + r" \\[1ex]")
        table = rf"\begin{{tabular}}{{l{'l' * len(names)}l}}" + "\n" + "\n".join(rows) + "\n" + r"\end{tabular}"
        lines += [r"\begin{center}", rf"\fitted{{\text{{{table}}}}}", r"\end{center}"]
    return lines


def _polynomial(terms: Any, names: list[str]) -> sp.Expr:
    """Return a polynomial of a certificate in the variables."""
    symbols = [sp.Symbol(f"t_{name}") for name in names] + [sp.Symbol("u")]
    total = sp.Integer(0)
    for coefficient, *exponents in terms:
        total += sp.Rational(coefficient) * sp.Mul(*[x ** int(e) for x, e in zip(symbols, exponents, strict=True)])
    return total


def _broken(polynomial: sp.Expr) -> str:
    """Return a polynomial in LaTeX without braces around its terms, so that lines may end within it."""
    return str(sp.latex(polynomial)).replace(r"\left(", "(").replace(r"\right)", ")")


def _proofs(result: Any) -> list[str]:
    """Return the duals, and the identities as an appendix."""
    names = [one["name"] for one in result.problem.certified()["parameters"]]
    written = ", ".join(
        f"${sp.latex(symbol(one['name']))} = {_substitution(one)}$" for one in result.problem.certified()["parameters"]
    )
    with_all = f"With {written} and " if written else "With "
    lines = [rf"\paragraph{{Duals.}} {with_all}$\gamma = 1 + u$ the dual of $v_i$ is $y = (N_1, N_2, \dots)/D$:\par"]
    appendix = [
        r"\paragraph{Identities.} Where $v_i$ is the optimum, its hypotheses $g_1, g_2, \dots$ are nonnegative. The "
        r"last factor of each left side is a condition of the dual. All polynomials beside conditions and hypotheses "
        r"have nonnegative coefficients.\par"
    ]
    for number, proof in enumerate(result.certificate.proof["formulas"], 1):
        known = [_broken(_polynomial(pair[1], names)) for pair in proof["differences"] if pair is not None]
        _tree_lines(proof["tree"], f"$v_{{{number}}}$", names, lines, appendix, known)
    return [*lines, *appendix]


def _substitution(one: Any) -> str:
    t = f"t_{{{one['name']}}}"
    if one["to"] is None:
        return f"{one['from']} + {t}"
    low = "" if one["from"] == "0" else f"{one['from']} + "
    high = "" if one["to"] == "1" else one["to"]
    return rf"\frac{{{low}{high}{t}}}{{1 + {t}}}"


def _tree_lines(
    tree: Any, label: str, names: list[str], lines: list[str], appendix: list[str], known: list[str]
) -> None:
    """Append the dual of each leaf to the lines, and its hypotheses and identities to the appendix."""
    if "split" in tree:
        h = _polynomial(tree["split"], names)
        for side, sign, relation in (("nonnegative", 1, r"\ge"), ("nonpositive", -1, r"\le")):
            own = [*known, _broken(sp.expand(sign * h))]
            where = f"{label}, where ${_broken(h)} {relation} 0$"
            _tree_lines(tree[side], where, names, lines, appendix, own)
        return
    parts = [f"$N_{{{i}}} = {_broken(_polynomial(part, names))}$" for i, part in enumerate(tree["dual"], 1)]
    lines.append(
        rf"\noindent {label}: $D = {_broken(_polynomial(tree['denominator'], names))}$; {', '.join(parts)}.\par"
    )
    hypotheses = [f"$g_{{{j}}} = {one}$" for j, one in enumerate(known, 1)]
    appendix.append(rf"\noindent {label}: {', '.join(hypotheses) or 'no hypotheses'}.\par")
    for identity in tree["identities"]:
        factor = _polynomial(identity["factor"], names)
        left = f"({_broken(factor)}) \\cdot " if len(identity["factor"]) > 1 else ""
        condition = _broken(_polynomial(identity["condition"], names))
        terms = []
        for j, part in enumerate(identity["multipliers"]):
            if part:
                written = _broken(_polynomial(part, names))
                terms.append(written if j == 0 else f"({written})\\,g_{{{j}}}")
        appendix.append(rf"\noindent $ {left}({condition}) = {' + '.join(terms) or '0'}$\par")
