"""Half a page of proof for results that are no k-ary design problem, written from verified objects.

A ``Derivation`` has the problem, the active set, the system that it solves, the value, the proof and the numbers. Each
formula in it is an object that was derived or tested for this result; no number is typed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from rropt.core.visible import with_noun
from rropt.symbolic.programs import Vertex
from rropt.symbolic.symbols import exact

_MOST_LISTED = 12  # entries, prices or conditions that are written out
_LONGEST, _LONGEST_NUMBER = 1500, 60  # characters of a formula, and of a number
_HEADS = (
    ("problem", "Problem"),
    ("active", "Active set"),
    ("system", "KKT system"),
    ("value", "Value"),
    ("proof", "Proof"),
    ("numbers", "Numbers"),
)


@dataclass(frozen=True)
class Derivation:
    """A proof of a result, as text with formulas in LaTeX between dollar signs.

    Attributes:
        title: what is solved.
        problem: the problem.
        active: which conditions are tight, or which rows have weight; found by CVXPY.
        system: the equations that they give, and their solution.
        value: the optimum.
        proof: why nothing is better, and where.
        numbers: the numbers of all twins at the level.
    """

    title: str
    problem: str
    active: str
    system: str
    value: str
    proof: str
    numbers: str

    def markdown(self) -> str:
        """Return the derivation in Markdown."""
        parts = [f"**{head}.** {text}" for name, head in _HEADS if (text := getattr(self, name))]
        return "\n\n".join([f"### {self.title}", *parts]) + "\n"

    def latex(self) -> str:
        """Return the derivation in LaTeX, as paragraphs of a section."""
        parts = [rf"\paragraph{{{head}.}} {_latex(text)}" for name, head in _HEADS if (text := getattr(self, name))]
        return "\n\n".join([rf"\subsection*{{{_latex(self.title)}}}", *parts]) + "\n"


_SPECIAL = {"^": r"\^{}", "~": r"\~{}", "<": "$<$", ">": "$>$", "\\": r"\textbackslash{}"}


def _escaped(text: str) -> str:
    """Return plain text for LaTeX."""
    return re.sub(r"[#%&_{}^~<>\\]", lambda found: _SPECIAL.get(found[0], "\\" + found[0]), text)


def _latex(text: str) -> str:
    """Return a text for LaTeX: what is between dollar signs stays, and special characters outside are escaped."""
    found = []
    for part in re.split(r"(\$\$.*?\$\$|\$.*?\$|`.*?`)", text, flags=re.DOTALL):
        if part.startswith("$$"):
            found.append(rf"\[{part[2:-2]}\]")
        elif part.startswith("$"):
            found.append(part)
        else:
            found.append(rf"\texttt{{{_escaped(part[1:-1])}}}" if part.startswith("`") else _escaped(part))
    return "".join(found)


def math(expression: Any) -> str:
    """Return an expression in LaTeX, or its decimals if it is long."""
    text = str(sp.latex(expression))
    return text if len(text) <= _LONGEST else str(sp.latex(sp.N(expression, 12)))


def named_numbers(numbers: Mapping[str, Any]) -> str:
    """Return numbers with their names; a long fraction is given in decimals."""
    listed = []
    for name, value in numbers.items():
        text = math(value)
        listed.append(f"${name} = {text if len(text) <= _LONGEST_NUMBER else sp.latex(sp.N(value, 15))}$")
    return ", ".join(listed)


def _grouped(pairs: Sequence[tuple[Any, str]], more: str) -> str:
    """Return names with equal values together, such as ``$x$ for a, b``."""
    groups: dict[Any, list[str]] = {}
    for value, name in pairs:
        groups.setdefault(value, []).append(name)
    listed = [f"${math(value)}$ for {', '.join(names[:_MOST_LISTED])}" for value, names in groups.items()]
    rest = len(listed) - _MOST_LISTED
    return "; ".join(listed[:_MOST_LISTED]) + (f"; and {rest} more {more}" if rest > 0 else "")


def _name(label: Any) -> str:
    """Return the label of a condition as a formula; numbers of outputs and categories start at 0."""
    word, *places = label
    formulas = {
        "column": "sum of column {0}",
        "kept": "invariance of category {0}",
        "zero": r"$p_{{{0}{1}}}\ge 0$",
        "ratio": r"$p_{{{1}{2}}}\le\gamma_{{{0}}} p_{{{1}{3}}}$",
        "excess": r"$e_{{{1},{2}{3}}}\ge p_{{{1}{2}}}-\gamma_{{{0}}} p_{{{1}{3}}}$",
        "none": r"$e_{{{1},{2}{3}}}\ge 0$",
        "delta": r"$\sum_i e_{{i,{1}{2}}}\le\delta_{{{0}}}$",
        "least": r"the least $p_{{{0}{1}}}$",
        "most": r"the largest $p_{{{0}{1}}}$",
        "up": r"$p_{{{0}{1}}}-q_{{{0}{1}}}\le t$",
        "down": r"$q_{{{0}{1}}}-p_{{{0}{1}}}\le t$",
    }
    return formulas[word].format(*places).replace(r"\gamma_{0} ", r"\gamma ").replace(r"\delta_{0}", r"\delta")


def of_vertex(
    title: str,
    problem: str,
    vertex: Vertex,
    form: Any,
    count: tuple[int, int],
    twins: Mapping[str, Any],
    more: str = "",
) -> Derivation:
    """Return the proof of a vertex of a linear program.

    Args:
        title, problem: what is solved.
        vertex: the vertex with its prices.
        form: its form.
        count: the numbers of outputs and categories.
        twins: the numbers at the level by their origin.
        more: what else is said of the problem.
    """
    field = vertex.field
    priced = [(field.expression(price), _name(label)) for label, price in vertex.prices.items() if price]
    m, k = count
    return Derivation(
        title,
        f"{problem}{more}",
        f"Of {with_noun(len(vertex.conditions), 'inequality', 'inequalities')} and equations, {len(vertex.prices)} "
        f"determine the vertex; CVXPY finds them tight, and {len(priced)} have a price other than 0.",
        f"They are linear equations over the field of rational functions of the level. Their solution is "
        f"$$P = {math(form.mechanism)}$$ ({m} outputs, {k} categories). The prices $y$ solve $c+\\sum_i y_i a_i=0$: "
        f"{_grouped(priced, 'prices')}.",
        f"$\\displaystyle v = {math(form.value)}$.",
        "For every $x$ that satisfies the conditions $a_i\\cdot x\\le b_i$, "
        "$$c\\cdot x - (-\\textstyle\\sum_i y_i b_i) = \\sum_i y_i\\,(b_i-a_i\\cdot x)\\ge 0,$$ because the prices of "
        "the inequalities are nonnegative, and those of the equations multiply 0. Equality holds at the vertex, whose "
        f"slacks are nonnegative. All {len(vertex.conditions)} prices and slacks keep their signs at least where "
        f"${math(form.domain)}$. $\\blacksquare$",
        named_numbers(twins) + ".",
    )


def of_two_outputs(problem: str, points: Sequence[Any], form: Any, conditions: Sequence[Any], twins: Any) -> Derivation:
    """Return the proof of a binary design with two outputs: the best vertex of the region."""
    best, *others = points
    names = {each.name: each.point for each in others}
    listed = "".join(f"\n\n$$ {math(condition)} \\ge 0 $$" for condition in conditions)
    named = "; ".join(f"{name}: $({math(point[0])},\\ {math(point[1])})$" for name, point in names.items())
    return Derivation(
        "Binary design with two outputs",
        problem + " Minimize $n\\,\\mathrm{Var} = \\lambda(1-\\lambda)/(p_{00}+p_{11}-1)^2$ with "
        "$\\lambda=(1-\\pi)(1-p_{00})+\\pi p_{11}$. With two outputs the privacy condition is one line for each output "
        "and each ordered pair of truths.",
        f"Two of the eight lines meet in each vertex. The best one at the level: {best.name}.",
        f"$p_{{00}} = {math(best.point[0])}$, $p_{{11}} = {math(best.point[1])}$.",
        f"$\\displaystyle n\\,\\mathrm{{Var}} = {math(form.value)}$.",
        "$1/(n\\,\\mathrm{Var})$ is the Fisher information $\\sum_i (p_{i1}-p_{i0})^2/(p_i\\cdot\\pi)$, a sum of "
        "squares of linear forms over positive linear forms. It is convex in the design, so its largest value is at a "
        f"vertex. The other vertices with $p_{{00}}+p_{{11}}>1$ are {named or 'none'}. The remaining "
        "meeting points violate a "
        "condition for all $\\gamma>1$ and $0<\\delta<1$: the slack has the sign of a polynomial in $\\gamma-1$ and "
        "$\\delta/(1-\\delta)$ whose coefficients are at most 0. So the form is the optimum exactly where "
        f"{listed or 'the region is not empty'}\n\nhold. $\\blacksquare$ (Holohan, Leith and Mason 2016, Theorems 2 to "
        "4.)",
        named_numbers(twins) + ".",
    )


def of_infimum(criterion: str, found: Any, twins: Any) -> Derivation:
    """Return the derivation of B(h) from its limits and stationary values."""
    place = "a limit" if found.how == "limit" else "a stationary value" if found.how != "constant" else "infinite"
    at = f" at $p = {math(found.at)}$" if found.at is not None else ""
    proof = (
        "All stationary points of all pieces are roots of polynomials, and all limits were found, so no other value is "
        "smaller. $\\blacksquare$"
        if found.is_proved
        else "The stationary points are no roots of a polynomial: they were searched, and the value is not proved."
    )
    value = found.number if found.form is None else found.form
    return Derivation(
        "B(h) of a criterion",
        f"$B(h)=\\inf_{{0<p<1}} F(p)$ with $F = h\\,(1-p)/((1-h)\\,p)$, for the criterion `{criterion}`.",
        "",
        "$h$ is cut where a minimum, a maximum or a case changes. On each piece the candidates are the limits of $F$ "
        "at its ends and the roots of $p(1-p)h'(p)=h(p)(1-h(p))$; they are compared exactly.",
        f"The least candidate is {place}{at}: $B(h) = {math(sp.oo if value is None else sp.sympify(str(value)))}$.",
        f"{proof} (Chai and Nayak 2018, Theorem 3.1: a mechanism satisfies the criterion iff its parity is at most "
        "B(h).)",
        named_numbers(twins) + ".",
    )


def of_garbling(answer: Any, proof: Any, deficiency: float) -> Derivation:
    """Return the proof of a direction of Blackwell's order: a kernel, or a task."""
    P, A = (
        sp.ImmutableMatrix([[exact(x) for x in row] for row in one.matrix]) for one in (answer.source, answer.target)
    )
    problem = "Is $A$ a garbling of $P$, that is, $A = CP$ for a kernel $C\\ge0$ whose columns sum to 1?"
    problem += f" $$P = {math(P)},\\quad A = {math(A)}$$"
    if proof.kernel is not None:
        C = sp.ImmutableMatrix([[exact(x) for x in row] for row in proof.kernel])
        return Derivation(
            "Blackwell's order: a garbling",
            problem,
            f"CVXPY's kernel of least deficiency has {with_noun(sum(1 for x in C if x), 'entry', 'entries')} above 0.",
            "They solve $CP=A$ and the sums of the columns, exactly in fractions:",
            f"$$C = {math(C)}$$",
            "$C\\ge 0$, its columns sum to 1, and $CP=A$ entry by entry. $\\blacksquare$ (Blackwell 1953.)",
            f"CVXPY's deficiency: ${deficiency:.3g}$.",
        )
    if proof.payoff is None:
        return Derivation(
            "Blackwell's order", problem, "", "", "", "Neither a kernel nor a task was found in fractions.", ""
        )
    Y = sp.ImmutableMatrix([[exact(x) for x in row] for row in proof.payoff])
    return Derivation(
        "Blackwell's order: no garbling",
        problem,
        "CVXPY's dual solution is a decision task; its payoffs are rounded to fractions.",
        f"$$Y = {math(Y)}$$",
        f"$\\sum_{{ij}} Y_{{ij}}A_{{ij}} - \\sum_o \\max_i (YP^T)_{{io}} = {math(exact(proof.gain))} > 0$.",
        "If $A=CP$, then $\\sum Y_{ij}A_{ij} = \\sum_o\\sum_i C_{io}(YP^T)_{io}\\le\\sum_o\\max_i(YP^T)_{io}$, which "
        "contradicts this gain. $\\blacksquare$",
        f"CVXPY's deficiency: ${deficiency:.6g}$.",
    )


