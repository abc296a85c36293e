"""The proof of an optimum that is linear in the weights of rows, as half a page (``derivations.Derivation``).

Every formula in it is an object of the vertex that was proved (``active``): no number is typed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from rropt.core.visible import with_noun
from rropt.symbolic.active import Basis, interval_of
from rropt.symbolic.derivations import (
    QED,
    Derivation,
    grouped,
    math,
    number,
    numbers,
    roots_named,
    row,
    theorems,
    tight_pairs,
    where,
)
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import number_of
from rropt.symbolic.sums import At, expression_of
from rropt.symbolic.symbols import gamma

PHI = {
    "trace": r"\varphi_i(r)=w_i r_i",
    "loss": r"\varphi_i(r)=\sum_j \pi_j L_{ij} r_j",
    "payoff": r"\varphi_d(r)=\sum_j \pi_j U_{dj} r_j",
    "total-variation": r"\varphi(r)=\tfrac12|r\cdot\pi-r\cdot q|",
    "chi-square": r"\varphi(r)=(a-b)^2/b",
    "hellinger": r"\varphi(r)=\tfrac12(\sqrt a-\sqrt b)^2",
    "kullback-leibler": r"\varphi(r)=a\ln(a/b)",
    "jensen-shannon": r"\varphi(r)=\tfrac12 a\ln\tfrac{2a}{a+b}+\tfrac12 b\ln\tfrac{2b}{a+b}",
    "alpha-divergence": r"\varphi(r)=\tfrac{1}{s(s-1)}\left(a^s b^{1-s}-s a-(1-s)b\right)",
    "mutual-information": r"\varphi(r)=\sum_j \pi_j r_j\ln(r_j/a)",
}
"""The part of a row in the objective, in LaTeX."""

_MEANS = {
    "mutual-information": 1,
    **dict.fromkeys(("chi-square", "hellinger", "kullback-leibler", "jensen-shannon", "alpha-divergence"), 2),
}
_LABELS = {"trace": "output", "loss": "output", "payoff": "decision"}
_BITS = 192
_KNOWN = "convex and homogeneous of degree 1"


def of_vertex(title: str, found: Basis, form: Form, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of a vertex.

    Args:
        title: what is solved.
        found: the vertex.
        form: its form, with the interval on which it holds.
        twins: the numbers at the level by their origin.
    """
    asked, kind = found.asked, found.asked.own["kind"]
    coq = {"edges": "That the edges suffice"}
    is_plain = kind == "trace" and not asked.pairs and {number_of(w) for w in asked.own["weights"]} == {1}
    coq |= {"trace": "The bound itself, for every number of categories,"} if is_plain else {}
    coq |= {} if asked.lines is not None or kind not in PHI else {"sums": "The bound of a sum by prices of rows"}
    cards = {} if asked.pairs else {"rows": "That rows of 1 and $\\gamma$ suffice"}
    cards |= {"bayes": "The mean over several distributions"} if kind == "bayes" else {}
    own = _own_domain(found)
    return Derivation(
        title,
        (
            ("Problem", _problem(found)),
            ("Active set", _active(found)),
            ("KKT system", _system(found)),
            ("Value", _value(found, form)),
            ("Proof", _proof(found)),
            ("Region", _region(found, form, own)),
            ("Numbers", numbers(asked.values, twins)),
        ),
        behind=(
            ("Weights", _weights(found)),
            ("Prices", _prices(found)),
            ("Edges", _edges(found)),
            *((("Roots", f"In the region, {roots}."),) if (roots := _roots(form, own)) else ()),
            theorems(coq, cards),
        ),
    )


def _problem(found: Basis) -> str:
    asked, kind, k = found.asked, found.asked.own["kind"], found.asked.k
    privacy = r"p_{ij}\le\gamma p_{il}" if not asked.pairs else r"\sum_i (p_{ij}-\gamma p_{il})_+\le\delta"
    word = "Maximize" if found.sign > 0 else "Minimize"
    term = {"trace": r"\varphi_i(p_i)", "loss": r"\varphi_i(p_i)", "payoff": r"\max_d\varphi_d(p_i)"}
    text = (
        f"{word} $\\sum_i{term.get(kind, chr(92) + 'varphi(p_i)')}$ over $P\\ge0$ with rows $p_i$ (outputs), {k} "
        f"columns of sum 1 (categories), and ${privacy}$ for all $j\\ne l$; both count from 0. Here {_phi(found)}"
    )
    shares = ",".join(math(x) for x in asked.proportions)
    if kind == "trace":
        return f"{text} with the weights $w=({','.join(math(number_of(x)) for x in asked.own['weights'])})$."
    text += f", $\\pi=({shares})$" if kind != "bayes" else ""
    if "matrix" in asked.own:
        name = "L" if kind == "loss" else "U"
        entries = sp.ImmutableMatrix([[number_of(x) for x in line] for line in asked.own["matrix"]])
        return f"{text} and ${name} = {sp.latex(entries)}$."
    if "against" in asked.own:
        text += f" and $q=({','.join(math(number_of(x)) for x in asked.own['against'])})$"
    if "order" in asked.own:
        text += f", $s={math(number_of(asked.own['order']))}$"
    return text + "."


