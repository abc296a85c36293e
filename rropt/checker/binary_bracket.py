"""The statement ``binary-bracket``: the least variance, worst case or regret of two categories (binary_bracket.md).

A design with ``u = 1/(p00 + p11 - 1)`` is the point ``r = (1 - p00) u``, ``s = (1 - p11) u`` of a polygon Q that has at
most three vertices, in closed form. At prevalence pi, n Var is ``(r + pi)(s + 1 - pi)``; its root is concave on Q.
With three outputs the best mechanism merges two of the four outputs of which every private mechanism is a garbling.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from .design_region import DesignRegion, only_level, read_member, read_region
from .documents import Rejected, WorkBudget, bits_of, fields, items
from .limits import MAX_PARAMETER_DIGITS
from .matrices import Rows, columns, read_matrix, read_mechanism

Pair = tuple[Fraction, Fraction]  # (p00, p11), (r, s), or numbers at both ends of the interval
_ZERO, _ONE = Fraction(0), Fraction(1)


class BinaryDesigns(NamedTuple):
    """The content of a file: a region with proved brackets, and the prevalences that are possible."""

    region: DesignRegion
    family: str
    interval: Pair
    lower: Fraction
    upper: Fraction
    budget: WorkBudget

    def vertices(self, side: int) -> dict[str, Pair]:
        """Return (p00, p11) of the vertices of Q by their names, in ascending order, at the levels below or above."""
        level = self.region.levels[0]
        gamma, delta = level.gamma[side], level.delta[side]
        found = {}
        if gamma > 1 or delta == 1 or (self.family == "warner" and delta):
            found["p00=p11"] = ((gamma + delta) / (gamma + 1),) * 2
        if self.family == "all" and 0 < delta < 1:
            found = {"p11=1": (delta, _ONE), **found, "p00=1": (_ONE, delta)}
        if not found:
            raise Rejected("nothing can be estimated at an end of the level: the bracket must be finer")
        return found


def check_binary_bracket(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the best design, and all optimal designs; return the tier of the proof of B, if any."""
    budget = WorkBudget()
    outputs, levels, family, goal, start, end = fields(
        problem, ["outputs", "levels", "family", "goal", "from", "to"], "problem"
    )
    lower, upper, mechanism, optima, segment = fields(claim, ["lower", "upper", "mechanism", "optima", "set"], "claim")
    (brackets,) = fields(proof, ["brackets"], "proof")
    region = read_region("2", outputs, levels, None, brackets, budget)
    if outputs not in ("2", "3") or only_level(region.levels) is None:
        raise Rejected("the region is not one level for all pairs, with 2 or 3 outputs")
    if family not in ("all", "warner") or goal not in ("variance", "regret"):
        raise Rejected("the family or the goal is unknown")
    low, high = (budget.number(text, "a prevalence", MAX_PARAMETER_DIGITS) for text in (start, end))
    if not 0 <= low <= high <= 1:
        raise Rejected("the prevalences are not in ascending order within [0, 1]")
    rows = read_member(region, mechanism, budget)
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    designs = BinaryDesigns(region, family, (low, high), *ends, budget)
    if outputs == "3":
        if (family, goal, optima, segment) != ("all", "variance", None, None) or low < high:
            raise Rejected("three outputs need family all, one prevalence, and no list of optima")
        least, value = _merged(designs, rows)
    else:
        least, value = _two_outputs(designs, rows, goal == "regret")
    if designs.lower > least:
        raise Rejected("lower is above the bound at the level above")
    if designs.upper < value:
        raise Rejected("upper is below the value of the mechanism")
    if optima is not None:
        if goal != "variance" or low < high:
            raise Rejected("all optimal designs are known for the variance at one prevalence only")
        _check_optima(designs, optima, segment)
    elif segment is not None:
        raise Rejected("a set of optimal designs stands without the others")
    return region.tier


# two outputs


def _two_outputs(designs: BinaryDesigns, rows: Rows, is_regret: bool) -> Pair:
    """Return the bound of all designs at the level above, and the value of the mechanism."""
    design = rows[0][0], rows[1][1]
    if sum(design) <= 1:
        raise Rejected("the mechanism has p00 + p11 <= 1")
    if designs.family == "warner" and design[0] != design[1]:
        raise Rejected("the mechanism is not of the family warner")
    point, interval = _point(design), designs.interval
    below, above = ([_point(each) for each in designs.vertices(side).values()] for side in (0, 1))
    if not is_regret:
        return min(_worst(each, interval) for each in above), _worst(point, interval)
    # at each end the least n Var at the true level lies between these
    dear, cheap = ([min(_variance(each, pi) for each in points) for pi in interval] for points in (below, above))
    least = min(_regret(each, interval, dear) for each in (*above, *_entry(designs, dear)))
    return max(least, _ZERO), _regret(point, interval, cheap)


