"""What a claim about bounds is worth, by an oracle that shares no code with any checker: definitions, in fractions.

Of a problem a true bracket of its optimum is known, that of an honest certificate. A forged claim is *false* if its
bounds cross, if they leave that bracket out, if its mechanism is no mechanism, is outside the region, or is worse than
the bound that it is said to prove. Everything is worked out from the definitions of FORMAT.md, B: matrices written out
in full, inverses by Gauss's elimination of fractions, logarithms with 60 digits.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import mpmath as mp

from .blocks import is_written_by_formulas, listed_weights, shares_of, written_out

F = Fraction
Matrix = list[list[Fraction]]
DIGITS = 60
LARGEST = 6  # inputs of an orbit that is written out
DIVERGENCES = ("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")
MAXIMISED = ("trace", "mutual-information", "d-optimal", "total-variation", "chi-square", "payoff", *DIVERGENCES)
_ROOM = F(1, 10**40)  # of values with logarithms, which are worked out with more digits


def numbers(texts: Any) -> list[Fraction]:
    return [F(text) for text in texts]


def inverse(matrix: Matrix) -> Matrix | None:
    """Return the inverse, or None of a singular matrix."""
    k = len(matrix)
    rows = [[*row, *(F(int(i == j)) for j in range(k))] for i, row in enumerate(matrix)]
    for column in range(k):
        at = next((i for i in range(column, k) if rows[i][column]), None)
        if at is None:
            return None
        rows[column], rows[at] = rows[at], rows[column]
        lead = rows[column][column]
        rows[column] = [x / lead for x in rows[column]]
        for i in range(k):
            if i != column and rows[i][column]:
                factor = rows[i][column]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column], strict=True)]
    return [row[k:] for row in rows]


def determinant(matrix: Matrix) -> Fraction:
    rows, result = [list(row) for row in matrix], F(1)
    for column in range(len(rows)):
        at = next((i for i in range(column, len(rows)) if rows[i][column]), None)
        if at is None:
            return F(0)
        if at != column:
            rows[column], rows[at], result = rows[at], rows[column], -result
        lead = rows[column]
        result *= lead[column]
        for i in range(column + 1, len(rows)):
            factor = rows[i][column] / lead[column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], lead, strict=True)]
    return result


def is_semidefinite(matrix: Matrix) -> bool:
    """Decide by the signs of all principal minors: slow, and nothing like an elimination."""
    places = range(len(matrix))
    subsets = ([i for i in places if chosen >> i & 1] for chosen in range(1, 1 << len(matrix)))
    return all(determinant([[matrix[i][j] for j in rows] for i in rows]) >= 0 for rows in subsets)


def dot(left: list[Fraction], right: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), F(0))


def logarithm(x: Fraction) -> Fraction:
    with mp.workdps(DIGITS):
        mantissa, exponent = mp.frexp(mp.log(mp.mpf(x.numerator) / x.denominator))
        return F(int(mp.ldexp(mantissa, 240))) * F(2) ** (int(exponent) - 240)


def expanded(made: Any) -> Matrix:
    """Return the matrix of a mechanism, its orbits written out."""
    if "matrix" in made:
        return [numbers(row) for row in made["matrix"]]
    if is_written_by_formulas(made):
        return written_out(made)
    if sum(int(n) for n in made["orbits"]["groups"]) > LARGEST:
        raise OverflowError("too many inputs to write an orbit out")
    rows = []
    for row in made["orbits"]["rows"]:
        parts = []
        for n, values in zip(made["orbits"]["groups"], row, strict=True):
            assert sum(int(count) for _, count in values) == int(n)
            entries = [(F(v), i, t) for i, (v, count) in enumerate(values) for t in range(int(count))]
            kinds = {tuple((v, i) for v, i, _ in each) for each in permutations(entries)}
            parts.append([[v for v, _ in each] for each in kinds])
        rows += [[v for part in chosen for v in part] for chosen in product(*parts)]
    return rows


def information(rows: Matrix, pi: list[Fraction]) -> Matrix:
    k = len(pi)
    shown = [row for row in rows if any(row)]
    return [[sum((row[i] * row[j] / dot(row, pi) for row in shown), F(0)) for j in range(k)] for i in range(k)]


def value(objective: Any, rows: Matrix, pi: list[Fraction]) -> Fraction | None:
    """Return the value of a mechanism at one population; None where it is infinite (the worst there is)."""
    kind, k = objective["kind"], len(pi)
    if kind == "trace":
        return sum((w * rows[i][i] for i, w in enumerate(numbers(listed_weights(objective)))), F(0))
    if kind == "loss" and objective["matrix"] == "zero-one":
        return sum((w * (1 - rows[i][i]) for i, w in enumerate(pi)), F(0))
    if kind in ("loss", "distance"):
        q = [numbers(row) for row in objective["matrix"]]
        cells = [(i, j) for i in range(len(rows)) for j in range(k)]
        if kind == "loss":
            return sum((pi[j] * q[i][j] * rows[i][j] for i, j in cells), F(0))
        changes = [abs(rows[i][j] - q[i][j]) for i, j in cells]
        return max(changes) if objective["norm"] == "largest" else sum(changes, F(0))
    if kind == "payoff":
        gains = [[p * u for p, u in zip(pi, line, strict=True)] for line in map(numbers, objective["matrix"])]
        return sum((max(dot(gain, row) for gain in gains) for row in rows), F(0))
    if kind in DIVERGENCES:
        return _divergence(objective, rows, pi)
    if kind == "bayes":
        return _mean(objective, rows)
    if kind == "contrasts":
        each = [value({"kind": "c-optimal", "contrast": c}, rows, pi) for c in objective["contrasts"]]
        return None if None in each else sum(each, F(0))
    if any(any(row) and not dot(row, pi) for row in rows):
        return None  # undecided here
    if kind in ("total-variation", "chi-square"):
        q = numbers(objective["against"])
        moved = [(dot(row, pi) - dot(row, q), dot(row, q)) for row in rows if any(row)]
        if kind == "total-variation":
            return sum((abs(x) for x, _ in moved), F(0)) / 2
        return sum((x * x / y for x, y in moved), F(0))
    if kind == "mutual-information":
        chances = [(p * x, x / dot(row, pi)) for row in rows for p, x in zip(pi, row, strict=True) if p * x]
        return sum((c * logarithm(ratio) for c, ratio in chances), F(0))
    if kind not in ("a-optimal", "c-optimal", "d-optimal", "e-optimal", "variance"):
        raise KeyError(kind)  # an objective that this oracle does not know
    m = information(rows, pi)
    back = inverse(m)
    if back is None:
        return _of_singular(objective, m, pi)
    if kind == "d-optimal":
        return logarithm(determinant(m))
    if kind == "c-optimal":
        c = numbers(objective["contrast"])
        return dot(c, [dot(row, c) for row in back]) - dot(c, pi) ** 2
    if kind in ("a-optimal", "variance"):
        return (sum((back[j][j] for j in range(k)), F(0)) - dot(pi, pi)) / (2 if kind == "variance" else 1)
    raise KeyError(kind)


def _divergence(objective: Any, rows: Matrix, pi: list[Fraction]) -> Fraction | None:
    """Return a divergence, with many digits; None where it is infinite."""
    kind, q, total = objective["kind"], numbers(objective["against"]), mp.mpf(0)
    with mp.workdps(DIGITS + 20):
        r = _many(F(objective.get("order", "0")))
        for row in filter(any, rows):
            a, b = _many(dot(row, pi)), _many(dot(row, q))
            if kind == "hellinger":
                total += (mp.sqrt(a) - mp.sqrt(b)) ** 2 / 2
            elif kind == "jensen-shannon":
                total += sum(x * mp.log(2 * x / (a + b)) for x in (a, b) if x) / 2
            elif kind == "kullback-leibler":
                if a and not b:
                    return None
                total += a * mp.log(a / b) if a else 0
            else:
                if (a and not b and r > 1) or (b and not a and r < 0):
                    return None
                both = mp.exp(r * mp.log(a) + (1 - r) * mp.log(b)) if a and b else 0
                total += (both - r * a - (1 - r) * b) / (r * (r - 1))
        return F(int(mp.floor(total * mp.mpf(10) ** DIGITS)), 10**DIGITS)


def _many(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def _mean(objective: Any, rows: Matrix) -> Fraction | None:
    """Return the mean of an objective over populations."""
    total = F(0)
    for weight, population in zip(objective["weights"], objective["populations"], strict=True):
        found = value(objective["objective"], rows, numbers(population))
        if found is None:
            return None
        total += F(weight) * found
    return total


def _of_singular(objective: Any, m: Matrix, pi: list[Fraction]) -> Fraction | None:
    """Only a contrast in the range of M has a value: M z = c has a solution iff c is orthogonal to the null space."""
    if objective["kind"] != "c-optimal":
        return None
    c, k = numbers(objective["contrast"]), len(m)
    step = F(1, 10**60)
    moved = inverse([[x + step * (i == j) for j, x in enumerate(row)] for i, row in enumerate(m)])
    assert moved is not None
    z = [dot(row, c) for row in moved]
    if max(abs(dot(m[i], z) - c[i]) for i in range(k)) > F(1, 10**25):
        return None
    return dot(c, z) - dot(c, pi) ** 2 - F(1, 10**25)


def is_worse(objective: Any, rows: Matrix, pi: list[Fraction], bound: Fraction) -> bool:
    """Whether the value of a mechanism is worse than the bound that it is said to prove."""
    if objective["kind"] == "e-optimal":
        back = inverse(information(rows, pi))
        if back is None:
            return True
        k = len(pi)
        slack = [[bound * (i == j) - back[i][j] + pi[i] * pi[j] for j in range(k)] for i in range(k)]
        return not is_semidefinite(slack)
    found = value(objective, rows, pi)
    if is_maximised(objective):
        if found is None:  # an infinite divergence is above every bound
            return inner_kind(objective) not in (*DIVERGENCES, "chi-square")
        return found < bound - _ROOM
    return found is None or found > bound


def inner_kind(objective: Any) -> str:
    """Return the kind of an objective, of a mixture that of what is mixed."""
    return str(objective.get("objective", objective)["kind"])


def is_maximised(objective: Any) -> bool:
    """Return whether the largest value is the best one."""
    return inner_kind(objective) in MAXIMISED


def is_mechanism(rows: Matrix, k: int) -> bool:
    """Whether the matrix has k columns, each a distribution."""
    if not rows or any(len(row) != k for row in rows):
        return False
    return all(x >= 0 for row in rows for x in row) and all(sum(column) == 1 for column in zip(*rows, strict=True))


def is_outside(region: Any, witness: Any, rows: Matrix) -> bool:
    """Whether a mechanism is surely outside the region: even at the upper ends of the brackets."""
    if region["kind"] == "bounded":
        least, most = ([numbers(row) for row in region[end]] for end in ("least", "most"))
        cells = [(i, j) for i in range(len(least)) for j in range(len(least[0]))]
        if len(rows) != len(least) or any(not least[i][j] <= rows[i][j] <= most[i][j] for i, j in cells):
            return True
        return is_outside(region["region"], witness, rows)
    if region["outputs"] not in ("any", str(len(rows))):
        return True
    columns = list(zip(*rows, strict=True))
    if region["kind"] == "privacy-levels":
        return _exceeds_a_level(region, witness, columns)
    if region["kind"] in ("renyi-privacy", "zcdp-privacy"):
        return _exceeds_a_divergence(region, columns)
    delta = F(witness["delta"]["above"])
    if region.get("family") == "warner" and rows[0][0] != rows[1][1]:
        return True
    for j, column in enumerate(columns):
        for i, other in enumerate(columns):
            gamma = witness["gamma"][j][i] if region["kind"] == "pairwise-privacy" else witness["gamma"]
            if i != j and gamma is not None:
                g = F(gamma["above"])
                if sum((max(F(0), p - g * q) for p, q in zip(column, other, strict=True)), F(0)) > delta:
                    return True
    return False


def _exceeds_a_level(region: Any, witness: Any, columns: Any) -> bool:
    for level, gamma, delta in zip(region["levels"], witness["gamma"], witness["delta"], strict=True):
        every = permutations(range(len(columns)), 2)
        for j, i in every if level["pairs"] == "all" else ((int(j), int(i)) for j, i in level["pairs"]):
            beyond = (p - F(gamma["above"]) * q for p, q in zip(columns[j], columns[i], strict=True))
            if sum((max(F(0), x) for x in beyond), F(0)) > F(delta["above"]):
                return True
    return False


def _real(text: Any) -> Any:
    """Return a rational number of a file at the working precision."""
    return mp.mpf(F(text).numerator) / F(text).denominator


def _nats(level: Any) -> Any:
    """Return a level of a file in nats."""
    return _real(level) if isinstance(level, str) else _real(level.get("times", "1")) * mp.log(_real(level["log"]))


def _exceeds_a_divergence(region: Any, columns: Any) -> bool:
    """Return whether a Renyi divergence is above its bound, with 60 digits; of zCDP at some orders from 1 to 200."""
    with mp.workdps(60):
        if region["kind"] == "renyi-privacy":
            bounds = {_real(region["order"]): _nats(region["epsilon"])}
        else:
            rho = _real(region["rho"])
            bounds = {order: rho * order for order in (mp.mpf(10) ** (mp.mpf(i) / 20) for i in range(1, 47))}
        for one, other in permutations(columns, 2):
            if any(p and not q for p, q in zip(one, other, strict=True)):
                return True
            pairs = [
                (mp.mpf(p.numerator) / p.denominator, mp.mpf(q.numerator) / q.denominator)
                for p, q in zip(one, other, strict=True)
                if p
            ]
            for order, bound in bounds.items():
                if order == 1:
                    found = mp.fsum(p * mp.log(p / q) for p, q in pairs)
                else:
                    found = mp.log(mp.fsum(p**order * q ** (1 - order) for p, q in pairs)) / (order - 1)
                if found > bound + mp.mpf(10) ** -50:  # more than the rounding of 60 digits
                    return True
    return False


def bits_value(objective: Any, parities: list[Fraction]) -> Fraction | None:
    """Return the value of a product of bits; None where it is infinite."""
    if objective["kind"] == "joint":
        if any(x == 1 for x in parities):
            return None
        scale = F(1)
        for x in parities:
            scale *= (x * x + 1) / (x - 1) ** 2
        return scale - F(objective["squares"])
    total = F(0)
    for w, pi, x in zip(numbers(objective["weights"]), numbers(objective["prevalences"]), parities, strict=True):
        if w:
            if x == 1:
                return None
            total += w * (pi * (1 - pi) + x / (x - 1) ** 2)
    return total


def populations(problem: Any) -> list[list[Fraction]]:
    """Return one population, or the vertices of a polytope (of one by rows: none)."""
    given = shares_of(problem["population"])
    if isinstance(given, list):
        return [numbers(given)]
    return [numbers(vertex) for vertex in given.get("vertices", [])]


def falsehood(document: Any, known: tuple[Fraction, Fraction] | None) -> str:
    """Return why the claim of a file is false; nothing where that is not known.

    ``known`` is a true bracket of the optimum of this problem; None if the problem itself was changed.
    """
    problem, claim = document["problem"], document["claim"]
    kind = document.get("statement") or claim["kind"]
    if "lower" in claim:
        if "infinite" in (claim["lower"], claim["upper"]):
            return "" if known is None else "B is known to be finite"
        lower, upper = F(claim["lower"]), F(claim["upper"])
        if lower > upper:
            return "the bounds cross"
        if known is not None and lower > known[1]:
            return "lower is above the known optimum"
        if known is not None and upper < known[0]:
            return "upper is below the known optimum"
        if "mechanism" in claim:
            return _of_mechanism(document, lower, upper)
        return ""
    if kind == "likelihood-gap":
        return "a negative gap" if F(claim["gap"]) < 0 else ""
    if kind == "garbling":
        return _of_garbling(document)
    if kind == "mechanism-levels":
        return _of_class(document)
    if kind == "infeasible":
        return _of_infeasible(problem)
    if kind == "polynomial":
        return _of_identity(problem) if claim["relation"] == "=" else _of_inequality(problem, claim["relation"])
    return ""


def _of_infeasible(problem: Any) -> str:
    """Try the point 0 of rows, and of mechanisms those of constant rows, which every level allows."""
    if "rows" in problem:
        compared = {"<=": lambda b: b >= 0, ">=": lambda b: b <= 0, "=": lambda b: b == 0}
        is_met = all(compared[row["relation"]](F(row["bound"])) for row in problem["rows"])
        return "the point 0 meets all rows" if is_met else ""
    m = int(problem["outputs"])
    least, most = ([numbers(row) for row in problem["bounds"][end]] for end in ("least", "most"))
    if not 1 <= len(least) == len(most) == m <= 400:
        raise OverflowError("too large a design")
    for weights in ([F(1, m)] * m, *([F(int(h == i)) for h in range(m)] for i in range(m))):
        if all(max(low) <= w <= min(high) for w, low, high in zip(weights, least, most, strict=True)):
            return "constant rows are allowed"
    return ""


def evaluated(tree: Any, at: dict[str, Fraction]) -> Fraction:
    """Return the value of an expression without roots and logarithms; raises ``ZeroDivisionError``."""
    if isinstance(tree, str):
        return at[tree] if tree in at else F(tree)
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return -evaluated(parts, at)
    if operation == "power":
        return evaluated(parts[0], at) ** int(parts[1])
    left, *others = (evaluated(part, at) for part in parts)
    for other in others:
        left = left + other if operation == "sum" else left * other if operation == "product" else left / other
    return left


def _points(names: list[str], count: int) -> list[dict[str, Fraction]]:
    """Return points from a grid of small numbers, spread by a multiplier; the same every time."""
    steps = [F(i, 4) for i in (0, 1, 2, 3, 4, 6, 8, -1, -4, 20)]
    return [{name: steps[(t * (7 * i + 3) + t * t + i) % 10] for i, name in enumerate(names)} for t in range(count)]


def _of_identity(problem: Any) -> str:
    if problem["hypotheses"]:
        return ""
    for at in _points(problem["parameters"], 12):
        try:
            if evaluated(problem["left"], at) != evaluated(problem["right"], at):
                return "the sides differ at a point"
        except ZeroDivisionError:
            continue
    return ""


def _of_inequality(problem: Any, claimed: str) -> str:
    """Evaluate the polynomial at vertices and midpoints of the domain, or at points that meet the hypotheses."""
    for at in _points(problem["parameters"], 60):
        signs = [(evaluated(each["polynomial"], at), each["relation"]) for each in problem["hypotheses"]]
        if any(x < 0 or (x == 0 and relation == ">") for x, relation in signs):
            continue
        places = [at]
        if problem["variables"]:
            places = []
            for simplex in problem["domain"]:
                vertices = [[evaluated(x, at) for x in vertex] for vertex in simplex]
                if min(vertex[0] for vertex in vertices) < 0:
                    continue
                mixes = [*vertices, *([x + y for x, y in zip(a, b, strict=True)] for a in vertices for b in vertices)]
                for w, *x in (mix for mix in mixes if mix[0] > 0):
                    places.append({**at, **{name: e / w for name, e in zip(problem["variables"], x, strict=True)}})
        for place in places:
            found = evaluated(problem["left"], place) - evaluated(problem["right"], place)
            if found < 0 or (found == 0 and claimed == ">"):
                return "the polynomial is negative, or 0, at a point that is allowed"
    return ""


def _of_mechanism(document: Any, lower: Fraction, upper: Fraction) -> str:
    problem, claim = document["problem"], document["claim"]
    objective, made = problem["objective"], claim["mechanism"]
    if "product" in made:
        bits = [[numbers(row) for row in rows] for rows in made["product"]]
        if not all(is_mechanism(rows, 2) and len(rows) == 2 and rows[0][0] == rows[1][1] < 1 for rows in bits):
            return "no mechanism of bits"
        parities = [max(rows[0][0], rows[1][0]) / min(rows[0][0], rows[1][0]) for rows in bits]
        together = F(1)
        for x in parities:
            together *= x
        if together > F(document["proof"]["brackets"][0]["above"]):
            return "the mechanism is outside the region"
        if len(bits) != (int(objective["questions"]) if "questions" in objective else len(objective["weights"])):
            return "another number of bits"
        found = bits_value(objective, parities)
        return "the mechanism is worse than upper" if found is None or found > upper else ""
    region = problem["region"]
    inner = region["region"] if region["kind"] == "bounded" else region
    k = int(inner["inputs"])
    rows = expanded(made)
    if not is_mechanism(rows, k):
        return "no mechanism"
    if is_outside(region, document["witness"], rows):
        return "the mechanism is outside the region"
    bound = lower if is_maximised(objective) else upper
    for pi in populations(problem):
        binary = objective["kind"] == "variance" and inner["outputs"] == "2"
        if binary and rows[0][0] + rows[1][1] == 1:
            return "nothing can be estimated"
        if binary:
            shown = dot(rows[1], pi)
            if shown * (1 - shown) / (rows[0][0] + rows[1][1] - 1) ** 2 > bound:
                return "the mechanism is worse than the bound"
        elif _has_silent_row(objective, rows, pi):
            continue
        elif is_worse(objective, rows, pi, bound):
            return "the mechanism is worse than the bound"
    return ""


def _has_silent_row(objective: Any, rows: Matrix, pi: list[Fraction]) -> bool:
    """Return whether an output has no probability, where ``value`` does not decide such a mechanism."""
    if inner_kind(objective) in ("trace", "loss", "distance", "payoff", *DIVERGENCES):
        return False
    shares = [numbers(each) for each in objective["populations"]] if objective["kind"] == "bayes" else [pi]
    return any(any(row) and not dot(row, each) for row in rows for each in shares)


def _of_garbling(document: Any) -> str:
    source, target = (expanded(document["problem"][part]) for part in ("source", "target"))
    k = len(source[0]) if source and source[0] else 0
    if not k or not is_mechanism(source, k) or not is_mechanism(target, k):
        return "no mechanisms"
    constant_target = all(len(set(row)) == 1 for row in target)
    constant_source = all(len(set(row)) == 1 for row in source)
    if document["claim"]["exists"] is not True:
        return "the target is a garbling" if constant_target or source == target else ""
    if constant_source and not constant_target:
        return "the source says nothing, the target something"
    # no column pair may be further apart after a garbling
    for j in range(k):
        for i in range(j):
            apart = [sum(abs(row[i] - row[j]) for row in rows) for rows in (source, target)]
            if apart[1] > apart[0]:
                return "the target tells two inputs further apart than the source"
    return ""


def _of_class(document: Any) -> str:
    rows = expanded(document["problem"]["mechanism"])
    if not rows or not rows[0] or not is_mechanism(rows, len(rows[0])):
        return "no mechanism"
    claim = document["claim"]
    ratios = [None if min(row) == 0 < max(row) else (max(row) / min(row) if max(row) else F(1)) for row in rows]
    if "parity" in claim:
        finite = [x for x in ratios if x is not None]
        true = "infinite" if len(finite) < len(ratios) else str(max(finite))
        return "" if claim["parity"] == true else "another parity"
    if len(rows) < 2 or any(not max(row) for row in rows) or None in ratios:
        return "not in the class C_gamma"
    for i, row in enumerate(rows):
        for other in rows[:i]:
            if all(row[0] * y == other[0] * x for x, y in zip(row, other, strict=True)):
                return "not in the class C_gamma"
    if claim["admissible"] is True:
        level = document["problem"]["level"]
        if set(level) != {"log"} or any(x != F(level["log"]) for x in ratios) or any(len(set(row)) > 2 for row in rows):
            return "not admissible"
    return ""