def _phi(found: Basis) -> str:
    own = found.asked.own
    if own["kind"] == "bayes":
        inner = found.asked.own["objective"]["kind"]
        listed = "; ".join(
            f"$u={math(number_of(weight))}$ for $({','.join(math(number_of(x)) for x in shares)})$"
            for weight, shares in zip(own["weights"], own["populations"], strict=True)
        )
        return (
            f"$\\varphi=\\sum_h u_h\\varphi_h$ is a mean over distributions of the categories ({listed}), and "
            f"$\\varphi_h$ is that of the {inner.replace('-', ' ')} at one of them"
        )
    if own["kind"] not in PHI:
        return (
            f"$\\varphi$ is the function `of_row` of the objective `{own['kind']}`, which states that it is {_KNOWN}; "
            "this is taken from the objective and is not proved here,"
        )
    means = {2: r", $a=r\cdot\pi$, $b=r\cdot q$", 1: r", $a=r\cdot\pi$"}.get(_MEANS.get(own["kind"], 0), "")
    return f"${PHI[own['kind']]}${means}"


def _active(found: Basis) -> str:
    asked = found.asked
    count = sum(1 for w in found.weights if w)
    text = f"CVXPY finds weight on {with_noun(count, 'row')}"
    if asked.pairs:
        text += f", and {tight_pairs(found.active.tight, asked.k)}"
    rest = len(found.weights) - count
    degenerate = f" The vertex is degenerate: {with_noun(rest, 'row')} of weight 0 complete the system." if rest else ""
    return f"{text}.{degenerate} The list of weights is below."


def _weights(found: Basis) -> str:
    asked, field = found.asked, found.asked.field
    label = _LABELS.get(asked.own["kind"], "")
    pairs = list(zip(found.weights, found.active.rows, strict=True))
    names = [f"${row(one.exponents)}$" + (f" ({label} {one.label})" if one.label >= 0 else "") for _, one in pairs]
    own = [(field.expression(w), name) for (w, _), name in zip(pairs, names, strict=True)]
    return f"The weights $w_r$ of the rows $r$ are\n\n{grouped(own, asked.values)}\n"


def _system(found: Basis) -> str:
    asked = found.asked
    tight = r" and $\sum_r w_r (r_j-\gamma r_l)_+=\delta$ for the tight pairs" if asked.pairs else ""
    on_pairs = r"\sum_{jl} z_{jl}(r_j-\gamma r_l)_+" if asked.pairs else ""
    on_pairs = (("+" if found.sign > 0 else "-") + on_pairs) if on_pairs else ""
    part = {"payoff": r"\varphi_d(r)", "trace": r"\varphi_i(r)", "loss": r"\varphi_i(r)"}
    phi = part.get(asked.own["kind"], r"\varphi(r)")
    others = "; other pairs have the price 0" if asked.pairs and len(found.active.tight) < len(asked.pairs) else ""
    return (
        f"Weights: $\\sum_r w_r r=(1,\\dots,1)${tight}. Prices: $y\\cdot r{on_pairs}={phi}$ on these rows, the "
        f"transposed system. Its matrix of order {len(found.active.rows)} is regular{others}."
    )


def _prices(found: Basis) -> str:
    asked, field = found.asked, found.asked.field
    named = [
        *((expression_of(field, price.times(found.sign)), f"$y_{{{j}}}$") for j, price in enumerate(found.prices)),
        *(
            (expression_of(field, price), f"$z_{{{j}{other}}}$")
            for price, (j, other) in zip(found.pair_prices, found.active.tight, strict=True)
        ),
    ]
    return f"The prices are\n\n{grouped(named, asked.values, '=')}\n"


def _value(found: Basis, form: Form) -> str:
    z = (r" + " if found.sign > 0 else " - ") + r"\delta\sum_{jl} z_{jl}" if found.asked.pairs else ""
    return f"$$v = \\sum_j y_j{z} = {math(form.value)}.$$"


