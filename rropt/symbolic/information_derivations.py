"""Half a page of proof of a design of the information: from the KKT solution, or from an enclosure, that was proved.

Every formula is printed from the proved object (``information.Solved``, ``enclosures.Enclosure``); no number is typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from rropt.core.exact.display import decimal_text
from rropt.core.results.twins import short
from rropt.core.visible import with_noun
from rropt.symbolic.derivations import (
    QED,
    Derivation,
    decimals,
    grouped,
    math,
    numbers,
    roots_named,
    row,
    shown_matrix,
    theorems,
    tight_pairs,
    where,
)
from rropt.symbolic.enclosures import Enclosure
from rropt.symbolic.information import Solved
from rropt.symbolic.posing import Form

_CRITERIA = {
    "covariance": (r"\operatorname{tr} C\,\mathrm{Cov}\,C^T", "the sum of $n$ Var of the targets"),
    "determinant": (r"\ln\det M", "the logarithm of the determinant of the information"),
    "eigenvalue": (r"\lambda_{\max}(\mathrm{Cov})", "the largest eigenvalue of $n$ Cov"),
    "numbers": (r"\max_j \mathrm{Var}(z \mid x_j)", "the largest variance of a report"),
    "polytope": (r"\max_\pi \operatorname{tr} C\,\mathrm{Cov}\,C^T", "the largest sum of $n$ Var over the polytope"),
}


def _convex(q: str, edges: int, *, has_delta: bool, has_one_level: bool = True) -> str:
    """Return the lemma that (1) is needed at the edges only."""
    text = (
        rf"Divided by $r\cdot {q}$ the left side of (1) is convex and homogeneous of degree 1 in $r$, so that it is at "
    )
    text += r"most the sum of its values at rows whose sum is $r$, and the right side is linear"
    if has_delta or not has_one_level:
        n = "" if has_one_level else "_n"
        text += rf" on each cell between the planes $r_j=0$ and $r_j=\gamma{n} r_l$ of $r\ge0$. A row "
        if not has_one_level:
            text += r"of a private $P$, for which $r_j\le\gamma_n r_l$ where $\delta_n=0$, "
        text += "is a sum of multiples of edges of its cell"
    else:
        text += (
            r". A row of a private $P$ is in the cone $r_j\le\gamma r_l$, a sum of multiples of its edges, the rows of "
        )
        text += r"1 and $\gamma$ that are not constant"
    return f"{text}: so (1) holds for all of them if it holds at the {edges} edges. "


def of_solution(title: str, solved: Solved, twins: Mapping[str, Any], theorem: Form | None = None) -> Derivation:
    """Return the proof of a closed form.

    Args:
        title: what is solved.
        solved: the KKT solution, proved optimal at the level.
        twins: the numbers at the level by their origin.
        theorem: the form that a theorem gives, if there is one.
    """
    asked = solved.asked
    same = ""
    if theorem is not None and theorem.value.equals(solved.value_expression()):
        same = f"A theorem gives the same value for {where(theorem.domain)}: {theorem.theorem}."
    edges = _convex(r"\pi", len(solved.all_rows()), has_delta=asked.has_delta)
    return Derivation(
        title,
        (
            ("Problem", _problem(solved)),
            ("Active set", _active(solved)),
            ("KKT system", _system(solved)),
            ("Value", f"$${_value(solved)}.$$"),
            ("Proof", _proof(solved)),
            ("Region", _region(solved)),
            ("Numbers", numbers(asked.values, twins)),
        ),
        behind=(
            ("Weights", _weights(solved)),
            ("Prices", _prices(solved)),
            ("Edges", edges),
            *_roots(solved),
            *([("Known form", same)] if same else []),
            theorems({"edges": "That the edges suffice", asked.kind: "A bound of this kind by prices of rows"}),
        ),
    )


def _problem(solved: Solved) -> str:
    asked = solved.asked
    what, words = _CRITERIA[asked.kind]
    sense = "Maximize" if asked.kind == "determinant" else "Minimize"
    shares = ",".join(math(sp.Rational(p.numerator, p.denominator)) for p in asked.population)
    privacy = r"\sum_i (p_{ij}-\gamma p_{il})_+\le\delta" if asked.has_delta else r"p_{ij}\le\gamma p_{il}"
    text = (
        f"{sense} ${what}$, {words}, over $P\\ge0$ with any number of rows $p_i$ (outputs), {asked.k} columns of sum 1 "
        f"(categories, counted from 0), and ${privacy}$ for all $j\\ne l$. $\\pi = ({shares})$, "
        r"$M = \sum_i p_i p_i^T/(p_i\cdot\pi)$ is the information, and $\mathrm{Cov} = M^{-1} - \pi\pi^T$ is $n$ times "
        "the covariance of the estimated proportions."
    )
    if asked.kind == "covariance":
        C = sp.ImmutableMatrix([[sp.Rational(x.numerator, x.denominator) for x in line] for line in asked.targets])
        is_identity = C.shape[0] == C.shape[1] and sp.eye(asked.k) == C
        text += " $C$ is the identity." if is_identity else f" The targets are $C = {sp.latex(C)}$."
    if asked.kind == "covariance" and len(asked.targets) < asked.k:
        text += r" If $M$ is singular, $M^{-1}$ is its generalized inverse on what the design identifies."
    return text


def _active(solved: Solved) -> str:
    text = f"CVXPY finds weight on {with_noun(len(solved.rows), 'row')}"
    if solved.asked.has_delta:
        text += f", and {tight_pairs(solved.tight, solved.asked.k)}"
    return f"{text}. The list of weights is below."


def _weights(solved: Solved) -> str:
    field = solved.asked.field
    named = (
        (field.expression(w), f"${row(exponents)}$") for w, exponents in zip(solved.weights, solved.rows, strict=True)
    )
    return f"The weights $w_S$ of the rows $S$ are\n\n{grouped(named, field.values)}\n"


def _system(solved: Solved) -> str:
    text = r"Weights: $\sum_S w_S S = (1,\dots,1)$"
    if solved.tight:
        text += r" and $\sum_S w_S (S_j - \gamma S_l)_+ = \delta$ for the tight pairs"
    if solved.is_equal:
        text += (
            r" and $T M T^T = \mu\, T T^T$, linear in $w$ and $\mu$, with $T r = (r_0 - r_{k-1}, \dots, r_{k-2} - "
            r"r_{k-1})$. As $M\,\mathrm{Cov} = I - 1\pi^T$ and "
            r"$\mathrm{Cov}\,1=0$, all eigenvalues of Cov on the contrasts are then $1/\mu$"
        )
    text += ". "
    text += {
        "covariance": r"Prices of the information: $M G = C^T$",
        "determinant": r"Prices of the information: $G G^T = M^{-1}$",
        "eigenvalue": r"Prices of the information: $G G^T\succeq0$, whose columns sum to 0",
    }[solved.asked.kind]
    if solved.asked.kind == "eigenvalue":
        text += "" if solved.is_equal else r": $G$ is the eigenvector of the largest eigenvalue of Cov"
    return f"{text}. Prices $y${' and $z$' if solved.tight else ''}: (1) with equality on these rows."


def _prices(solved: Solved) -> str:
    field = solved.asked.field
    square = sp.Matrix([[field.expression(x) for x in line] for line in solved.square])
    text = f"The prices of the information are {shown_matrix('G G^T', square, field.values)}"
    if any(solved.free):
        text += (
            f" The equations leave {with_noun(sum(solved.free), 'unknown')} free, with CVXPY's values, rounded to "
            "denominators of at most a million."
        )
    names = [(field.expression(y), f"$y_{{{j}}}$") for j, y in enumerate(solved.prices)]
    names += [
        (field.expression(z), f"$z_{{{j}{other}}}$")
        for (j, other), z in zip(solved.tight, solved.pair_prices, strict=True)
    ]
    return f"{text}\n\n{grouped(names, field.values, '=')}\n"


def _paid(solved: Solved) -> str:
    return r"\sum_j y_j" + (r" + \delta\sum_{jl} z_{jl}" if solved.asked.has_delta else "")


def _value(solved: Solved) -> str:
    head = {
        "covariance": r"2\operatorname{tr} C G - c - |C\pi|^2",
        "determinant": r"\ln\det M",
        "eigenvalue": r"|G|^2/c",
    }[solved.asked.kind]
    return f"v = {head} = {math(solved.value_expression())},\\quad c = {_paid(solved)}"


def _inequality(q: str, *, has_delta: bool, has_one_level: bool = True) -> str:
    more = r" + \sum_{jl} z_{jl}(r_j - \gamma r_l)_+" if has_delta else ""
    if has_delta and not has_one_level:
        more = r" + \sum_{njl} z_{njl}(r_j - \gamma_n r_l)_+"
    return rf"$$|G^T r|^2 \le \big(y\cdot r{more}\big)\,(r\cdot {q}). \tag{{1}}$$"


def _added(q: str, paid: str) -> str:
    """Return the step from (1) to the bound of the trace."""
    n = "_n" if "_n" in paid else ""
    return (
        f"Divided by $p_i\\cdot {q}$ and added up over the rows of a private $P$, whose columns sum to 1"
        + (rf" and with $\sum_i (p_{{ij}}-\gamma{n} p_{{il}})_+\le\delta{n}$, $z\ge0$" if "delta" in paid else "")
        + f", it gives $\\operatorname{{tr}} G^T M_P G \\le c$ with $c = {paid}$. "
    )


_LARGEST = (
    r"The columns of $G$ have the sum 0. With $M\,\mathrm{Cov}\,G = G - 1({q}^T G)$, $\mathrm{Cov}\,M\,\mathrm{Cov} = "
    r"\mathrm{Cov}$ and the inequality of Cauchy and Schwarz, $$|G|^4 = (\operatorname{tr} G^T M\,\mathrm{Cov}\,G)^2 "
    r"\le \operatorname{tr} G^T M G\,\cdot\,\operatorname{tr} G^T \mathrm{Cov}\,G \le c\,\lambda_{\max}|G|^2,$$ so "
    r"that $\lambda_{\max}\ge|G|^2/c$. "
)
_DETERMINANT = (
    r"By the inequality of arithmetic and geometric means for the eigenvalues of $G^T M_P G$, $$\det M_P \le "
    r"(c/k)^k/\det(G)^2.$$ "
)


def _proof(solved: Solved) -> str:
    asked = solved.asked
    edges = len(solved.all_rows())
    text = "For every row $r$ of a private mechanism, "
    text += _inequality(r"\pi", has_delta=asked.has_delta)
    others = edges - len(solved.rows)
    text += (
        f" By the lemma on edges (below) it is needed at {edges} rows: at the {len(solved.rows)} with weight, where "
    )
    text += (
        f"it is an equality, and at {with_noun(others, 'other')}, where it was tested at the level. "
        if others
        else "it is one. "
    )
    text += _added(r"\pi", _paid(solved))
    if asked.kind == "covariance":
        text += (
            r"From $|M_P^{-1/2}C^T - M_P^{1/2}G|^2 \ge 0$, $$\operatorname{tr} C\,\mathrm{Cov}_P\,C^T = "
            r"\operatorname{tr} C M_P^{-1} C^T - |C\pi|^2 \ge 2\operatorname{tr} C G - c - |C\pi|^2 = v.$$ For the $P$ "
            r"of the weights $MG=C^T$, so that the square is 0, and $\operatorname{tr} G^T M G=c$ by the equalities in "
            r"(1): the value is $v$. "
        )
    elif asked.kind == "determinant":
        text += _DETERMINANT + r"Here $c=k$ and $GG^T=M^{-1}$, so that the right side is $\det M$ of the weights. "
    else:
        text += _LARGEST.replace("{q}", r"\pi") + r"The $P$ of the weights has $\lambda_{\max}=v$"
        text += (
            ", since all eigenvalues are equal. "
            if solved.is_equal
            else ": the coefficients of the characteristic polynomial of $vI-\\mathrm{Cov}$ alternate in sign, so that "
            "no eigenvalue is larger. "
        )
    return f"{text}{QED}"


def _region(solved: Solved) -> str:
    if solved.asked.is_at_level:
        return "The proof is for this level alone."
    kinds = ["the weights", *(["$z$", "the slacks of other pairs"] * solved.asked.has_delta)]
    if solved.extra:
        kinds.append(
            "the coefficients of a characteristic polynomial with alternating signs, "
            + ("so that $GG^T\\succeq0$" if solved.is_equal else "so that no eigenvalue is larger")
        )
    return (
        f"The equations hold at all levels. The {with_noun(len(solved.at_delta.conditions), 'sign')} of "
        f"{', '.join(kinds)}, and "
        "of the right side of (1) minus the left one at the other edges, are right at the level, and at least for "
        f"{where(solved.domain(), has_roots=False)}."
    )


def _roots(solved: Solved) -> tuple[tuple[str, str], ...]:
    """Return the paragraph of the polynomials whose roots the ends of the region are; none if there are none."""
    text = "" if solved.asked.is_at_level else roots_named(solved.domain())
    return (("Roots", f"In the region, {text}."),) if text else ()


def of_enclosure(title: str, own: Enclosure, why: str, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of rational bounds, with the design and the witness that prove them.

    Args:
        title: what is solved.
        own: the bounds; they are checked again.
        why: why there is no closed form.
        twins: the numbers at the level by their origin.
    """
    own.check()
    asked = own.asked
    what, words = _CRITERIA[asked.kind]
    is_largest = asked.kind == "determinant"
    ends = [decimal_text(x, 15) for x in (own.lower, own.upper)]
    attained, proved = ("lower", "upper") if is_largest else ("upper", "lower")
    has_delta = any(level.delta for level in asked.above)
    level = _levels(own)
    paid = r"\sum_j y_j"
    if has_delta:
        paid += r" + \delta\sum_{jl} z_{jl}" if asked.has_one_level else r" + \sum_n\delta_n\sum_{jl} z_{njl}"
    sum_z = f" and $z$ with the sum {decimal_text(sum(z for _, z in own.pair_prices), 6)}" if has_delta else ""
    largest = max(own.design, key=max)
    return Derivation(
        title,
        (
            (
                "Problem",
                f"{'Maximize' if is_largest else 'Minimize'} ${what}$, {words}, over private $P$ with any number of "
                f"outputs and {asked.k} categories, at {level}. {_sentence(why)} These are "
                f"bounds, "
                "which know nothing of the solver but the fractions near its floats.",
            ),
            (
                "Design",
                f"A matrix of {with_noun(len(own.design), 'output')} is private, exactly. Its value by the "
                f"definition is the "
                f"{attained} bound{_how_attained(asked.kind)}. Its row with the largest entry is "
                f"({decimals(largest)}), "
                "in six digits.",
            ),
            (
                "Witness",
                f"Let $q = ({decimals(own.prior)})$, $y = ({decimals(own.prices)})${sum_z}, and let $G$ be a matrix of "
                f"shape ({asked.k}, {len(own.directions[0])}), here in six digits. `enclosure()` returns all "
                f"fractions, "
                "and its `check()` repeats this proof. On every edge $r$, in fractions, "
                + _inequality("q", has_delta=has_delta, has_one_level=asked.has_one_level),
            ),
            (
                "Proof",
                f"By the lemma on edges (below) (1) is needed at {len(asked.rows)} rows, where it was tested. "
                + _added("q", paid)
                + _bound(asked.kind)
                + QED,
            ),
            (
                "Numbers",
                f"The optimum is in $[{ends[0]},\\ {ends[1]}]$; the bounds are {short(own.width)} apart, "
                + ("" if is_largest else "relative to their size, ")
                + f"and the {proved} one is that of the witness. {numbers({}, twins)}",
            ),
        ),
        behind=(
            (
                "Edges",
                _convex("q", len(asked.rows), has_delta=has_delta, has_one_level=asked.has_one_level),
            ),
            theorems({"edges": "That the edges suffice", asked.kind: "A bound of this kind by prices of rows"}),
        ),
    )


