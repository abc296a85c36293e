"""The proof of an optimum that is linear in the weights of rows, as half a page (``result_derivations.Derivation``).

Every formula in it is an object of the vertex that was proved (``active``): no number is typed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from rropt.core.results.active_sets import Exponents
from rropt.core.visible import with_noun
from rropt.symbolic.active import Basis
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import number_of
from rropt.symbolic.result_derivations import Derivation, math, named_numbers
from rropt.symbolic.sums import Sum, expression_of
from rropt.symbolic.symbols import gamma

_MOST_LISTED = 12  # groups of rows or prices that are written out

_PHI = {
    "trace": r"w_i p_{ii}",
    "loss": r"\sum_j \pi_j L_{ij} p_{ij}",
    "payoff": r"\sum_j \pi_j U_{dj} p_{ij}\ \text{for the decision } d \text{ after output } i",
    "total-variation": r"\tfrac12|a_i-b_i|",
    "chi-square": r"(a_i-b_i)^2/b_i",
    "hellinger": r"\tfrac12(\sqrt{a_i}-\sqrt{b_i})^2",
    "kullback-leibler": r"a_i\ln(a_i/b_i)",
    "jensen-shannon": r"\tfrac12 a_i\ln\tfrac{2a_i}{a_i+b_i}+\tfrac12 b_i\ln\tfrac{2b_i}{a_i+b_i}",
    "alpha-divergence": r"\tfrac{1}{r(r-1)}\left(a_i^r b_i^{1-r}-r a_i-(1-r)b_i\right)",
    "mutual-information": r"\sum_j \pi_j p_{ij}\ln(p_{ij}/a_i)",
}


def of_vertex(title: str, found: Basis, form: Form, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of a vertex.

    Args:
        title: what is solved.
        found: the vertex.
        form: its form, with the interval on which it holds.
        twins: the numbers at the level by their origin.
    """
    asked, field = found.asked, found.asked.field
    has_delta, is_largest = bool(asked.pairs), found.sign > 0
    excess = r" + \sum_{jl} z_{jl}\,(p_{ij}-\gamma p_{il})_+" if has_delta else ""
    y, z = (r"y\cdot p_i", excess) if is_largest else (r"-\,y\cdot p_i", excess)
    bracket = rf"{y}{z} {'-' if is_largest else '+'} \varphi(p_i)"
    gap = r"v - \sum_i\varphi(p_i)" if is_largest else r"\sum_i\varphi(p_i) - v"
    rest = r" + \sum_{jl} z_{jl}\Big(\delta - \sum_i (p_{ij}-\gamma p_{il})_+\Big)" if has_delta else ""
    count, rows = len(found.active.rows), len(asked.rows) * len(asked.labels)
    weights = _grouped(
        (math(field.expression(w)), _row(row.label, row.exponents))
        for w, row in zip(found.weights, found.active.rows, strict=True)
    )
    prices = _grouped((_price(found, price, found.sign), f"y_{{{j + 1}}}") for j, price in enumerate(found.prices))
    pairs = _grouped(
        (_price(found, price, 1), f"z_{{{j + 1}{other + 1}}}")
        for price, (j, other) in zip(found.pair_prices, found.active.tight, strict=True)
    )
    on_pairs = r"+\sum_{jl} z_{jl}(r_j-\gamma r_l)_+" if has_delta else ""
    tight = r", and $\sum_r w_r (r_j-\gamma r_l)_+=\delta$ for the tight pairs" if has_delta else ""
    value = r"\sum_j y_j" + ((r" + " if is_largest else " - ") + r"\delta\sum_{jl} z_{jl}" if has_delta else "")
    planes = r"the planes $r_j=0$, $r_j=\gamma r_l$" if has_delta else r"the cone $r_j\le\gamma r_l$"
    return Derivation(
        title,
        _problem(found),
        f"{with_noun(count, 'row has', 'rows have')} weight"
        + (f", and {with_noun(len(found.active.tight), 'pair is', 'pairs are')} tight" if has_delta else "")
        + f": {weights}.",
        f"The weights solve $\\sum_r w_r r=(1,\\dots,1)${tight}. The prices solve $y\\cdot r"
        f"{on_pairs if is_largest else on_pairs.replace('+', '-', 1)}=\\varphi(r)$ on these rows: {prices}"
        + (f"; {pairs}" if found.active.tight else "")
        + ".",
        f"$\\displaystyle v = {value} = {math(form.value)}$.",
        f"For every private $P$ with rows $p_i$, $$ {gap} = \\sum_i\\Big[{bracket}\\Big]{rest}\\ \\ge 0. $$ "
        + (r"The second sum is nonnegative, because $P$ is private and $z\ge0$. " if has_delta else "")
        + f"Minus each bracket is convex and homogeneous of degree 1 on each cell of {planes}, so the edges "
        f"suffice. Of the {rows} brackets on the edges {count} are 0, and the others are nonnegative; so are weights"
        + (", prices $z$ and slacks" if has_delta else "")
        + f". All of them were tested exactly at the level, and hold for ${sp.latex(form.domain)}$. $\\blacksquare$",
        named_numbers(twins) + ".",
    )


def _problem(found: Basis) -> str:
    asked = found.asked
    kind, k = asked.own["kind"], asked.k
    privacy = r"p_{ij}\le\gamma p_{il}" if not asked.pairs else r"\sum_i (p_{ij}-\gamma p_{il})_+\le\delta"
    phi = _PHI.get(kind, r"\varphi(p_i)")
    means = r" with $a_i=p_i\cdot\pi$ and $b_i=p_i\cdot q$" if "b_i" in phi else r" with $a_i=p_i\cdot\pi$"
    shares = ",".join(math(x) for x in asked.proportions)
    word = "Maximize" if found.sign > 0 else "Minimize"
    against = ",".join(math(number_of(x)) for x in asked.own.get("against", ()))
    return (
        f"{word} $\\sum_i\\varphi(p_i)$, $\\varphi(p_i)={phi}${means if 'a_i' in phi else ''}, over all $P\\ge0$ "
        f"with {k} columns of sum 1 and ${privacy}$ for all $j\\ne l$. The proportions are $\\pi=({shares})$"
        + (f" and $q=({against})$." if against else ".")
    )


def _row(label: int, exponents: Exponents) -> str:
    powers = ("0" if e is None else "1" if not e else sp.latex(gamma**e) for e in exponents)
    return f"$({','.join(powers)})$" + (f" for {label}" if label >= 0 else "")


def _price(found: Basis, price: Sum, sign: int) -> str:
    return math(expression_of(found.asked.field, price.times(sign)))


def _grouped(pairs: Any) -> str:
    """Return names with equal values together."""
    groups: dict[str, list[str]] = {}
    for value, name in pairs:
        groups.setdefault(value, []).append(name if name.startswith("$") else f"${name}$")
    listed = [f"${value}$: {', '.join(names)}" for value, names in groups.items()]
    more = len(listed) - _MOST_LISTED
    return "; ".join(listed[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
