"""Certificates of linear design problems, in the linear way, and the rows of their linear programs.

A row has a name, by which all solvers give its multiplier. A certificate has the multipliers of the privacy conditions
between two inputs (checker/linear_way.md), which a dual of the program determines.

The names of the rows, m outputs i, k inputs j, l; every variable (p_ij and t_i or e_i,jl) is nonnegative:

* ``("sum", j)``: ``sum_i p_ij = 1``;
* form ``parity`` (one level, delta 0): ``("lower", i, j)``: ``p_ij - t_i >= 0``; ``("upper", i, j)``: ``gamma t_i -
  p_ij >= 0``;
* form ``excess`` (one level, delta not 0), j != l: ``("excess", i, j, l)``: ``e_i,jl - p_ij + gamma p_il >= 0``;
  ``("total", j, l)``: ``sum_i e_i,jl <= delta``;
* form ``pairwise``: ``("pair", i, j, l)``: ``gamma_jl p_il - p_ij >= 0`` for every pair with a level;
* bounded regions: ``("least", i, j)``: ``p_ij >= least_ij``; ``("most", i, j)``: ``p_ij <= most_ij``;
* inequalities c in several entries: ``("largest", c, n, a)``: ``f_cna(P) <= s_cn`` for each function a of a part n that
  has several; ``("inequality", c)``: ``sum_n s_cn <= b_c``, with f_cn in place of s_cn if the part has one function;
* objective distance to Q: ``("above", i, j)``: ``p_ij + s >= q_ij``; ``("under", i, j)``: ``p_ij - s <= q_ij`` (s_ij
  instead of s if the norm is ``total``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from rropt.core.certificates.record import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket
from rropt.core.exact.texts import fraction_of
from rropt.designs.writers.bracket_writer import brackets_of, nested_texts, state_bracket, stated_problem
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

Form = Literal["parity", "excess", "pairwise"]
Name = tuple[Any, ...]  # the name of a row: a word and indices


def program_form(document: Mapping[str, Any]) -> Form:
    """Return the form of the linear program of a problem, as ``Problem.to_dict`` or ``Problem.certified_dict`` has it.

    Raises:
        UnsupportedProblemError: the region is not ``differential-privacy`` (family all), ``privacy-levels`` with
            delta 0 or ``bounded`` over one of these, or the number of outputs is left open.
    """
    region = document["region"]
    inner = region["region"] if region["kind"] == "bounded" else region
    if inner["outputs"] == "any":
        raise UnsupportedProblemError(
            "outputs is left open: received any; a linear program needs a number of outputs, e.g. that of inputs"
        )
    if inner["kind"] == "criterion":
        return "parity"
    if inner["kind"] == "every-mechanism":
        return "pairwise"
    if inner["kind"] == "privacy-levels" and all(level["delta"] == "0" for level in inner["levels"]):
        return "pairwise"
    if inner["kind"] != "differential-privacy" or inner["family"] != "all":
        raise UnsupportedProblemError(
            f"region has no linear program: received {shown(inner['kind'])}; allowed are "
            "differential-privacy with family all, privacy-levels with delta 0, and bounded over one of these"
        )
    return "parity" if inner["delta"] == "0" else "excess"


def certify_linear_design(
    document: Mapping[str, Any],
    levels: RationalLevels,
    *,
    lower: Fraction,
    upper: Fraction,
    mechanism: Mechanism,
    dual: Mapping[Name, Fraction],
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Regions grow with gamma and delta. The mechanism lies in the region at ``levels.below``, and the dual bounds the
    objective over the region at ``levels.above``.

    Args:
        document: a problem as ``Problem.certified_dict`` returns it. Its objective is ``trace``, ``loss`` or
            ``distance``; its region is ``differential-privacy`` (family all), ``privacy-levels`` with delta 0, or
            ``bounded`` over one of these.
        levels: rational levels around the problem's level, or around the level of each pair.
        lower: the value of the mechanism when maximizing, the value of the dual when minimizing.
        upper: the value of the dual when maximizing, the value of the mechanism when minimizing.
        mechanism: P of shape (m, k).
        dual: y, a mapping from the name of a row to its multiplier; others are 0. When
            minimizing, ``y >= 0`` on rows ``>=``, ``y <= 0`` on rows ``<=``, and ``c - A^T y >= 0``. When maximizing,
            all three inequalities are reversed.

    Returns:
        A certificate of the statement ``design-bracket``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: a row does not exist, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: linear duality; e.g. Schrijver, Theory of linear and integer programming (1986), section 7.4.
    """
    proof = _linear_proof(document, levels, dual, _sign(document))
    return state_bracket(document, levels, Bracket(lower, upper), mechanism, "linear", proof)