def _point(design: Pair) -> Pair:
    """Return (r, s)."""
    total = sum(design) - 1
    return (1 - design[0]) / total, (1 - design[1]) / total


def _variance(point: Pair, pi: Fraction) -> Fraction:
    return (point[0] + pi) * (point[1] + 1 - pi)


def _worst(point: Pair, interval: Pair) -> Fraction:
    """Return the largest n Var over the interval: a concave quadratic in the prevalence."""
    return _variance(point, min(max((point[1] + 1 - point[0]) / 2, interval[0]), interval[1]))


def _regret(point: Pair, interval: Pair, best: list[Fraction]) -> Fraction:
    return max(_variance(point, pi) - value for pi, value in zip(interval, best, strict=True))


def _entry(designs: BinaryDesigns, best: list[Fraction]) -> list[Pair]:
    """Return the point at which the line of equal excess at both ends, in direction (1, 1), enters Q at the level
    above."""
    low, high = designs.interval
    if designs.family == "warner" or low == high:
        return []
    gamma, delta = designs.region.levels[0].gamma.above, designs.region.levels[0].delta.above
    offset = ((best[0] - low * (1 - low)) - (best[1] - high * (1 - high))) / (high - low)
    smaller = max((1 - delta - delta * abs(offset)) / (gamma + 2 * delta - 1), _ZERO)
    return [(smaller + max(offset, _ZERO), smaller + max(-offset, _ZERO))]


# all optimal designs


def _check_optima(designs: BinaryDesigns, optima: Any, segment: Any) -> None:
    """Reject unless the list holds all optimal vertices, in ascending order, and the set the other optimal designs."""
    pi, budget = designs.interval[0], designs.budget
    below, above = designs.vertices(0), designs.vertices(1)
    if list(below) != list(above):
        raise Rejected("the region has other vertices below than above: the bracket must be finer")
    dear, cheap = ({name: _variance(_point(each), pi) for name, each in side.items()} for side in (below, above))
    # values fall as the level grows, so a vertex that is dearer above than the best one below is not optimal
    chosen = [name for name in below if cheap[name] <= min(dear.values())]
    claimed = []
    for entry in items(optima, "optima", count=len(chosen)):
        matrix = read_mechanism(entry, "an optimum", budget, (2, 2))
        columns(matrix, "an optimum", budget)
        claimed.append((matrix[0][0], matrix[1][1]))
    if claimed != [below[name] for name in chosen]:
        raise Rejected("optima are not the optimal vertices, in ascending order")
    constant = all(dear[name] == cheap[name] for name in chosen)
    if len(chosen) > 1 and not constant and (chosen != ["p11=1", "p00=1"] or pi != Fraction(1, 2)):
        raise Rejected("a tie between optima is undecided: the bracket must be finer")
    delta = designs.region.levels[0].delta.below
    if designs.family == "warner" or pi not in (0, 1) or not delta:
        if segment is not None:
            raise Rejected("the set must be null: the optima are all optimal designs")
        return
    ends = read_matrix(fields(segment, ["after", "through"], "the set"), "the set", budget, (2, 2))
    expected = [[_ONE, _ZERO], [_ONE, delta]]
    if ends != (expected if pi == 0 else [end[::-1] for end in expected]):
        raise Rejected("the set is not the segment of designs of variance 0")


# three outputs


def _merged(designs: BinaryDesigns, rows: Rows) -> Pair:
    """Return the least n Var of six merged mechanisms at the level above, and that of the mechanism."""
    level, pi, budget = designs.region.levels[0], designs.interval[0], designs.budget
    gamma, delta = level.gamma.above, level.delta.above
    budget.spend(60, 4 * (bits_of(gamma) + bits_of(delta) + bits_of(pi)), 4 * (bits_of(gamma) + bits_of(delta)))
    c = (1 - delta) / (1 + gamma)
    four = [[delta, _ZERO], [c * gamma, c], [c, c * gamma], [_ZERO, delta]]
    informations = []
    for i, j in combinations(range(4), 2):
        one = [x + y for x, y in zip(four[i], four[j], strict=True)]
        rest = [row for at, row in enumerate(four) if at not in (i, j)]
        informations.append(_information([one, *rest], pi, budget))
    own = _information(rows, pi, budget)
    if not own:
        raise Rejected("the mechanism estimates nothing")
    return 1 / max(informations), 1 / own


def _information(rows: Rows, pi: Fraction, budget: WorkBudget) -> Fraction:
    """Return the sum of ``(p_1 - p_0)^2 / (p . (1 - pi, pi))`` over the rows that are not 0."""
    total = _ZERO
    for no, yes in rows:
        mean = no * (1 - pi) + yes * pi
        if not mean and (no or yes):
            raise Rejected("an output has chance 0 though an input has it: the information is infinite")
        if mean:
            term = (yes - no) ** 2 / mean
            budget.spend(8, bits_of(term) + bits_of(total), bits_of(term) + bits_of(total))
            total += term
    return total
