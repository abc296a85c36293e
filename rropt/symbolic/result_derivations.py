"""Half a page of proof for results that are no k-ary design problem, written from verified objects.

Each function returns a ``derivations.Derivation``. Each formula in it is an object that was derived or tested for this
result; no number is typed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.core.visible import with_noun
from rropt.symbolic.derivations import (
    QED,
    Derivation,
    end,
    grouped,
    math,
    matrix,
    number,
    numbers,
    shown_matrix,
    theorems,
    where,
)
from rropt.symbolic.derivations import row as row_text
from rropt.symbolic.fields import region
from rropt.symbolic.programs import Vertex
from rropt.symbolic.symbols import delta, exact, gamma

_MOST_PIECES = 8  # that are written out


def _name(label: Any, gammas: Sequence[str], change: str) -> str:
    """Return the label of a condition in words with formulas."""
    word, *places = label
    if word in ("ratio", "excess", "none", "delta"):
        level, *places = places
        g, d = gammas[level], r"\delta" if len(gammas) == 1 else rf"\delta_{{{level}}}"
        i, j, other = places if len(places) == 3 else (None, *places)
        return {
            "ratio": rf"$p_{{{i},{j}}}\le {g}\,p_{{{i},{other}}}$",
            "excess": rf"$e_{{{i},{j},{other}}}\ge p_{{{i},{j}}}-{g}\,p_{{{i},{other}}}$",
            "none": rf"$e_{{{i},{j},{other}}}\ge 0$",
            "delta": rf"$\sum_i e_{{i,{j},{other}}}\le {d}$",
        }[word]
    formulas = {
        "column": "the sum of column {0}",
        "kept": "the invariance of category {0}",
        "zero": r"$p_{{{0},{1}}}\ge 0$",
        "least": r"the lower bound of $p_{{{0},{1}}}$",
        "most": r"the upper bound of $p_{{{0},{1}}}$",
        "largest": r"the function {2} of part {1} of inequality {0}, at most $s_{{{0},{1}}}$",
        "inequality": "inequality {0}",
        "up": r"$p_{{{0},{1}}}-q_{{{0},{1}}}\le {change}$",
        "down": r"$q_{{{0},{1}}}-p_{{{0},{1}}}\le {change}$",
    }
    return formulas[word].format(*places, change=change.format(*places) if word in ("up", "down") else "")


def of_vertex(
    title: str, problem: str, vertex: Vertex, form: Any, gammas: Sequence[str], twins: Mapping[str, Any]
) -> Derivation:
    """Return the proof of a vertex of a linear program.

    Args:
        title, problem: what is solved.
        vertex: the vertex with its prices.
        form: its form.
        gammas: gamma of each privacy level in LaTeX.
        twins: the numbers at the level by their origin.
    """
    field = vertex.field
    change = "t" if ("t",) in vertex.point else "t_{{{0},{1}}}"
    priced = [
        (field.expression(price), _name(label, gammas, change)) for label, price in vertex.prices.items() if price
    ]
    inequalities, tight = len(vertex.conditions), len(vertex.prices)
    equations = sum(label not in vertex.conditions for label in vertex.prices)
    m, k = form.mechanism.shape
    labels: Any = list(vertex.conditions)
    excesses, changes = (any(label[0] == word for label in labels) for word in ("delta", "up"))
    more = [r"the excesses $e_{i,j,l}\ge(p_{ij}-\gamma p_{il})_+$"] * excesses + [
        "the changes $t$" if ("t",) in vertex.point else "the changes $t_{i,j}$"
    ] * changes
    unknowns = f"the entries $p_{{ij}}$ ({m} outputs $i$ and {k} categories $j$, counted from 0)"
    unknowns += "".join(f", {each}" for each in more)
    return Derivation(
        title,
        (
            (
                "Problem",
                f"{problem} This is a linear program in {unknowns}: minimize $c\\cdot x$ (of a maximum, minus "
                "it) subject to equations and inequalities $a_i\\cdot x\\le b_i$, which are linear in $x$ and rational "
                "in the level.",
            ),
            (
                "Active set",
                f"There are {equations} equations and {inequalities} inequalities. CVXPY finds {tight - equations} "
                "inequalities tight that determine a vertex together with the equations.",
            ),
            (
                "KKT system",
                f"Their equations, solved over the rational functions of the level, give "
                f"{shown_matrix('P', form.mechanism, form.parameters)} The prices $y_i$ (below) solve "
                "$c+\\sum_i y_i a_i=0$, and are 0 for all other conditions.",
            ),
            ("Value", f"$$v = {math(form.value)}.$$"),
            (
                "Proof",
                "For every $x$ that satisfies the conditions, $$c\\cdot x + \\sum_i y_i b_i = \\sum_i "
                "y_i\\,(b_i-a_i\\cdot x)\\ge 0,$$ because the prices of the inequalities are nonnegative, and those of "
                "the equations multiply 0. At the vertex the right side is 0, so that $-\\sum_i y_i b_i=c\\cdot x$ "
                "there, which was also computed. The slacks of the other conditions are nonnegative there, so that the "
                "vertex satisfies "
                f"all conditions. {QED}",
            ),
            (
                "Region",
                f"Prices and slacks are {inequalities} rational functions of the level. They are nonnegative at the "
                f"level, exactly, and at least for {where(region(field, list(vertex.conditions.values())))}.",
            ),
            ("Numbers", numbers(form.parameters, twins)),
        ),
        behind=(
            ("Prices", f"They are, for each tight condition,\n\n{grouped(priced, form.parameters)}\n"),
            theorems({"linear program": "Weak duality of linear programs"}),
        ),
    )


# --- binary designs ---------------------------------------------------------------------------------------------------

_BINARY = (
    r"Minimize $n\,\mathrm{Var} = \lambda(1-\lambda)/(p_{00}+p_{11}-1)^2$, $\lambda=(1-\pi)(1-p_{00})+\pi p_{11}$, "
    r"over all $p_{00}+p_{11}>1$ with "
)
_INFORMATION = (
    r"$1/(n\,\mathrm{Var})=\sum_i (p_{i1}-p_{i0})^2/(p_i\cdot\pi)$ is the Fisher information: with two outputs both "
    r"differences are $\pm(p_{00}+p_{11}-1)$, and $1/\lambda+1/(1-\lambda)=1/(\lambda(1-\lambda))$. Each term $u^2/v$, "
    r"with $u$ and $v>0$ affine in $(p_{00},p_{11})$, is convex. "
)


def of_two_outputs(
    title: str, points: Sequence[Any], form: Any, conditions: Sequence[Any], key: str, twins: Mapping[str, Any]
) -> Derivation:
    """Return the proof of a binary design with two outputs: the best vertex of the region.

    Args:
        title: what is solved.
        points: the vertices with ``p00 + p11 > 1``, the best one first.
        form: the form of the best one.
        conditions: polynomials that are >= 0 exactly where n Var at the best one is at most that at each other one.
        key: the theorem in Coq, a key of ``derivations.COQ``.
        twins: the numbers at the level by their origin.
    """
    best, *others = points
    is_pure = form.parameters[delta] == 0
    zero = {delta: sp.Integer(0)} if is_pure else {}
    d = "" if is_pure else r"+\delta"
    lines = (
        rf"$p_{{00}}\le\gamma(1-p_{{11}}){d}$, $p_{{11}}\le\gamma(1-p_{{00}}){d}$, $1-p_{{00}}\le\gamma p_{{11}}{d}$, "
        rf"$1-p_{{11}}\le\gamma p_{{00}}{d}$, and both probabilities in $[0,1]$"
    )
    lines += r", and $p_{00}=p_{11}$ (Warner's designs)" if key == "warner" else ""
    why = (
        r"With two outputs $\sum_i(p_{ij}-\gamma p_{il})_+$ has at most one positive term, as both terms add up to "
        r"$1-\gamma\le0$. So privacy is these lines."
    )
    a, b, value = (sp.factor(x.xreplace(zero)) for x in (*best.point, form.value))
    region_of, domain = _region_of_two(others, conditions, is_pure=is_pure, is_symmetric=key == "warner")
    return Derivation(
        title,
        (
            ("Problem", f"{_BINARY}{lines}. {why}"),
            ("Active set", f"The best vertex at the level is the one with {_in_math(best.name, is_pure=is_pure)}."),
            (
                "KKT system",
                f"These two linear equations have the solution $p_{{00}} = {math(a)}$, $p_{{11}} = {math(b)}$.",
            ),
            ("Value", f"$$n\\,\\mathrm{{Var}} = {math(value)}.$$"),
            ("Proof", f"{_INFORMATION}So the largest information is at a vertex of the region. {region_of} {QED}"),
            ("Region", domain),
            ("Numbers", numbers(form.parameters, twins)),
        ),
        behind=(theorems({key: "The optimum"}),),
    )


def _in_math(name: str, *, is_pure: bool = False) -> str:
    """Return the name of a vertex, such as ``p00 = 1 and p11 = gamma (1 - p00) + delta``, as formulas."""
    text = name.replace(" + delta", "") if is_pure else name
    for word, sign in (("p00", "p_{00}"), ("p11", "p_{11}"), ("gamma", r"\gamma"), ("delta", r"\delta")):
        text = text.replace(word, sign)
    return " and ".join(f"${part}$" for part in text.split(" and "))


_PURE = (
    "The lines $p_{00}\\le\\gamma(1-p_{11})$ and $p_{11}\\le\\gamma(1-p_{00})$ meet the line $p_{00}+p_{11}=1$ in "
    "$(0,1)$ and $(1,0)$. On $p_{00}+p_{11}\\ge1$ they leave the triangle of these points and the vertex above. The "
    "other conditions hold in it too: $1-p_{00}\\le p_{11}\\le\\gamma p_{11}$, and the same with the outputs "
    "exchanged. The information is 0 on $p_{00}+p_{11}=1$."
)


def _region_of_two(
    others: Sequence[Any], conditions: Sequence[Any], *, is_pure: bool, is_symmetric: bool
) -> tuple[str, str]:
    """Return why no other vertex is better, and where."""
    if is_symmetric:
        return (
            "With $p_{00}+p_{11}\\ge1$ the region is a segment of the line $p_{00}=p_{11}$ that begins in $(1/2,1/2)$, "
            "where the information is 0.",
            "This holds for all $\\gamma>1$ and $0\\le\\delta<1$, and all $\\pi$ with $0<\\pi<1$.",
        )
    if is_pure:
        return _PURE, "This holds for all $\\gamma>1$ and all $\\pi$ with $0<\\pi<1$."
    named = "; ".join(
        f"$({math(each.point[0])},\\ {math(each.point[1])})$, with {_in_math(each.name)}" for each in others
    )
    listed = "".join(f"\n\n$$ {math(condition)} \\ge 0 $$" for condition in conditions)
    return (
        f"The other vertices with $p_{{00}}+p_{{11}}>1$ are {named}. All other points in which two of the eight lines "
        "meet violate a condition, or have $p_{00}+p_{11}\\le1$, for all $\\gamma>1$ and $0<\\delta<1$: with "
        "$\\gamma=1+u$ and $\\delta=d/(1+d)$ the slack, or the sum minus 1, is a quotient of polynomials in $u$ and "
        "$d$ whose coefficients have one sign each. On $p_{00}+p_{11}=1$ the information is 0.",
        "$n\\,\\mathrm{Var}$ at another vertex minus the value is one of these polynomials times a positive factor. "
        "So, for "
        f"$\\gamma>1$, $0<\\delta<1$ and $0<\\pi<1$, the form is the optimum exactly where{listed}",
    )


def of_three_outputs(
    title: str, four: Any, form: Any, values: Sequence[tuple[tuple[int, int], Any]], twins: Mapping[str, Any]
) -> Derivation:
    """Return the proof of a binary design with three outputs: the best merger of the four-output design.

    Args:
        title: what is solved.
        four: the design with four outputs, in symbols.
        form: the form.
        values: for each pair of outputs, n Var if they are merged, the best pair first.
        twins: the numbers at the level by their origin.
    """
    listed = "\n".join(f"- outputs {a} and {b}: ${number(value)}$" for (a, b), value in values)
    (first, _), *_ = values
    return Derivation(
        title,
        (
            (
                "Problem",
                "Minimize $n\\,\\mathrm{Var}=1/I(P)$, $I(P)=\\sum_i(p_{i1}-p_{i0})^2/(p_i\\cdot\\pi)$, over all "
                "private $P$ with two categories and three outputs.",
            ),
            (
                "Universal design",
                "The truth is told with probability $\\delta$, and otherwise randomized response is used: "
                f"{shown_matrix('F', four, {})} Every private $P$ with two categories is a garbling $P=KF$, with a "
                f"kernel "
                "$K\\ge0$ whose columns sum to 1.",
            ),
            (
                "Mergers",
                "$I(KF)$ is convex in $K$, since each term is $u^2/v$ with $u$ and $v$ linear in $K$. So it is largest "
                "at a vertex of the kernels: each output of $F$ becomes one of the three outputs. If all three occur, "
                "two outputs of $F$ are merged. If not, the design is a garbling of such a one, whose information is "
                "not smaller. There are six pairs; with the outputs of $F$ counted from 0, $n\\,\\mathrm{Var}$ at the "
                "level is"
                f"\n\n{listed}",
            ),
            ("Value", f"$$n\\,\\mathrm{{Var}} = {math(form.value)}$$ for the outputs {first[0]} and {first[1]}."),
            ("Proof", f"The six numbers were compared exactly at the level. {QED}"),
            (
                "Region",
                "The form is the optimum exactly where the information is not larger for any other pair: where "
                f"{where(form.domain)}, $0<\\delta<1$ and $0<\\pi<1$.",
            ),
            ("Numbers", numbers(form.parameters, twins)),
        ),
        behind=(theorems(None, {"any output": "That $F$ is universal", "four": "That two of its outputs are merged"}),),
    )


def of_interval(title: str, parts: Mapping[str, Any], twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of the minimax and minimax-regret designs over an interval of prevalences.

    Args:
        title: what is solved.
        parts: ``vertices``, ``worst`` and ``hedges`` by name, and the values ``minimax`` and ``regret`` in LaTeX.
        twins: the numbers by their origin.
    """
    return Derivation(
        title,
        (
            ("Problem", parts["problem"]),
            (
                "Coordinates",
                "With $r=(1-p_{00})/(p_{00}+p_{11}-1)$ and $s=(1-p_{11})/(p_{00}+p_{11}-1)$, "
                "$n\\,\\mathrm{Var}=V_\\pi(r,s)=(r+\\pi)(s+1-\\pi)$, and privacy is $(\\gamma-1+\\delta)r+\\delta "
                "s\\ge1-\\delta$, the same with $r$ and $s$ exchanged, and $r,s\\ge0$"
                + (", with $r=s$ (Warner's designs)." if parts["is_warner"] else ".")
                + f" The vertices $(r,s)$ are {parts['vertices']}.",
            ),
            (
                "Minimax",
                "For given $(r,s)$, $V_\\pi$ is a strictly concave parabola in $\\pi$. So the worst prevalence in "
                "$[L,H]$ is $\\pi^*=\\min(\\max(\\tfrac{s+1-r}2,L),H)$. The worst case $W=V_{\\pi^*}$ does not fall "
                "with $r$ or with $s$, so that it is least at a vertex, or on an edge between two vertices. On such an "
                "edge $\\sqrt W$ is concave (below). So a vertex is "
                f"best. Worst cases: {parts['worst']}. The best design: {parts['minimax']}. {QED}",
            ),
            (
                "Regret",
                "The same argument with $L=H=\\pi$ shows that the best $V_\\pi$ is that of a vertex. As $V_\\pi$ is "
                "$rs+r(1-\\pi)+s\\pi+\\pi(1-\\pi)$, the regret, $V_\\pi$ minus the least $V_\\pi$ of the vertices, is "
                "the largest of linear functions of $\\pi$. So it is largest at $L$ or at $H$. Both regrets do not "
                "fall with $r$ or $s$, and are quasi-concave on each edge, since $\\sqrt{V_\\pi}$ is concave there. So "
                "the larger one is least at a vertex, or at the hedge, the point of an edge where both are equal "
                "(below). "
                f"Regrets: {parts['hedges']}. The least one: {parts['regret']}. {QED}",
            ),
            ("Numbers", numbers(parts["level"], twins)),
        ),
        behind=(
            (
                "Concavity",
                "On an edge, where $\\pi^*$ is $L$ or $H$, $\\sqrt W$ is the root of a product of nonnegative affine "
                "functions; between, it is $(r+s+1)/2$. It has no kink, because $W$ is a maximum over $\\pi$ that one "
                "$\\pi$ attains.",
            ),
            (
                "Hedge",
                "The larger of two quasi-concave functions on a segment is least at an end of it, or where both are "
                "equal. For $L<H$ the difference of the regrets is linear in $r-s$, which is strictly monotone on an "
                "edge: there is at most one such point.",
            ),
            theorems(
                {
                    "worst case": "That the checker's bound of the minimax value holds",
                    "regret": "That its bound of the minimax regret holds",
                }
            ),
        ),
    )


