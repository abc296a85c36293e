"""Read a certificate of a linear program and write its claim and its proof as terms.

All numbers become integers: each row is multiplied by the common denominator of its numbers, the costs by theirs
(`scale`). The multipliers of the rows are multiplied by what makes them and the reduced costs integers.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from . import core
from . import duality as d
from .core import NAT, TRUE, list_term, refl
from .soundness import infeasible_goal
from .terms import PROP, Module, Term, computed, const, nat

NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(/[1-9][0-9]*)?")
INDEX = re.compile("0|[1-9][0-9]*")
RELATIONS = {">=": "atLeast", "<=": "atMost", "=": "equal"}


class BadCertificateError(Exception):
    """The file is not a certificate of a linear program in the format rropt-certificate/1."""


class Row(NamedTuple):
    """A row with its coefficients by index."""

    coefficients: dict[int, Fraction]
    relation: str
    bound: Fraction


class Problem(NamedTuple):
    """A linear program: `sign` is 1 for a minimum, -1 for a maximum."""

    sign: int
    cost: list[Fraction]
    free: list[bool]
    rows: list[Row]


class Optimum(NamedTuple):
    """The claim of an optimal value, with a best point and multipliers of the rows."""

    value: Fraction
    point: list[Fraction]
    dual: dict[int, Fraction]


def _number(text: Any, where: str) -> Fraction:
    if not isinstance(text, str) or not NUMBER.fullmatch(text):
        raise BadCertificateError(f'{where} is {text!r}: write an integer or a fraction as a string, for example "2/3"')
    return Fraction(text)


def _get(data: Any, key: str, of: type, where: str) -> Any:
    if not isinstance(data, dict) or not isinstance(data.get(key), of):
        raise BadCertificateError(f"{where} has no {key} of the right type")
    return data[key]


def _sparse(pairs: Any, count: int, where: str) -> dict[int, Fraction]:
    result: dict[int, Fraction] = {}
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not INDEX.fullmatch(str(pair[0])):
            raise BadCertificateError(f"{where} is not a list of pairs [index, value]")
        index = int(pair[0])
        if index >= count or (result and index <= max(result)):
            raise BadCertificateError(f"the indices of {where} do not ascend, or one of them is not below {count}")
        result[index] = _number(pair[1], where)
    return result


def read(text: str) -> tuple[Problem, Optimum | dict[int, Fraction]]:
    """Read a certificate.

    Args:
        text: the file.

    Returns:
        The linear program, and what proves the claim: an ``Optimum``, or Farkas multipliers.

    Raises:
        BadCertificateError: the file is no certificate of a linear program.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadCertificateError(f"the file is not JSON: {error}") from None
    problem = _problem(_get(data, "problem", dict, "the certificate"))
    claim, witness = _get(data, "claim", dict, "the certificate"), _get(data, "witness", dict, "the certificate")
    rule = (claim.get("kind"), witness.get("rule"))
    count = len(problem.rows)
    if rule == ("infeasible", "farkas"):
        return problem, _sparse(_get(witness, "multipliers", list, "the witness"), count, "multipliers")
    if rule != ("optimal-value", "linear-programme"):
        raise BadCertificateError(
            "only the claims optimal-value and infeasible of a linear program can be written for Lean"
        )
    value = _number(claim.get("lower"), "lower")
    if _number(claim.get("upper"), "upper") != value:
        raise BadCertificateError("lower and upper differ")
    point = [_number(each, "an entry of the point") for each in _get(claim, "point", list, "the claim")]
    if len(point) != len(problem.cost):
        raise BadCertificateError("the point and the cost have different lengths")
    return problem, Optimum(value, point, _sparse(_get(witness, "dual", list, "the witness"), count, "dual"))


def _problem(data: Any) -> Problem:
    if data.get("kind") != "linear-programme" or data.get("sense") not in ("minimise", "maximise"):
        raise BadCertificateError(
            "the problem is not a linear program (kind linear-programme, sense minimise or maximise)"
        )
    cost = [_number(each, "a cost") for each in _get(data, "cost", list, "the problem")]
    signs = _get(data, "signs", list, "the problem")
    if len(signs) != len(cost) or any(sign not in ("nonnegative", "free") for sign in signs):
        raise BadCertificateError("signs is not a list of nonnegative and free, one for each cost")
    rows = []
    for row in _get(data, "rows", list, "the problem"):
        coefficients = _sparse(_get(row, "coefficients", list, "a row"), len(cost), "coefficients")
        if _get(row, "relation", str, "a row") not in RELATIONS:
            raise BadCertificateError("a relation is none of <=, >=, =")
        rows.append(Row(coefficients, row["relation"], _number(row.get("bound"), "a bound")))
    return Problem(1 if data["sense"] == "minimise" else -1, cost, [sign == "free" for sign in signs], rows)


# ---------------------------------------------------------------- terms


def _integer(value: Fraction) -> Term:
    assert value.denominator == 1
    return d.minus(nat(-value.numerator)) if value < 0 else d.plus(nat(value.numerator))


def _terms(coefficients: dict[int, Fraction]) -> Term:
    return list_term(d.TERM, [d.own("Term.mk", _integer(a), nat(j)) for j, a in coefficients.items() if a])


def _scale(numbers: Any) -> int:
    return lcm(*(value.denominator for value in numbers))


def _program(problem: Problem) -> Term:
    rows = []
    for row in problem.rows:
        scale = _scale([*row.coefficients.values(), row.bound])
        terms = _terms({j: a * scale for j, a in row.coefficients.items()})
        rows.append(
            d.own("Row.mk", terms, const(f"Rropt.Relation.{RELATIONS[row.relation]}"), _integer(row.bound * scale))
        )
    signs = [nat(j) for j, free in enumerate(problem.free) if not free]
    scale = _scale(problem.cost)
    cost = _terms({j: c * scale for j, c in enumerate(problem.cost)})
    return d.own("Program.mk", list_term(NAT, signs), list_term(d.ROW, rows), cost, nat(scale))