def _levels(own: Enclosure) -> str:
    """Return the levels of an enclosure, with their pairs if there are several."""
    asked, found = own.asked, []
    for n, level in enumerate(asked.below):
        place = "" if asked.has_one_level else f"_{n}"
        text = f"$\\gamma{place} = {decimal_text(level.gamma, 12)}$"
        if level.delta or not asked.has_one_level:
            text += f" and $\\delta{place} = {decimal_text(level.delta, 12)}$"
        if len(level.pairs) < asked.k * (asked.k - 1):
            text += f" for the pairs {', '.join(f'$({j},{other})$' for j, other in level.pairs)}"
        found.append(text)
    text = "; ".join(found)
    if asked.below != asked.above:
        text += (
            " (irrational: the design is private at rational levels just below, and the bound is proved at ones just "
            "above, 30 digits apart)"
        )
    return text


def _sentence(why: str) -> str:
    return f"{why[:1].upper()}{why[1:].rstrip('.')}."


def _how_attained(kind: str) -> str:
    return {
        "eigenvalue": ", rounded up: the difference of a multiple of the identity and Cov has positive pivots",
        "determinant": ", its logarithm rounded down",
        "numbers": ": the largest variance of unbiased reports",
        "polytope": ": the largest variance of unbiased estimates, of which $-|C\\pi|^2$ is replaced by a tangent, "
        "which is not smaller",
    }.get(kind, "")


def _bound(kind: str) -> str:
    if kind == "determinant":
        return _DETERMINANT
    if kind == "eigenvalue":
        return _LARGEST.replace("{q}", "q")
    square = (
        r"Let $D = C - Cq1^T$. As $M^{-1}1=q$, $\operatorname{tr} C\,\mathrm{Cov}\,C^T = \operatorname{tr} D M^{-1} "
        r"D^T$ at $q$, and from $|M^{-1/2}D^T - M^{1/2}G|^2 \ge 0$ $$\operatorname{tr} C\,\mathrm{Cov}\,C^T \ge "
        r"2\operatorname{tr} D G - c.$$ "
    )
    more = {
        "numbers": r"Here $C=x$ is the row of the numbers. The largest variance of a report is at least its mean under "
        r"$q$, which is $\operatorname{tr} C\,\mathrm{Cov}\,C^T-\operatorname{Var}_q(x)$: the bound is "
        r"$2\operatorname{tr} D G - c-\operatorname{Var}_q(x)$. ",
        "polytope": r"The distribution $q$ is in the polytope, so that the largest value is at least that at $q$. ",
    }
    return square + more.get(kind, "")
