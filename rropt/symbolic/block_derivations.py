"""The proof of a divergence of many categories by blocks of ratios, as half a page (``derivations.Derivation``).

Every formula in it is an object of the blocks that were proved (``blocks``): no number is typed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from flint import ctx

from rropt.core.visible import with_noun
from rropt.symbolic.balls import enclosed
from rropt.symbolic.blocks import RatioCuts
from rropt.symbolic.derivations import QED, Derivation, math, number, numbers, theorems, where
from rropt.symbolic.posing import Form
from rropt.symbolic.row_derivations import PHI
from rropt.symbolic.symbols import exact, gamma

_BITS = 256
_MOST_BLOCKS = 6  # that are written out
_MOST_MEMBERS = 12  # categories of a block that are written out
_MOST_SHARES = 20  # proportions that are written out


def of_blocks(title: str, found: RatioCuts, form: Form, twins: Mapping[str, Any]) -> Derivation:
    """Return the proof of blocks.

    Args:
        title: what is solved.
        found: the blocks, with their multipliers.
        form: their form, with the interval on which it holds.
        twins: the numbers at the level by their origin.
    """
    return Derivation(
        title,
        (
            ("Problem", _problem(found)),
            ("Blocks", _blocks(found)),
            ("Value", _value(found, form)),
            ("Multipliers", _multipliers(found)),
            ("Proof", _proof(found)),
            ("Region", _region(form)),
            ("Numbers", numbers({gamma: found.level}, twins)),
        ),
        behind=(
            ("List of blocks", _listed(found)),
            (
                "Intervals",
                "As a function of $(\\pi_j,q_j)$, $y-T$ is convex and homogeneous of degree 1. So it is negative on a "
                "convex cone: at $(\\pi_j,q_j)$ exactly for the ratios $\\pi_j/q_j$ of an interval.",
            ),
            theorems({}, {"rows": "That rows of 1 and $\\gamma$ suffice", "blocks": "That some blocks are optimal"}),
        ),
    )


def _problem(found: RatioCuts) -> str:
    own = found.own
    shares = ""
    if found.k <= _MOST_SHARES:
        pi = found.data["population"]
        listed = ",".join(math(exact(x)) for x in (pi if isinstance(pi, list) else [sp.Rational(1, found.k)] * found.k))
        shares = f", $\\pi=({listed})$, $q=({','.join(math(exact(x)) for x in own['against'])})$"
    order = f", $s={math(exact(found.order))}$" if "order" in own else ""
    return (
        f"Maximize $\\sum_i F(p_i\\cdot\\pi,\\,p_i\\cdot q)$ over all $P\\ge0$ with rows $p_i$, {found.k} columns of "
        f"sum 1, and $p_{{ij}}\\le\\gamma p_{{il}}$. Here "
        f"${PHI[own['kind']].replace(chr(92) + 'varphi(r)', 'F(a,b)')}${order}{shares}. Categories are "
        "counted from 0."
    )


def _listed(found: RatioCuts) -> str:
    listed = [f"- $I_{{{n}}}$: {_members(found.members(one))}" for n, one in enumerate(found.blocks, 1)]
    more = len(listed) - _MOST_BLOCKS
    text = "\n".join(listed[:_MOST_BLOCKS]) + (f"\n- and {with_noun(more, 'more block')}" if more > 0 else "")
    return f"The blocks are\n\n{text}\n"


def _blocks(found: RatioCuts) -> str:
    groups = len(found.groups)
    equal = "" if groups == found.k else f" Categories with equal ratios are one group; there are {groups}."
    return (
        f"The categories are sorted by $\\pi_j/q_j$.{equal} CVXPY cuts the order into "
        f"{with_noun(len(found.blocks), 'block')}, listed below. The design reports the block of the category by "
        "randomized response."
    )


def _members(categories: Sequence[int]) -> str:
    more = len(categories) - _MOST_MEMBERS
    text = ", ".join(map(str, categories[:_MOST_MEMBERS]))
    return f"the categories {text} and {more} more" if more > 0 else f"the categories {text}"


def _value(found: RatioCuts, form: Form) -> str:
    text = (
        "With $u=\\gamma-1$ and $F(I)=F(1+u\\,\\pi(I),\\,1+u\\,q(I))$ the design of $m$ blocks has the value "
        "$$ V = \\frac{1}{u+m}\\sum_{i=1}^m F(I_i)"
    )
    if len(found.blocks) > _MOST_BLOCKS // 2:
        return f"{text}. $$"
    return f"{text} = {math(form.value)}. $$"


def _multipliers(found: RatioCuts) -> str:
    with ctx.workprec(_BITS):
        own = found.at(enclosed(found.level, {}))
        c, d, *kappa = (float((own.unknown(n) / own.u).mid()) for n in range(len(found.functions)))
    bent = [f"\\kappa_{{{found.groups[i][0]}}}={number(x)}" for i, x in zip(found.bends, kappa, strict=True)]
    named = ", ".join(f"${x}$" for x in [f"c={number(c)}", f"d={number(d)}", *bent[:_MOST_MEMBERS]])
    more = len(bent) - _MOST_MEMBERS
    rest = f" and {more} more" if more > 0 else ""
    free = len(found.functions) - len(found.equations)
    taken = f" They leave {with_noun(free, 'number')} free, which is near CVXPY's times $V$." if free == 1 else ""
    if free > 1:
        taken = f" They leave {with_noun(free, 'number')} free, which are near those of CVXPY times $V$."
    return (
        "Let $y_j=c\\,\\pi_j+d\\,q_j+\\sum_i\\kappa_i\\max(0,\\,\\pi_j q_i-\\pi_i q_j)$ with $\\kappa_i\\ge0$, and "
        "$y(S)=\\sum_{j\\in S}y_j$. The equations $V+u\\,y(I_i)=F(I_i)$ of the blocks are solved exactly, and their "
        f"sum is $\\sum_j y_j=V$.{taken} Rounded at the level, {named}{rest}."
    )


def _proof(found: RatioCuts) -> str:
    with ctx.workprec(_BITS):
        own = found.conditions(enclosed(found.level, {}))
        slacks = [(float(value.mid()), which) for value, what, which in own if what == "slack"]
    count = len(found.groups) * (len(found.groups) + 1) // 2
    least, interval = min(one for one in slacks if one[1] not in found.equal)
    equal = with_noun(len(found.equations) + len(found.equal), "interval")
    return (
        "Let S be a set of categories, and r its row of $\\gamma$ on S and 1 elsewhere. F is convex and homogeneous of "
        "degree 1, so that a linear $T\\le F$ has $T=F$ at $(r\\cdot\\pi,r\\cdot q)$. Let $T_j=T(\\pi_j,q_j)$ and "
        "$J=\\{j: T_j>y_j\\}$. As $\\pi$ and $q$ sum to 1, $$ F(r\\cdot\\pi,r\\cdot q)-V-u\\,y(S) = "
        "T(1,1)-V+u\\sum_{j\\in S}(T_j-y_j) \\le T(1,1)-V+u\\sum_{j\\in J}(T_j-y_j) \\le F(J)-V-u\\,y(J). $$ "
        "J is an interval of the order (below), or empty. If J is empty, the third expression is $T(1,1)-V\\le "
        f"F(1,1)-V=-V\\le0$. Of the {with_noun(count, 'interval')} of the order, {equal} have $F(J)=V+u\\,y(J)$, the "
        f"blocks among them. The others have $F(J)<V+u\\,y(J)$, by interval arithmetic; the smallest difference is "
        f"${number(least)}$, of {_members(found.members(interval))}. Hence $F(r\\cdot\\pi,r\\cdot q)\\le "
        "V+u\\,y(S)=y\\cdot r$ on the edges of the cone of private rows, and, as F is convex and homogeneous, on all "
        "private rows. The sum over the rows of P is $$ \\sum_i F(p_i\\cdot\\pi,p_i\\cdot q)\\le\\sum_i y\\cdot "
        f"p_i=\\sum_j y_j=V. $$ The design attains V. {QED}"
    )


def _region(form: Form) -> str:
    if isinstance(form.domain, sp.Eq):
        return "The proof is for this level."
    return (
        "The equations are solved at every $\\gamma$. By interval arithmetic all differences and $\\kappa_i$ keep "
        f"their signs at least for {where(form.domain)}."
    )