def _multipliers(
    problem: Problem, dual: dict[int, Fraction], costs: list[Fraction], integral: Fraction
) -> tuple[int, Term, Term, Term]:
    """Return a factor, the reduced costs, the multipliers of the integer rows, and the rounds of merging.

    The multipliers are for ``c.x - v = sum y_i (a_i.x - b_i) + sum r_j x_j`` times ``integral`` times the factor.
    """
    reduced = list(costs)
    rows = []
    for i, row in enumerate(problem.rows):
        y = dual.get(i, Fraction(0))
        rows.append(integral * y / _scale([*row.coefficients.values(), row.bound]))
        for j, a in row.coefficients.items():
            reduced[j] -= y * a
    signs = [integral * reduced[j] for j, free in enumerate(problem.free) if not free]
    factor = _scale([*rows, *signs, integral])
    ys = [d.own("Multiplier.mk", nat(max(0, int(factor * y))), nat(max(0, int(-factor * y)))) for y in rows]
    rs = [nat(max(0, int(factor * r))) for r in signs]  # a negative one is a mistake of the file: the sum shows it
    rounds = (len(ys) + len(rs)).bit_length()
    return factor, list_term(NAT, rs), list_term(d.MULTIPLIER, ys), nat(rounds)


def _described(problem: Problem) -> str:
    """Return the program in the words of the file."""

    def total(pairs: Any) -> str:
        return " + ".join(f"({a}) x{j}" for j, a in pairs if a) or "0"

    lines = ["The linear program of the certificate, each row times its common denominator. In the file:"]
    lines.append(f"{'minimize' if problem.sign > 0 else 'maximize'} {total(enumerate(problem.cost))}")
    lines += [f"{total(row.coefficients.items())} {row.relation} {row.bound}" for row in problem.rows]
    return "\n  ".join(lines)


def _point(entries: list[Term], first: int = 0) -> Term:
    if len(entries) == 1:
        return d.own("Point.leaf", entries[0])
    half = len(entries) // 2
    low, high = _point(entries[:half], first), _point(entries[half:], first + half)
    return d.own("Point.node", nat(first + half - 1), low, high)


def declare_claim(module: Module, text: str) -> None:
    """Add the linear program of a certificate, and the theorem with its proof.

    Args:
        module: where ``declare_soundness`` has been.
        text: the certificate.

    Raises:
        BadCertificateError: the file is no certificate of a linear program.
    """
    problem, proof = read(text)
    program = module.state("Rropt.program", d.PROGRAM, _program(problem), _described(problem))
    if isinstance(proof, Optimum):
        _declare_optimum(module, problem, proof, program)
    else:
        _declare_infeasible(module, problem, proof, program)


def _declare_optimum(module: Module, problem: Problem, proof: Optimum, program: Term) -> None:
    sign, value = problem.sign, proof.value
    scale = _scale(problem.cost)
    oriented = {i: sign * y for i, y in proof.dual.items()}
    factor, costs, ys, rounds = _multipliers(
        problem, oriented, [sign * c for c in problem.cost], Fraction(scale * value.denominator)
    )
    v, below, k = _integer(Fraction(value.numerator)), nat(value.denominator), nat(factor - 1)
    parts = _scale(proof.point)
    entries = [_integer(parts * each) for each in proof.point] or [d.plus(nat(0))]
    name = "Minimum" if sign > 0 else "Maximum"
    larger, goal = d.goal_times(sign, program, v, below, core.succ(k)), d.goal_of(sign, program, v, below)
    given, point = (costs, ys, rounds), _point(entries)
    checked = module.prove(
        "Rropt.bounded",
        core.eq(core.BOOL, d.own("bounds", program, larger, *given), TRUE),
        computed(refl(core.BOOL, TRUE)),
        comment="The checker accepts the multipliers.",
    )
    attained = module.prove(
        "Rropt.attained",
        core.eq(core.BOOL, d.own("attains", program, goal, nat(parts), point), TRUE),
        computed(refl(core.BOOL, TRUE)),
        comment="The checker accepts the point.",
    )
    claim = (program, v, below, nat(parts))
    stated = module.state("Rropt.Claim", PROP, d.own(name, *claim), f"The claim: the {name.lower()} is {value}.")
    module.prove(
        "Rropt.claim",
        stated,
        d.own(f"{name.lower()}_of_checks", *claim, k, *given, point, checked, attained),
        comment="The claim holds.",
    )


def _declare_infeasible(module: Module, problem: Problem, dual: dict[int, Fraction], program: Term) -> None:
    total = sum((y * problem.rows[i].bound for i, y in dual.items()), Fraction(0))
    factor, costs, ys, rounds = _multipliers(problem, dual, [Fraction(0)] * len(problem.cost), Fraction(1))
    excess = nat(max(0, int(factor * total) - 1))  # a total of 0 is a mistake of the file: the sum shows it
    given = (costs, ys, rounds)
    checked = module.prove(
        "Rropt.bounded",
        core.eq(core.BOOL, d.own("bounds", program, infeasible_goal(excess), *given), TRUE),
        computed(refl(core.BOOL, TRUE)),
        comment="The checker accepts the multipliers.",
    )
    stated = module.state("Rropt.Claim", PROP, d.own("Infeasible", program), "The claim: no point is feasible.")
    module.prove(
        "Rropt.claim",
        stated,
        d.own("infeasible_of_check", program, excess, *given, checked),
        comment="The claim holds.",
    )