# --- criteria, orders, budgets, samples -------------------------------------------------------------------------------


def of_infimum(criterion: str, found: Any, pieces: Sequence[Any], twins: Mapping[str, Any]) -> Derivation:
    """Return the derivation of B(h) from its limits and stationary values."""
    place = {"limit": "a limit", "stationary": "a stationary value", "equation": "a stationary value"}.get(
        found.how, ""
    )
    at = f" at $p = {math(found.at)}$" if found.at is not None and found.how != "constant" else ""
    value = found.number if found.form is None else found.form
    shown = sp.oo if value is None else sp.sympify(value) if found.form is not None else sp.Float(str(value), 20)
    listed = "\n".join(
        f"- on $[{end(sp.sympify(one.low))},\\ {end(sp.sympify(one.high))}]$: $h = {math(one.h)}$, $F = "
        f"{math(one.odds)}$"
        for one in pieces[:_MOST_PIECES]
    )
    if len(pieces) > _MOST_PIECES:
        listed += f"\n- and {len(pieces) - _MOST_PIECES} more"
    proof = (
        "On each piece $F$ is differentiable, so that its infimum is a limit at an end or a stationary value. All "
        "limits were found, and all stationary points are roots of one polynomial, which were all computed; the "
        f"candidates were compared exactly. {QED}"
        if found.is_proved
        else "The stationary points are no roots of a polynomial. They were searched, so that the value is the least "
        "that was found, and is not proved here. The certificate of the bound proves its enclosure."
    )
    if not pieces:
        proof = f"No function of the criterion limits a posterior, so that every $F$ is infinite. {QED}"
    return Derivation(
        f"B(h) of {criterion}",
        (
            (
                "Problem",
                f"$B(h)=\\inf_{{0<p<1}} F(p)$ with $F = \\dfrac{{h}}{{1-h}}\\cdot\\dfrac{{1-p}}{{p}}$, for the "
                f"criterion `{criterion}`; of several functions $h$ the least $F$ counts. A mechanism satisfies the "
                "criterion iff its parity, the largest ratio of two entries of a row, is at most $B(h)$.",
            ),
            (
                "Pieces",
                "$h$ is cut where a minimum, a maximum or a case changes. Where it is 1, $F$ is infinite and not "
                "listed:\n\n" + listed + "\n"
                if listed
                else "none",
            ),
            (
                "Candidates",
                "The candidates are the limits of $F$ at the ends of the pieces and its values where "
                "$p(1-p)h'(p)=h(p)(1-h(p))$, which is $F'=0$.",
            ),
            ("Value", f"$$B(h) = {math(shown)}$$" + (f" This is {place}{at}." if place else "")),
            ("Proof", proof),
            ("Numbers", numbers({}, twins)),
        ),
        behind=(theorems({"B(h)": "That the criterion is the bound B(h) of the parity"}, {"B(h)": "The same"}),),
    )