def of_split(own: Any, objective: Any, level: Any, twins: Any) -> Derivation:
    """Return the proof of a split of a privacy budget by weak duality."""
    weights = ", ".join(str(share) for share in objective.shares)
    names = {True: r"\log\frac{x^2+1}{(x-1)^2}", False: r"\frac{x}{(x-1)^2}"}
    return Derivation(
        "Split of a privacy budget",
        "Minimize $\\sum_l w_l h(u_l)$ subject to $\\sum_l u_l\\le\\varepsilon$, with $x=e^u$ and "
        f"$h={names[objective.is_product]}$, weights {weights} and $\\varepsilon={math(level)}$"
        + (", the logarithm of the product." if objective.is_product else "."),
        "The budget is spent.",
        f"All slopes are equal: $-w_l h'(u_l)=\\lambda$ with $\\lambda = {sp.Float(str(own.multiplier), 15)}$.",
        f"The optimum is in $[{sp.N(exact(own.lower), 20)},\\ {sp.N(exact(own.upper), 20)}]$.",
        "$h$ is convex in $u$, so for every $\\lambda>0$ and every split $\\sum w_l h(u_l)\\ge "
        "\\sum_l\\min_u (w_l h(u)+\\lambda u)-\\lambda\\varepsilon$. The lower end evaluates the right "
        "side, and the upper end the split, both in interval "
        "arithmetic of 100 digits. $\\blacksquare$",
        named_numbers(twins) + ".",
    )