def certify_infeasible_design(
    document: Mapping[str, Any], levels: RationalLevels, multipliers: Mapping[Name, Fraction]
) -> Certificate:
    """Return the certificate that no mechanism lies in the region of a problem.

    Args:
        document: as for ``certify_linear_design``; only bounds on entries can make it infeasible.
        levels: rational levels around the problem's level, or around the level of each pair.
        multipliers: y at ``levels.above``, a mapping from the name of a row to its multiplier: ``y >= 0`` on rows
            ``>=``, ``y <= 0`` on rows ``<=``, ``A^T y <= 0``, and ``b . y > 0``.

    Returns:
        A certificate of the statement ``infeasible``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: a row does not exist, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: Farkas (1902).
    """
    stated = stated_problem(document)
    proof = {"limits": None, **_linear_proof(document, levels, multipliers, 1)}
    region = {key: stated[key] for key in ("inputs", "outputs", "levels", "bounds")}
    brackets = brackets_of(stated["levels"], levels)
    return Certificate.state("infeasible", region, {}, {"brackets": brackets, **nested_texts(proof)})


def recorded_dual(document: Mapping[str, Any], certificate: Certificate) -> dict[Name, Fraction]:
    """Return a dual of the linear program by the names of rows, from the certificate of a trace or a loss."""
    form, sign, is_bounded = program_form(document), _sign(document), document["region"]["kind"] == "bounded"
    alpha, slopes, multipliers = (
        part_of(certificate, "proof", key, "solution") for key in ("alpha", "slopes", "multipliers")
    )
    brackets = part_of(certificate, "proof", "brackets", "solution")
    dual: dict[Name, Fraction] = {("sum", j): -fraction_of(a) for j, a in enumerate(alpha)}

    def put(row: Name, value: Fraction) -> None:
        dual[row] = dual.get(row, _NONE) + value

    for _, j, other, beta in slopes:
        put(("total", int(j), int(other)), -fraction_of(beta))
    for *place, number in multipliers:
        i, t, j, other = map(int, place)
        x = fraction_of(number)
        if form == "parity":
            put(("upper", i, j), x)
            put(("lower", i, other), x * fraction_of(brackets[t]["gamma"]["above"]))
        else:
            put(("excess" if form == "excess" else "pair", i, j, other), x)
    for i, line in enumerate(part_of(certificate, "proof", "limits", "solution") if is_bounded else ()):
        for j, limit in enumerate(map(fraction_of, line)):
            put(("most" if limit > 0 else "least", i, j), -limit)
    given = certificate_inequalities(certificate) if is_bounded and document["region"]["entry_inequalities"] else []
    for c, parts in enumerate(given):
        put(("inequality", c), -sum(parts[0], _NONE))
        for n, weights in enumerate(parts):
            for a, weight in enumerate(weights if len(weights) > 1 else ()):
                put(("largest", c, n, a), -weight)
    return {row: sign * value for row, value in dual.items() if value}


def certificate_inequalities(certificate: Certificate) -> list[list[list[Fraction]]]:
    """Return the multipliers of the functions of each part of each inequality in a certificate."""
    given = part_of(certificate, "proof", "inequalities", "solution")
    return [[[fraction_of(x) for x in part] for part in own] for own in given]


_NONE = Fraction(0)


def _sign(document: Mapping[str, Any]) -> int:
    """Return 1 for an objective that is minimized, -1 for one that is maximized."""
    return -1 if document["objective"]["kind"] == "trace" else 1