def of_garbling(answer: Any, proof: Any, deficiency: float, names: tuple[str, str] = ("P", "A")) -> Derivation:
    """Return the proof of a direction of Blackwell's order: a kernel, or a task."""
    P, A = matrix(answer.source.matrix), matrix(answer.target.matrix)
    problem = (
        "Is $A$ a garbling of $P$, that is, $A = CP$ for a kernel $C\\ge0$ whose columns sum to 1? "
        + shown_matrix("P", P, {})
        + " "
        + shown_matrix("A", A, {})
    )
    if proof.kernel is not None:
        C = matrix(proof.kernel)
        positive = sum(1 for x in C if x)
        return Derivation(
            f"Blackwell's order: {names[1]} is a garbling of {names[0]}",
            (
                ("Problem", problem),
                (
                    "Active set",
                    f"CVXPY's kernel of least deficiency has "
                    f"{with_noun(positive, 'positive entry', 'positive entries')}.",
                ),
                (
                    "KKT system",
                    f"The positive entries solve $CP=A$ and the sums of the columns, exactly: "
                    f"{shown_matrix('C', C, {})}",
                ),
                ("Value", "Yes: the deficiency is 0."),
                (
                    "Proof",
                    "In fractions, $C\\ge 0$, its columns sum to 1, and $CP=A$ entry by entry. So for every prior and "
                    f"every payoff, a decision after $A$ earns no more than one after $P$ (Blackwell 1953). {QED}",
                ),
                ("Numbers", numbers({}, {"CVXPY's deficiency is": deficiency})),
            ),
            behind=(theorems({"garbling": "That the checker's test of a kernel proves this"}),),
        )
    if proof.payoff is None:
        return _tested_garbling(answer, problem, names)
    return _no_garbling(proof, problem, deficiency, names)