_PROOFS = {
    "rows": "Where the weights are nonnegative and no row S of a decision has a better part than $y\\cdot "
    "S$, the value "
    "is $\\sum_j y_j$ by weak duality: a private design is a sum of such rows.",
    "vertex of the region": "The information is convex in the design, so the best design is a vertex of the region; "
    "n Var at the other vertices is not smaller.",
    "linear program": "By weak duality the vertex is optimal where the prices of its tight conditions and the slacks "
    "of "
    "the others are nonnegative.",
    "trace": "Let $T$ be the trace of the information without its eigenvalue $k$. By the inequalities of the means the "
    "sum of the inverse eigenvalues is at least $(k-1)^2/T$, their product at most $(T/(k-1))^{k-1}$, and the least at "
    "most $T/(k-1)$. With $\\varphi(r)=k|r|^2/s-s$, $s=\\sum_j r_j$ and $E=\\sum_{jl}(r_j-\\gamma r_l)_+$, the "
    "conditions $\\varphi(r)\\le ys+zE$ on the edges give $T\\le ky+k(k-1)\\delta z$; a symmetric design with subsets "
    "attains all of them.",
}


def of_levels(title: str, pieces: Sequence[tuple[Any, Sequence[Any]]], covered: bool) -> Derivation:
    """Return the proof of formulas for every level: for each piece its value, weights, prices and intervals."""
    kind = getattr(pieces[0][1][0], "kind", "rows")
    lines, systems = [], []
    for value, forms in pieces:
        parts = ", ".join(f"$[{math(form.low)},\\ {math(form.high)}]$" for form in forms)
        lines.append(f"$$ v = {math(value)} \\quad\\text{{on}}\\quad $$ {parts}")
        form = forms[0]
        if hasattr(form, "prices"):
            weights, prices = ", ".join(map(math, form.weights)), ", ".join(map(math, form.prices))
            systems.append(f"weights ${weights}$ and prices $({prices})$ ({form.tested} conditions)")
        else:
            systems.append(f"{form.how} ({form.tested} conditions)")
    return Derivation(
        title,
        "The optimum as a function of $\\gamma=e^\\varepsilon$.",
        "At a level inside each piece CVXPY says which rows have weight, or which conditions are tight.",
        "The equations of the tight conditions (of rows $\\sum_S w_S S=1$ and $y\\cdot S=\\varphi(S)$) are solved over "
        "$\\mathbb{Q}(\\gamma)$: " + "; ".join(systems) + ".",
        "\n\n".join(lines),
        f"{_PROOFS[kind]} The conditions are rational functions of $\\gamma$ with exact roots, which give "
        "the intervals. " + ("They cover all pieces. $\\blacksquare$" if covered else "They do not cover all pieces."),
        "",
    )