def _proof(found: Basis) -> str:
    asked, is_largest = found.asked, found.sign > 0
    kind = asked.own["kind"]
    excess = r" + \sum_{jl} z_{jl}\,(p_{ij}-\gamma p_{il})_+" if asked.pairs else ""
    phi = {"trace": r"\varphi_i(p_i)", "loss": r"\varphi_i(p_i)", "payoff": r"\varphi_{d(i)}(p_i)"}
    own = phi.get(kind, r"\varphi(p_i)")
    bracket = rf"y\cdot p_i{excess} - {own}" if is_largest else rf"{own} - y\cdot p_i{excess}"
    gap = rf"v - \sum_i {own}" if is_largest else rf"\sum_i {own} - v"
    rest = r" + \sum_{jl} z_{jl}\Big(\delta - \sum_i (p_{ij}-\gamma p_{il})_+\Big)" if asked.pairs else ""
    choice = " and every choice $d(i)$ of a decision for each output" if kind == "payoff" else ""
    text = (
        f"For every private $P${choice}, as its columns sum to 1, $$ {gap} = "
        f"\\sum_i\\Big[{bracket}\\Big]{rest}\\ \\ge 0. $$ "
    )
    text += r"The second sum is nonnegative, since $P$ is private and $z\ge0$. " if asked.pairs else ""
    text += "By the lemma on edges (below) no bracket is negative if none is so at the edges. "
    count, all_rows = len(found.active.rows), asked.number_of_rows * len(asked.labels)
    if found._has_many_rows:
        least = "y_j-c_j" if is_largest else "c_j-y_j"
        text += (
            f"Let $c\\cdot r$ be the part of a row at an output or a decision, and $e_j={least}$. The least bracket "
            f"over all rows of 1 and $\\gamma$ is $\\sum_j e_j+(\\gamma-1)\\sum_j\\min(0,e_j)$: the signs of "
            f"{len(found.reduced_costs())} numbers, the $e_j$ and these sums, decide on all {all_rows} "
            "brackets. The sums"
        )
    else:
        text += f"Of the {with_noun(all_rows, 'bracket')} there, the {count} of the rows above are 0. "
        text += f"The others{_least(found)}"
    text += (
        ", the weights, the prices $z$ and all slacks are nonnegative"
        if asked.pairs
        else " and the weights are nonnegative"
    )
    tight = ", since pairs with a price are tight" if asked.pairs else ""
    return f"{text}: {_tested(found)}. At $P$ with these weights the gap is 0{tight}. {QED}"


def _edges(found: Basis) -> str:
    """Return the lemma that the brackets are needed at the edges only."""
    asked = found.asked
    what = "linear" if asked.lines is not None else _KNOWN
    if asked.pairs:
        text = (
            r"The planes $r_j=0$ and $r_j=\gamma r_l$ cut $r\ge0$ into cells, on which each $(r_j-\gamma r_l)_+$ is "
            f"linear, and $\\varphi$ is {what}. "
        )
    else:
        text = (
            f"$\\varphi$ is {what}, and every $p_i$ is in the cone $r_j\\le\\gamma r_l$, whose edges are the rows of 1 "
            r"and $\gamma$ that are not constant. "
        )
    return (
        f"{text}So {'on a cell ' if asked.pairs else ''}minus the bracket is convex and homogeneous of degree 1: it is "
        "at most the sum of its values at the multiples of edges whose sum is $p_i$."
    )


def _least(found: Basis) -> str:
    """Return the smallest bracket of the rows without weight that is not 0 at all levels, at the level."""
    at = At(found.asked.field)
    brackets = [float(at.ball(each, _BITS).mid()) for each in found.reduced_costs()]
    return (
        f" (the smallest that is not 0 at all levels is ${number(float(f'{min(brackets):.3g}'))}$)" if brackets else ""
    )


def _tested(found: Basis) -> str:
    own = [*found.pair_prices, *found.parts]
    if all(each.is_rational for each in own):
        at = found.asked.field.numbers is not None or not found.asked.values
        return (
            "computed in fractions at the level" if at else "their signs at the level follow from interval arithmetic"
        )
    return (
        "their signs at the level follow from interval arithmetic; a sum of logarithms or roots counts as 0 if all its "
        "coefficients are 0, or if 3072 bits do not distinguish it from 0"
    )


def _own_domain(found: Basis) -> Any:
    """Return the interval on which the prices prove the vertex; None if it is the level alone."""
    asked = found.asked
    if gamma not in asked.field.symbols:
        return None
    low, high = interval_of(found)
    lower = sp.Gt(gamma, 1) if low == 1 else sp.Ge(gamma, low)
    others = [sp.Eq(symbol, value) for symbol, value in asked.values.items() if symbol != gamma]
    own = sp.And(lower, *([] if high is sp.oo else [sp.Le(gamma, high)]), *others)
    return None if low == high else own


def _region(found: Basis, form: Form, own: Any) -> str:
    if gamma not in found.asked.field.symbols:
        return "The proof is for this level alone."
    if own is None:
        return "The proof is for this level; no interval around it was proved."
    text = f"All these numbers keep their signs, so that the proof holds, at least for {where(own, has_roots=False)}."
    if form.domain != own:
        text += (
            f" The formula of the value is optimal at least for {where(form.domain, has_roots=False)}: on the "
            "intervals beside this one other prices prove the same value."
        )
    return text


def _roots(form: Form, own: Any) -> str:
    """Return the polynomials whose roots the ends of the region are."""
    if own is None:
        return ""
    texts = dict.fromkeys(text for each in (own, form.domain) if (text := roots_named(each)))
    return "; ".join(texts)