def _tested_garbling(answer: Any, problem: str, names: tuple[str, str]) -> Derivation:
    own = answer.kernel if answer.kernel is not None else None
    text = (
        "CVXPY's numbers give neither a kernel nor a task in fractions. The result's own proof was tested in "
        "fractions: "
        + (
            "its kernel $C$ is nonnegative, with columns of sum 1, and $CP=A$."
            if own is not None
            else "its task earns more after $A$ than after $P$, which no garbling does."
        )
    )
    return Derivation(
        f"Blackwell's order: {names[0]} and {names[1]}",
        (("Problem", problem), ("Value", "Yes." if answer else "No."), ("Proof", f"{text} {QED}")),
    )


def _no_garbling(proof: Any, problem: str, deficiency: float, names: tuple[str, str]) -> Derivation:
    Y = matrix(proof.payoff)
    return Derivation(
        f"Blackwell's order: {names[1]} is no garbling of {names[0]}",
        (
            ("Problem", problem),
            (
                "Active set",
                "CVXPY's dual solution is a decision task: $Y_{ij}$ is the payoff of the decision $i$ in category $j$. "
                "It is rounded to fractions.",
            ),
            ("KKT system", shown_matrix("Y", Y, {})),
            (
                "Value",
                f"$$g=\\sum_{{ij}} Y_{{ij}}A_{{ij}} - \\sum_o \\max_i (YP^T)_{{io}} = {number(proof.gain)} > 0.$$",
            ),
            (
                "Proof",
                "If $A=CP$ with a kernel $C$, then $\\sum_{ij} Y_{ij}A_{ij} = \\sum_o\\sum_i "
                "C_{io}(YP^T)_{io}\\le\\sum_o\\max_i(YP^T)_{io}$, since $C\\ge0$ and its columns sum to 1. This "
                "contradicts $g>0$, which was "
                f"computed in fractions. {QED}",
            ),
            ("Numbers", numbers({}, {"CVXPY's deficiency is": deficiency})),
        ),
        behind=(theorems({"task": "That the checker's test of a task proves this"}),),
    )