def _linear_proof(
    document: Mapping[str, Any], levels: RationalLevels, dual: Mapping[Name, Fraction], sign: int
) -> dict[str, Any]:
    """Return the parts of a proof in the linear way from a dual; ``sign`` times it belongs to a minimization."""
    form, stated = program_form(document), stated_problem(document)
    if (form == "pairwise") == levels.is_single:
        told = ("levels of pairs", "one level for all pairs")
        raise InvalidParameterError(
            f"levels do not fit the region: received {told[levels.is_single]}; write {told[not levels.is_single]}"
        )
    k, m, left = int(stated["inputs"]), int(stated["outputs"]), dict(dual)

    def of(*row: Any) -> Fraction:
        return sign * left.pop(row, _NONE)

    def dual_of(c: int) -> Fraction:
        return sign * dual.get(("inequality", c), _NONE)

    pairs = [(j, other) for j in range(k) for other in range(k) if j != other] if form == "excess" else []
    totals = [(j, other, -of("total", j, other)) for j, other in pairs]
    own_levels = [(t, *pair) for t, part in enumerate(levels.listed) for pair in part.pairs]
    proof: dict[str, Any] = {
        "alpha": [-of("sum", j) for j in range(k)],
        "slopes": [["0", str(j), str(other), beta] for j, other, beta in totals if beta],
        "multipliers": [],
    }
    for i in range(m):
        if form == "parity":
            low, high = ([of(side, i, j) for j in range(k)] for side in ("lower", "upper"))
            own = [(0, *pair, x) for pair, x in sorted(_matched(low, high, levels.above.gamma))]
        elif form == "excess":
            own = [(0, j, other, of("excess", i, j, other)) for j, other in pairs]
        else:
            own = [(t, j, other, of("pair", i, j, other)) for t, j, other in own_levels]
        proof["multipliers"] += [[str(i), str(t), str(j), str(other), x] for t, j, other, x in own if x]
    if stated["bounds"] is not None:
        proof["limits"] = [[-of("least", i, j) - of("most", i, j) for j in range(k)] for i in range(m)]
    if rows := (stated["bounds"] or {}).get("inequalities"):
        proof["inequalities"] = [
            [
                [-of("largest", c, n, a) for a in range(len(part))] if len(part) > 1 else [-dual_of(c)]
                for n, part in enumerate(own["parts"])
            ]
            for c, own in enumerate(rows)
        ]
        left = {row: x for row, x in left.items() if row[0] != "inequality"}
    if document["objective"]["kind"] == "distance":
        proof["lines"] = [[of("above", i, j) + of("under", i, j) for j in range(k)] for i in range(m)]
    if left:
        raise InvalidParameterError(
            f"a multiplier has no row: received {shown(str(next(iter(left))))}; write the name of a row"
        )
    return proof


def _matched(
    low: Sequence[Fraction], high: Sequence[Fraction], gamma: Fraction
) -> Iterator[tuple[tuple[int, int], Fraction]]:
    """Yield pairs (j, l) with multipliers x > 0 of ``p_j <= gamma p_l``.

    They take the place of those (``low``) of ``t <= p_l`` and those (``high``) of ``p_j <= gamma t``. They have
    ``sum_l x_jl <= high_j`` and ``gamma sum_j x_jl <= low_l``. As ``sum low >= gamma sum high``, the first is an
    equation, but for what an input shares with itself: ``p_j <= gamma p_j`` needs no multiplier.
    """
    shared = [min(above, below / gamma) for above, below in zip(high, low, strict=True)]
    left = [(other, below / gamma - own) for other, (below, own) in enumerate(zip(low, shared, strict=True))]
    open_ones = iter([each for each in left if each[1]])
    other, room = -1, _NONE
    for j, (above, own) in enumerate(zip(high, shared, strict=True)):
        rest = above - own
        while rest:
            if not room:
                other, room = next(open_ones)
            x = min(rest, room)
            yield (j, other), x
            rest, room = rest - x, room - x
