"""Section E: what no verdict may say, whatever the rule was; made from the page alone."""

from fractions import Fraction

from mpmath import iv

from .reading import RefusedError, dot, number, numbers, want


def invariants(problem, claim, witness):
    possible(problem, claim)
    gamma = witness.get("gamma")
    if isinstance(gamma, dict) and "infimum" in gamma:
        possible(None, gamma["infimum"]["claim"])


def possible(problem, claim):
    kind = claim["kind"]
    want(kind != "estimate" or number(claim["gap"]) >= 0, "E: the gap")
    want(kind != "parity" or claim["parity"] == "infinite" or number(claim["parity"]) >= 1, "E: the parity")
    if "lower" not in claim or claim["lower"] == claim["upper"] == "infinite":
        return
    lower, upper = number(claim["lower"]), number(claim["upper"])
    want(lower <= upper, "E: the bounds are crossed")
    least, greatest = reach(problem, kind)
    want(least is None or upper >= least, "E: upper is out of reach")
    want(greatest is None or lower <= greatest, "E: lower is out of reach")


def logarithm(x):
    """The upper end of ln x."""
    iv.dps = 60
    sign, mantissa, power, _ = iv.log(iv.mpf(x.numerator) / x.denominator)._mpi_[1]
    return (-1) ** sign * int(mantissa) * Fraction(2) ** power


def reach(problem, kind):
    quarter = Fraction(1, 4)
    others = {
        "minimax-risk": (0, quarter),
        "least-regret-design": (0, None),
        "infimum": (0, None),
        "profile": (0, 1),
        "composed-delta": (0, 1),
        "shuffled-delta": (0, 1),
        "rho": (0, None),
        "divergence": (0, None),
    }
    if kind in others or kind == "optimal-value":
        return others.get(kind, (None, None))
    objective = problem["objective"]
    what = objective["kind"]
    if what in ("marginals", "joint"):
        if what == "joint":
            return 1 - number(objective["squares"]), None
        terms = zip(numbers(objective["weights"]), numbers(objective["prevalences"]), strict=True)
        return sum(w * p * (1 - p) for w, p in terms), None
    given = problem["population"]
    if what == "variance":
        ends = [given] if isinstance(given, list) else given["vertices"]
        return max(number(one[0]) * number(one[1]) for one in ends), None
    if what in ("trace", "loss", "distance"):
        return linear(objective, what)
    if isinstance(given, dict) and set(given) == {"uniform"}:
        k = int(given["uniform"])
        if what in ("a-optimal", "e-optimal"):
            return (1 - Fraction(1, k)) / (k - 1 if what == "e-optimal" else 1), None
        return (None, k * logarithm(Fraction(k))) if what == "d-optimal" else (0, logarithm(Fraction(k)))
    if isinstance(given, dict):
        return 0, None
    pi = numbers(given)
    missing = sum(p * (1 - p) for p in pi)
    if what in ("a-optimal", "e-optimal"):
        return missing / (len(pi) - 1 if what == "e-optimal" else 1), None
    if what == "c-optimal":
        c = numbers(objective["contrast"])
        return dot(pi, [x * x for x in c]) - dot(pi, c) ** 2, None
    if what == "d-optimal":
        return None, sum(logarithm(1 / p) for p in pi) if all(pi) else None
    if what == "mutual-information":
        return 0, sum(p * logarithm(1 / p) for p in pi if p)
    if what == "contrasts":
        rows = [numbers(c) for c in objective["contrasts"]]
        return sum(dot(pi, [x * x for x in c]) - dot(pi, c) ** 2 for c in rows), None
    if what == "payoff":
        rows = [numbers(row) for row in objective["matrix"]]
        return max(dot(pi, row) for row in rows), sum(p * max(row[j] for row in rows) for j, p in enumerate(pi))
    if what == "bayes":
        inner = objective["objective"]
        parts = [
            (number(w), reach({"objective": inner, "population": each}, kind))
            for w, each in zip(objective["weights"], objective["populations"], strict=True)
        ]
        ends = ([(w, ends[i]) for w, ends in parts] for i in (0, 1))
        return tuple(sum(w * x for w, x in end) if all(x is not None for _, x in end) else None for end in ends)
    q = numbers(objective["against"])
    if what in DIVERGENCES:
        return 0, truth(objective, pi, q)
    if what == "total-variation":
        return 0, sum(abs(x - y) for x, y in zip(pi, q, strict=True)) / 2
    pairs = [(x, y) for x, y in zip(pi, q, strict=True) if x]
    return 0, sum(x * x / y for x, y in pairs) - 1 if all(y for _, y in pairs) else None


DIVERGENCES = ("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")


def truth(objective, pi, q):
    """The divergence of the truth itself, from above, None where it is infinite."""
    from .rays import closed, terms

    iv.dps = 60
    try:
        t = terms(objective)
        return sum(closed(t(a, b))[1] for a, b in zip(pi, q, strict=True) if a or b)
    except RefusedError:
        return None


def linear(objective, what):
    if what == "trace":
        listed = objective["weights"]
        runs = listed["runs"] if isinstance(listed, dict) else [("1", w) for w in listed]
        w, k = [Fraction(0), *(number(w) for _, w in runs)], sum(number(n) for n, _ in runs)
        return k * min(w), k * max(w)
    if isinstance(objective["matrix"], dict):
        return 0, sum(int(n) * number(w) for n, w in objective["matrix"]["zero-one"]["runs"])
    entries = [x for row in objective["matrix"] for x in numbers(row)]
    if what == "loss":
        return min(entries), max(entries)
    furthest = max(max(abs(q), abs(1 - q)) for q in entries)
    return 0, furthest * (len(entries) if objective["norm"] == "total" else 1)