def of_admissibility(answer: Any, gain: float) -> Derivation:
    """Return the proof that a mechanism is admissible or not, by the layers of its rows."""
    rows = sp.ImmutableMatrix([[exact(x) for x in row] for row in answer.merged.mechanism.matrix])
    better = answer.domination
    if better is None:
        proof = (
            "Every row has one layer, so it is an extreme ray, and no private mechanism is strictly more informative."
        )
        system = "Each row has two values, and their ratio is $\\gamma$: $c_0=0$ and one step."
    else:
        A, C = (
            sp.ImmutableMatrix([[exact(x) for x in row] for row in one.matrix])
            for one in (better.mechanism, better.kernel)
        )
        system = f"The layers of all rows give the mechanism and the kernel $$A = {math(A)},\\quad C = {math(C)}$$"
        proof = "$P = CA$ exactly, $A$ is private, and each of its rows has one layer, while a row of $P$ has more."
    return Derivation(
        "Admissibility",
        f"Is no mechanism at the level strictly more informative than $$P = {math(rows)}$$?",
        "",
        "A row with the values $x_1<\\dots<x_d\\le\\gamma x_1$ is $c_0 1+\\sum_t c_t S_t$ with "
        "$c_t=(x_t-x_{t-1})/(\\gamma-1)$ and $c_0=(\\gamma x_1-x_d)/(\\gamma-1)$, all nonnegative. " + system,
        "admissible" if answer.admissible else "not admissible",
        f"{proof} $\\blacksquare$ (Chai and Nayak 2018, Theorem 4.3; in Coq: "
        "`chai_nayak_theorem_4_3_admissible_iff_in_the_core`.)",
        f"CVXPY's gain of the finest splitting: ${gain:.6g}$.",
    )