def of_split(title: str, own: Any, objective: Any, level: Any, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of a split of a privacy budget by weak duality."""
    weights = ",".join(math(exact(share)) for share in objective.shares)
    shares = ",".join(math(exact(share)) for share in objective.prevalences)
    constant = r"\textstyle\prod_l(\pi_l^2+(1-\pi_l)^2)" if objective.is_product else ""
    if objective.is_product:
        problem = rf"$\prod_l h(u_l)-{constant}$ with $h=\frac{{x^2+1}}{{(x-1)^2}}$"
        convex = r"$\ln h=\ln\cosh u-\ln(\cosh u-1)$ has the second derivative $\frac1{\cosh^2u}+\frac1{2\sinh^2(u/2)}$"
        slope, goal = r"(\ln h)'", r"\textstyle\sum_l\ln h(u_l)"
    else:
        problem = r"$\sum_l w_l\big(\pi_l(1-\pi_l)+h(u_l)\big)$ with $h=\frac{x}{(x-1)^2}$"
        convex = r"$h=\frac1{4\sinh^2(u/2)}$ is a convex function of $u>0$"
        slope, goal = "h'", r"\textstyle\sum_l w_l h(u_l)"
    w = "" if objective.is_product else "w_l "
    return Derivation(
        title,
        (
            (
                "Problem",
                f"Minimize {problem}, $x=e^u$, subject to $\\sum_l u_l\\le\\varepsilon$ and $u_l>0$, for the weights "
                f"$w=({weights})$, the prevalences $\\pi=({shares})$ and $\\varepsilon={math(level)}$. Questions of "
                f"weight 0 "
                "get no budget.",
            ),
            ("Active set", "The budget is spent."),
            (
                "KKT system",
                f"All slopes are equal: $-{w}{slope}(u_l)=\\lambda$ with $\\lambda \\approx "
                f"{sp.Float(str(own.multiplier), 15)}$.",
            ),
            ("Value", f"$$v\\in[{sp.N(exact(own.lower), 20)},\\ {sp.N(exact(own.upper), 20)}].$$"),
            (
                "Proof",
                f"{convex}, so that $f={goal}$ is above its tangents. At the split $v_l$ that was computed, and for "
                "every split $u$ of the budget, "
                f"$$f(u)\\ge f(v)-\\lambda\\textstyle\\sum_l(u_l-v_l)-\\sum_l|\\lambda+{w}{slope}(v_l)|\\,\\varepsilon"
                "\\ \\ge\\ f(v)+\\lambda\\textstyle\\sum_l v_l-\\lambda\\varepsilon-\\sum_l|\\dots|\\,\\varepsilon,$$ "
                "because $|u_l-v_l|\\le\\varepsilon$, $\\lambda>0$ and $\\sum_l u_l\\le\\varepsilon$. The lower end "
                "evaluates the right side in interval arithmetic of 100 digits. The upper end is the objective of the "
                "split, made smaller by a factor so that it keeps the budget. To both "
                + (
                    "exponentials the constant, with its sign, is added"
                    if objective.is_product
                    else "the constant $\\sum_l w_l\\pi_l(1-\\pi_l)$ is added"
                )
                + f". {QED}",
            ),
            ("Numbers", numbers({}, twins)),
        ),
        behind=(theorems({"joint split" if objective.is_product else "split": "The bound by equal slopes"}),),
    )


def of_admissibility(answer: Any, gain: float) -> Derivation:
    """Return the proof that a mechanism is admissible or not, by the layers of its rows."""
    rows = matrix(answer.merged.mechanism.matrix)
    better = answer.domination
    layers = (
        "A row with the values $x_1<\\dots<x_d\\le\\gamma x_1$ is $c_0 1+\\sum_{t\\ge2} c_t S_t$, where $S_t$ has the "
        "entry $\\gamma$ where the row is at least $x_t$ and 1 elsewhere, $c_t=(x_t-x_{t-1})/(\\gamma-1)$ and "
        "$c_0=(\\gamma x_1-x_d)/(\\gamma-1)$; all are nonnegative. "
    )
    if better is None:
        system = layers + "Here each row has two values, whose ratio is $\\gamma$: $c_0=0$ and one step."
        proof = (
            "So every row is an edge of the cone $r_j\\le\\gamma r_l$, and no two rows are proportional, as these were "
            "merged. By the theorem below no private mechanism is strictly more informative."
        )
    else:
        A, C = matrix(better.mechanism.matrix), matrix(better.kernel.matrix)
        system = (
            layers
            + "The layers of all rows give a mechanism and a kernel: "
            + shown_matrix("A", A, {})
            + " "
            + shown_matrix("C", C, {})
        )
        proof = (
            "In fractions, $P = CA$, and $A$ is private. Each row of $A$ has one layer, so that $A$ is admissible; a "
            "row of $P$ has more than one, so that $P$ is not equivalent to $A$. Hence $A$ is strictly more "
            "informative."
        )
    level = (
        f"$\\gamma = {math(exact(answer.level.gamma)) if answer.level.gamma is not None else f'e^{{{answer.level}}}'}$"
    )
    return Derivation(
        "Admissibility",
        (
            (
                "Problem",
                f"Is no mechanism with the ratios at most {level} strictly more informative than $P$ (Blackwell's "
                f"order)? " + shown_matrix("P", rows, {}),
            ),
            ("Layers", system),
            ("Value", "Admissible." if answer.admissible else "Not admissible."),
            ("Proof", f"{proof} {QED}"),
            ("Numbers", numbers({}, {"CVXPY's gain of the finest splitting is": gain})),
        ),
        behind=(theorems({"admissible": "That a mechanism is admissible iff all of its rows have one layer"}),),
    )


def of_strata(plan: Any, neyman: Any, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof that an allocation to strata is optimal."""
    pairs = ", ".join(f"$n_{{{h}}}={n}$" for h, n in enumerate(plan.sizes))
    grow = [
        (a / (n * (n + 1)), h) for h, (a, n) in enumerate(zip(plan.spreads, plan.sizes, strict=True)) if _grows(plan, h)
    ]
    fall = [(a / (n * (n - 1)), h) for h, (a, n) in enumerate(zip(plan.spreads, plan.sizes, strict=True)) if n >= 2]
    exchange = "No stratum may grow, or none may lose a respondent, so that there is no exchange."
    if grow and fall:
        (most, h), (least, other) = max(grow), min(fall)
        exchange = (
            f"Here the largest gain is ${number(most)}$ (stratum {h}) and the least loss ${number(least)}$ (stratum "
            f"{other}); they were compared in fractions."
        )
    correction = f", minus the finite population correction ${number(plan.correction)}$" if plan.correction else ""
    most_sizes = " and at most as many as respond there" if plan.populations is not None else ""
    return Derivation(
        "Allocation to strata",
        (
            (
                "Problem",
                f"Minimize $\\sum_h a_h/n_h$ over whole $n_h\\ge1$ with the sum ${plan.n}${most_sizes}, for $a = ("
                + ",".join(math(exact(a)) for a in plan.spreads)
                + f")${correction}. Strata are counted from 0.",
            ),
            ("Allocation", f"{pairs}."),
            ("Value", f"$$v = {number(plan.variance)}$$"),
            (
                "Proof",
                "Each $a_h/n_h$ is convex in $n_h$: one more respondent gains $a_h/(n_h(n_h+1))$, which falls with "
                "$n_h$, and one less loses $a_l/(n_l(n_l-1))$. If some allocation were better, it would have more "
                "respondents in some stratum $h$ and fewer in some stratum $l$; its gains are at most the first ones, "
                "and its losses at "
                f"least the first ones. So an allocation is optimal if no gain exceeds a loss. {exchange} {QED}",
            ),
            (
                "Bound",
                f"For real sizes $n_h=N\\sqrt{{a_h}}/\\sum\\sqrt a$ the value is ${number(neyman)}$ (Neyman 1934), "
                f"which "
                "is not larger.",
            ),
            ("Numbers", numbers({}, twins)),
        ),
    )


def _grows(plan: Any, h: int) -> bool:
    return plan.most is None or not plan.most or plan.sizes[h] < plan.most[h]


def of_breach(judgement: Any, prior: Any, value: Any, verdict: str, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of the largest posterior of a property, and of the verdict on a criterion."""
    from rropt.symbolic.privacy.breaches import certificate, posterior

    is_finite = judgement.parity is not None
    limit = (
        f"$$ {math(posterior)} - p\\,a = {math(certificate)} $$ is an identity, and its right side is nonnegative "
        f"under both "
        "conditions. So the posterior is at most this. A prior with the mass $p$ on the category of the largest entry "
        "of the row and $1-p$ on that of the smallest one has this posterior."
        if is_finite
        else "An output has the probability 0 in some category, and not in all: $b=0$ is possible, and the posterior "
        "is 1."
    )
    own = (
        f"$$ {math(posterior)} = {number(value)} \\quad\\text{{at}}\\quad p = {math(prior)}. $$"
        if is_finite
        else "$$1$$"
    )
    return Derivation(
        "Largest posterior of a property",
        (
            (
                "Problem",
                "Let a property of the category have the prior probability $p$. Given an output, let $a$ and $b$ be "
                "its mean likelihoods on the property and off it, divided by its probability. The posterior is "
                "$p\\,a$, with $p\\,a+(1-p)\\,b=1$, and $a\\le\\gamma b$, because all likelihoods are entries of one "
                "row. Here $\\gamma$ is the parity, the largest ratio of two entries of a row. Maximize $p\\,a$.",
            ),
            ("Active set", "Both conditions are tight."),
            (
                "KKT system",
                f"$\\gamma = {math(sp.oo if not is_finite else exact(judgement.parity))}$, computed in fractions "
                "from the rows.",
            ),
            ("Value", own),
            ("Proof", f"{limit} {QED}"),
            ("Verdict", verdict),
            ("Numbers", numbers({}, twins)),
        ),
        behind=(
            theorems(
                {
                    "posterior": "That no Bayes factor is above the parity",
                    "B(h)": "That the parity decides",
                }
            ),
        ),
    )


# --- every level ------------------------------------------------------------------------------------------------------

_SUBSETS = (
    "Let $M$ be the information of a design with the categories equally likely, and $T$ its trace without the "
    "eigenvalue $k$ of the vector 1. Cov has the inverse eigenvalues. By the inequalities of the means, {mean} With "
    "$\\varphi(r)=k|r|^2/s-s$, $s=\\sum_j r_j$, and $E=\\sum_{{jl}}(r_j-\\gamma r_l)_+$, $T=\\sum_i\\varphi(p_i)$, "
    "$\\sum_i s=k$ and $\\sum_i E\\le k(k-1)\\delta$. $\\varphi$ is convex and homogeneous of degree 1, and $E$ is "
    "linear on each cell of the planes $r_j=0$, $r_j=\\gamma r_l$. So if $\\varphi(r)\\le ys+zE$ on the edges of the "
    "cells, with $z\\ge0$, then $T\\le ky+k(k-1)\\delta z$. Here $y$ is the largest $\\varphi/s$ of a subset of the "
    "categories (the entry $\\gamma$ on it and 1 off it), and $z=(k-1-y)/(k-1)$ makes the rows that reveal a category "
    "equalities. The design that reveals the category with probability $\\delta$, and else uses all subsets of the "
    "best size, has equal eigenvalues and attains the bound."
)
_MEANS = {
    "a-optimal": "their inverses have at least the sum $(k-1)^2/T$.",
    "e-optimal": "the least of them is at most $T/(k-1)$.",
    "d-optimal": "their product is at most $(T/(k-1))^{k-1}$.",
}


def of_levels(
    title: str,
    problem: str,
    kind: str,
    pieces: Sequence[tuple[Any, tuple[Any, Any], Sequence[Any], bool]],
    certificate: str,
    key: str = "",
) -> Derivation:
    """Return the proof of formulas for every level.

    Args:
        title, problem: what is solved.
        kind: the kind of the objective.
        pieces: for each piece its value, its ends, the forms that were derived on it, and whether they cover it.
        certificate: what is known of the pieces that are not covered.
        key: of a binary design the theorem in Coq, a key of ``derivations.COQ``.
    """
    systems = []
    pieces = [
        (value, place, sorted(forms, key=lambda form: float(form.low)), covered)
        for value, place, forms, covered in pieces
    ]
    for value, (low, high), forms, is_covered in pieces:
        parts = ", ".join(_interval(form.low, form.high) for form in forms)
        head = f"- On {_interval(low, high)}: $v = {math(value)}$"
        systems.append(f"{head}. Derived on {parts or 'no interval'}: {'all' if is_covered else 'not all'} of it.")
    forms = [form for _, _, found, _ in pieces for form in found]
    proof_kind = getattr(forms[0], "kind", "rows") if forms else "rows"
    covered = all(is_covered for *_, is_covered in pieces)
    proof = _LEVELS[proof_kind] if proof_kind != "trace" else _SUBSETS.format(mean=_MEANS.get(kind, ""))
    if key == "binary":
        proof += f" {_PURE}"
    return Derivation(
        title,
        (
            ("Problem", problem),
            ("Active set", _ACTIVE[proof_kind]),
            ("Systems", _systems(forms, proof_kind)),
            ("Value", "As a function of $\\gamma=e^\\varepsilon$:\n\n" + "\n".join(systems) + "\n"),
            ("Proof", proof + (f" {QED}" if forms else "")),
            (
                "Region",
                "All conditions are rational functions of $\\gamma$; the ends of the intervals on which they keep "
                "their signs are exact. "
                + ("The intervals cover all pieces." if covered else f"They do not cover all pieces. {certificate}"),
            ),
        ),
        behind=(theorems({key: "The optimum"}) if key else theorems(*_LEVEL_THEOREMS[proof_kind]),),
    )


def _interval(low: Any, high: Any) -> str:
    last = r"\infty)" if high is sp.oo or high.is_infinite else f"{end(high)}]"
    return f"${'(' if low == 1 else '['}{end(low)},\\ {last}$"


_ACTIVE = {
    "rows": "At a level inside each piece CVXPY says which $k$ rows of 1 and $\\gamma$, each for an output or a "
    "decision, have weight.",
    "vertex of the region": "At a level inside each piece the vertex with the least $n$ Var is taken.",
    "linear program": "At a level inside each piece CVXPY says which conditions are tight.",
    "trace": "At a level inside each piece the size of the best subset of the categories is taken.",
}
_LEVELS = {
    "rows": "For every private $P$ with rows $p_i$ and the part $c_i\\cdot p_i$ of each in the objective, $\\sum_i "
    "c_i\\cdot p_i-\\sum_j y_j=\\sum_i(c_i-y)\\cdot p_i$, since the columns sum to 1. Each $p_i$ is a sum of positive "
    "multiples of rows $S$ of 1 and $\\gamma$. So if $c_i\\cdot S\\ge y\\cdot S$ for all of them (of a maximum, "
    "$\\le$), no design is better than $\\sum_j y_j$, which the rows with weight attain where their weights are "
    "nonnegative.",
    "vertex of the region": "The Fisher information $1/(n\\,\\mathrm{Var})$ is convex in $(p_{00},p_{11})$, so it is "
    "largest at a vertex of the region. All vertices were compared: the difference of $n$ Var to each other one is "
    "nonnegative on the interval.",
    "linear program": "The unknowns $x$ are the entries $p_{ij}$ and, with $\\delta>0$, the excesses "
    "$e_{i,j,l}\\ge(p_{ij}-\\gamma p_{il})_+$; of a maximum, minus it is minimized. For every $x$ with $a_i\\cdot "
    "x\\le b_i$, $c\\cdot x+\\sum_i y_ib_i=\\sum_iy_i(b_i-a_i\\cdot x)\\ge0$ where the prices of the tight "
    "inequalities are nonnegative; the vertex attains it, and satisfies all conditions where the slacks of the others "
    "are nonnegative.",
}
_LEVEL_THEOREMS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "rows": (
        {"every level": "Weak duality with prices in $\\gamma$"},
        {"rows": "That rows of 1 and $\\gamma$ suffice"},
    ),
    "vertex of the region": ({}, {}),
    "linear program": ({"linear program": "Weak duality of linear programs"}, {}),
    "trace": ({"edges": "That the edges suffice"}, {"subsets": "The case $\\delta=0$ of A-optimality"}),
}


def _systems(forms: Sequence[Any], kind: str) -> str:
    if kind == "rows":
        lines = [
            f"- {_interval(form.low, form.high)}: weights $({', '.join(map(math, form.weights))})$ of the rows "
            + ", ".join(f"${row_text(bits)}$ ({label})" for label, bits in form.basis)
            + f", prices $y=({', '.join(map(math, form.prices))})$, {with_noun(form.tested, 'condition')}"
            for form in forms[:_MOST_PIECES]
        ]
        head = (
            "The weights solve $\\sum_S w_S S=(1,\\dots,1)$, the prices $y\\cdot S=c_i\\cdot S$ on these rows, over "
            "the rational functions of $\\gamma$; the number of the output or decision stands behind each row. "
            "Interval by interval:"
        )
        return f"{head}\n\n" + "\n".join(lines)
    if kind == "linear program":
        return "\n\n".join(map(_vertex_system, forms[:_MOST_PIECES]))
    lines = [f"- {_named(form.how)}, {with_noun(form.tested, 'condition')}" for form in forms[:_MOST_PIECES]]
    return "Derived, interval by interval:\n\n" + "\n".join(lines)


def _vertex_system(form: Any) -> str:
    """Return the vertex of a linear program with its prices."""
    field, vertex = form.vertex.field, form.vertex
    rows = sorted({name[1] for name in vertex.point if name[0] == "p"})
    columns = sorted({name[2] for name in vertex.point if name[0] == "p"})
    P = sp.ImmutableMatrix([[field.expression(vertex.point["p", i, j]) for j in columns] for i in rows])
    priced = [
        (field.expression(price), _name(label, [r"\gamma"], "t")) for label, price in vertex.prices.items() if price
    ]
    where_ = _interval(form.low, form.high)
    return (
        f"On {where_} the equations of the tight conditions give {shown_matrix('P', P, field.values)} The prices solve "
        f"$c+\\sum_i y_ia_i=0$:\n\n{grouped(priced, field.values)}"
    )


def _named(how: str) -> str:
    return f"the vertex with {_in_math(how.removeprefix('the vertex '))}" if how.startswith("the vertex p") else how


# --- what is not derived ----------------------------------------------------------------------------------------------


def of_certificate(
    title: str, problem: str, judged: Mapping[str, str], why: str, certificate: str, form: Any, twins: Mapping[str, Any]
) -> Derivation:
    """Return what is known of a design whose optimality is not derived here: its value, and the bound of a certificate.

    Args:
        title, problem: what is solved.
        judged: what the definition says of the design, by heading.
        why: why nothing is derived.
        certificate: the verdict of the checker.
        form: the closed form that a theorem gives, or None.
        twins: the numbers by their origin.
    """
    theorem = []
    if form is not None:
        theorem = [
            (
                "Closed form",
                f"$$v = {math(form.value)}$$ for {where(form.domain)}. Its source: {form.theorem}. The form agrees "
                "with the bounds of the certificate at the level.",
            ),
        ]
    return Derivation(
        title,
        (
            ("Problem", problem),
            ("No derivation", f"The optimum is not derived here: {why}."),
            *judged.items(),
            *theorem,
            ("Bound", certificate),
            ("Numbers", numbers({}, twins)),
        ),
        behind=(theorems({"checker": "That a certificate which the verified checker accepts is true"}),),
    )


def of_range(title: str, form: Any, half: Fraction, is_first: bool, twins: Mapping[str, Any]) -> Derivation:
    """Return the derivation of the least largest variance over a range of numbers."""
    A = r"A=\frac{\gamma+1}{\gamma-1}"
    first = (
        f"Let ${A}$ and $c=1/\\sinh(1/A)$. Draw $s$ uniformly from $[-1/A,1/A]$; the threshold is $t=c\\sinh s$, with "
        f"the "
        "density $A/(2D)$, $D=\\sqrt{t^2+c^2}$. The respondent says truthfully with probability $\\gamma/(\\gamma+1)$ "
        "whether $x>t$, and the report is $t+D$ for yes and $t-D$ for no. The probabilities of yes differ by $1/A$, so "
        "that $\\frac{d}{dx}E[z|x]=\\frac{A}{2D}\\,2D\\,\\frac1A=1$ and "
        "$\\frac{d}{dx}E[z^2|x]=\\frac{A}{2D}\\,4xD\\,\\frac1A=2x$: the report is unbiased, and its variance is the "
        "same for all $x$, that of $x=0$: $\\int_{-1}^1\\frac{A}{2D}(t^2+D^2)\\,dt-1=A\\sqrt{1+c^2}-1$."
    )
    second = (
        f"Let ${A}$, and $n=s^2\\gamma(\\gamma+2)$ with $s$ in $(0,1]$. The design mixes thresholds on $[-s,s]$, with "
        f"the "
        "reports $t\\pm\\sqrt{t^2+n}$, and five further reports; the page on numbers of the documentation lists them."
    )
    lower_first = (
        "Let $y$ have the density $w=\\frac A2c^2(t^2+c^2)^{-3/2}$ on $[-1,1]$, of mass $W=A\\tanh(1/A)\\le1$, and two "
        "equal atoms $(1-W)/2$ at $\\pm1$. The quadratics $q_t(z)=w(t)(z^2-2tz-c^2)$, and at the atoms "
        "$\\frac{1-W}2z^2\\mp c^2Wz+c^2\\frac{1+W}2$, satisfy $F(z)=\\int\\min(q,\\gamma q)\\ge0$ for all $z$; so for "
        "every private unbiased report $E\\int q\\ge0$, which is the bound $W(1+c^2)-1=A\\coth(1/A)-1$. That $F\\ge0$: "
        "for a pattern of all numbers above a threshold it has a double root, and for all inner numbers it is "
        "nonnegative iff $(\\gamma-1)W\\le1$, which is the condition of the region."
    )
    lower_second = (
        "The same quadratics with a density on $[-s,s]$ and $n$ in place of $c^2$ give a lower bound for each $s$. It "
        "is a concave quadratic in $s$; its largest value, at "
        "$s=1/(\\gamma-\\frac{\\gamma+1}2\\ln(1+\\frac2\\gamma))$, is the value. The design attains it where "
        "$(\\gamma+2)s\\ge2$, which is the condition of the region."
    )
    return Derivation(
        title,
        (
            (
                "Problem",
                "Minimize the largest variance $\\max_x\\mathrm{Var}(z|x)$ of an unbiased private report $z$ of a "
                "number "
                f"$x$ in a range of half-length ${number(half)}$. For the range $[-1,1]$, and times the square of "
                f"this:",
            ),
            ("Mechanism", first if is_first else second),
            ("Value", f"$$v = {math(form.value)}.$$"),
            (
                "Proof",
                f"{lower_first if is_first else lower_second} SymPy computed the integrals from antiderivatives, which "
                f"it differentiated again. The step on the patterns is the claim of the registry that is named below. "
                f"{QED}",
            ),
            ("Region", f"{where(form.domain)}."),
            ("Numbers", numbers({gamma: form.parameters[gamma]}, twins)),
        ),
        behind=(
            theorems(
                None,
                {
                    "first regime" if is_first else "second regime": "The optimum of the range",
                    "patterns": "That thresholds and inner numbers are all patterns",
                },
            ),
        ),
    )