def of_strata(plan: Any, neyman: Any, twins: Any) -> Derivation:
    """Return the proof that an allocation to strata is optimal."""
    pairs = ", ".join(f"$n_{h}={n}$" for h, n in enumerate(plan.sizes))
    return Derivation(
        "Allocation to strata",
        "Minimize $\\sum_h a_h/n_h$ over whole $n_h\\ge1$ with the sum $N$, $a = ("
        + ", ".join(math(exact(a)) for a in plan.spreads)
        + f")$ and $N={plan.n}$.",
        f"{pairs}.",
        f"For real sizes $n_h=N\\sqrt{{a_h}}/\\sum\\sqrt a$, with the value ${math(neyman)}$ (Neyman "
        "1934), a lower bound.",
        f"$v = {math(exact(plan.variance))}$.",
        "Each term is convex in $n_h$, so an allocation is optimal iff no exchange of one respondent is better: "
        "$\\max_h a_h/(n_h(n_h+1))\\le\\min_l a_l/(n_l(n_l-1))$, over strata that may grow and over "
        "those with $n_l\\ge2$. "
        "This holds in fractions. $\\blacksquare$",
        named_numbers(twins) + ".",
    )


def of_breach(judgement: Any, value: Any, twins: Any) -> Derivation:
    """Return the proof of the largest posterior of a property."""
    from rropt.symbolic.privacy.breaches import certificate, posterior

    return Derivation(
        "Largest posterior of a property",
        "Maximize $p\\,a$ subject to $p\\,a+(1-p)\\,b=1$ and $a\\le\\gamma b$: $a$ and $b$ are the mean "
        "likelihoods of an "
        "output on the property and off it, divided by its probability, and $\\gamma$ is the largest ratio in its row.",
        "Both conditions are tight.",
        f"$\\gamma = {math(sp.oo if judgement.parity is None else exact(judgement.parity))}$.",
        f"$\\displaystyle {math(posterior)} = {math(value)}$.",
        f"$$ {math(posterior)} - p\\,a = {math(certificate)} $$ is an identity, and its right side is nonnegative. "
        "$\\blacksquare$ (Chai and Nayak 2018, Theorem 3.1.)",
        named_numbers(twins) + ".",
    )


def matrix(rows: Sequence[Sequence[Any]]) -> sp.ImmutableMatrix:
    """Return exact numbers as a matrix."""
    return sp.ImmutableMatrix([[exact(x) for x in row] for row in rows])


@dataclass(frozen=True)
class Derivations:
    """Several derivations, one after the other.

    Attributes:
        parts: the derivations.
    """

    parts: tuple[Derivation, ...]

    def markdown(self) -> str:
        """Return all of them in Markdown."""
        return "\n".join(part.markdown() for part in self.parts)

    def latex(self) -> str:
        """Return all of them in LaTeX."""
        return "\n".join(part.latex() for part in self.parts)


def joined(parts: Sequence[Derivation]) -> Derivation | Derivations:
    """Return one derivation as it is, and several as one object."""
    return parts[0] if len(parts) == 1 else Derivations(tuple(parts))


def numbers(value: Any, of_solver: Any) -> dict[str, Any]:
    """Return the numbers of a result by their origin: an exact value or None, and a float, a text or None."""
    found = {} if value is None else {r"\text{SymPy}": value, r"\text{decimals}": sp.N(value, 12)}
    return found | ({r"\text{CVXPY}": sp.Float(of_solver, 12)} if isinstance(of_solver, float) else {})
