"""Rule 2 (binary designs) and rule 1 (brackets), which it carries."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import EQUATION, INEQUALITY, OPEN, SPECIAL, UNIT, Suite, with_
from .oracle import variance

PAGE, BRACKETS = "vertex_rule.md", "brackets.md"


def bracket(below: F, above: F | None = None) -> dict[str, str]:
    """Return a bracket; of one number, twice that."""
    return {"below": str(below), "above": str(below if above is None else above)}


def region(level: Any, delta: Any = "0", inputs: int = 2, outputs: Any = "2", family: str = "all") -> dict[str, Any]:
    """Return a region of differential privacy."""
    sizes = {"inputs": str(inputs), "outputs": str(outputs)}
    return {"kind": "differential-privacy", **sizes, "epsilon": level, "delta": delta, "family": family}


def rows(a: F, b: F) -> dict[str, Any]:
    """Return a binary design as a mechanism."""
    return {"matrix": [[str(a), str(1 - b)], [str(1 - a), str(b)]]}


def _tight(a: F, b: F, g: F, d: F) -> list[str]:
    found = {
        "p00<=1": a == 1, "p11<=1": b == 1, "p00>=0": a == 0, "p11>=0": b == 0,
        "yes-ratio": b == g * (1 - a) + d, "no-ratio": a == g * (1 - b) + d,
        "no-ratio-reversed": 1 - b == g * a + d, "yes-ratio-reversed": 1 - a == g * b + d,
    }  # fmt: skip
    return [label for label, holds in found.items() if holds]


def _vertices(g: F, d: F, family: str) -> dict[tuple[str, ...], tuple[F, F]]:
    """Return the vertices with p00 + p11 > 1 by their tight sets, in ascending order: the cases of the page."""
    m = (g + d) / (g + 1)
    if family == "warner":
        listed = [(m, m)]
    elif d == 1:
        listed = [(F(1), F(1))]
    elif d == 0:
        listed = [(m, m)]
    else:
        listed = [(d, F(1)), *([(m, m)] if g > 1 else []), (F(1), d)]
    return {tuple(_tight(a, b, g, d)): (a, b) for a, b in listed if a + b > 1}


def binary(
    level: Any, delta: Any, pi: F, gammas: tuple[F, F], deltas: tuple[F, F], family: str = "all"
) -> tuple[Any, Any, Any]:
    """Return the certificate of the best binary design."""
    above, below = (_vertices(gammas[i], deltas[i], family) for i in (1, 0))
    best_above = min(variance(*v, pi) for v in above.values())
    best_below = min(variance(*v, pi) for v in below.values())
    chosen = [below[t] for t, v in above.items() if t in below and variance(*v, pi) <= best_below]
    chosen.sort()
    segment = None
    if best_below == 0 and pi in (0, 1) and deltas[0] > 0 and family == "all":
        segment = {"after": ["1", "0"], "through": ["1", str(deltas[0])]}
        segment = segment if pi == 0 else {key: value[::-1] for key, value in segment.items()}
    problem = {
        "region": region(level, delta, family=family), "objective": {"kind": "variance"}, "population": [1 - pi, pi]
    }  # fmt: skip
    upper = variance(*chosen[0], pi)
    claim = {
        "kind": "optimal-design", "lower": best_above, "upper": upper, "mechanism": rows(*chosen[0]),
        "optima": [rows(*v) for v in chosen], "optimal_set": segment,
    }  # fmt: skip
    listed = [{"tight": list(t), "at_above": list(v)} for t, v in sorted(above.items(), key=lambda item: item[1])]
    witness = {"rule": "vertex", "gamma": bracket(*gammas), "delta": bracket(*deltas), "vertices": listed}
    return with_((problem, claim, witness))


def exact(g: F, d: F, pi: F, family: str = "all") -> tuple[Any, Any, Any]:
    """Return the same at a rational level."""
    level = {"log": str(g)} if g > 1 else {"rational": "0"}
    return binary(level, str(d), pi, (g, g), (d, d), family)


def add_to(s: Suite) -> None:
    """Add the files of both pages."""
    _vertex_files(s)
    _bracket_files(s)


def _vertex_files(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    full = condition(
        "`vertices` is the full list of vertices of the region at `above` with p00 + p11 > 1, not empty:", SPECIAL
    )
    half, quarter = F(1, 2), F(1, 4)
    # delta from 0 to 1 and gamma from 1: the cases of "Values fall"
    for g, d in (
        (F(3), F(0)),
        (F(3), UNIT),
        (F(3), 1 - UNIT),
        (F(3), F(1)),
        (F(1), UNIT),
        (F(1), half),
        (F(1), F(1)),
        (1 + UNIT, F(0)),
    ):
        for pi in (F(0), quarter, half, F(1)):
            s.add(full, "special value", exact(g, d, pi), True)
    for g, d in ((F(3), F(0)), (F(3), half), (F(3), F(1)), (F(1), half), (F(1), F(1))):
        s.add(full, "special value", exact(g, d, quarter, "warner"), True)
    # gamma = 1, delta = 0: no design with p00 + p11 > 1
    nothing = exact(F(1), UNIT, quarter)
    empty = with_(nothing, ("0.region.delta", "0"), ("2.delta", bracket(F(0))), ("2.vertices", []))
    s.add(full, "special value", empty, False)
    s.add(
        full, "special value", with_(empty, ("1.mechanism", rows(half, half)), ("1.optima", [rows(half, half)])), False
    )
    base = exact(F(2), quarter, quarter)
    listed = base[2]["vertices"]
    s.add(full, "special value", with_(base, ("2.vertices", listed[:2])), False)
    s.add(full, "special value", with_(base, ("2.vertices", [*listed, listed[-1]])), False)
    s.add(full, "special value", with_(base, ("2.vertices", listed[::-1])), False)
    middle = {"tight": ["p00<=1"], "at_above": ["1", "1/8"]}  # a point of an edge is no vertex
    s.add(full, "special value", with_(base, ("2.vertices", [*listed[:2], middle, listed[2]])), False)
    for sign, side in ((-1, "below"), (1, "above")):
        moved = with_(base, ("2.vertices.1.at_above.0", str(F(3, 4) + sign * UNIT)))
        s.add(condition("`at_above` is [p00, p11]", EQUATION), side, moved, False)
    s.add(condition("`at_above` is [p00, p11]", EQUATION), "equality", base, True)
    family = condition("The family of tight sets at `below` is the family at `above`.", SPECIAL)
    tiny = {"rational": str(UNIT)}
    wide = binary(tiny, "1/2", quarter, (1 + UNIT / 2, 1 + 2 * UNIT), (half, half))
    s.add(family, "special value", wide, True)
    s.add(family, "special value", with_(wide, ("2.gamma.below", "1")), False)
    small = binary({"log": "2"}, {"exp": str(-UNIT)}, quarter, (F(2), F(2)), (1 - UNIT, 1 - UNIT + UNIT**2))
    s.add(family, "special value", small, True)
    s.add(family, "special value", with_(small, ("2.delta.above", "1")), False)

    lower = condition("`lower` = best(above).", EQUATION)
    upper = condition("`mechanism` is one of `optima`, and its value equals `upper`.", EQUATION)
    root = binary({"log": "2", "times": "1/2"}, "1/10", quarter, (F(7, 5), F(17, 12)), (F(1, 10), F(1, 10)))
    for made in (base, root, exact(F(3), F(0), F(0)), exact(F(3), F(1), quarter)):
        for key, entered in (("lower", lower), ("upper", upper)):
            s.add(entered, "equality", made, True)
            for sign, side in ((-1, "below"), (1, "above")):
                s.add(entered, side, with_(made, (f"1.{key}", str(F(made[1][key]) + sign * UNIT))), False)
                s.add(entered, side, with_(made, (f"1.{key}", str(-F(made[1][key]) + sign * UNIT))), False)
    for made in (base, root):
        crossed = with_(
            made, ("1.lower", str(F(made[1]["upper"]) + UNIT)), ("1.upper", str(F(made[1]["lower"]) - UNIT))
        )
        s.add(upper, "below", crossed, False)
    for a, b in ((half, half), (F(1), F(0)), (F(0), F(1)), (quarter, quarter), (F(1), F(1))):  # degenerate designs
        made = with_(base, ("1.mechanism", rows(a, b)), ("1.optima", [rows(a, b)]))
        s.add(upper, "below", made, False)
        s.add(upper, "below", with_(made, ("1.lower", "-1"), ("1.upper", "-1")), False)
        s.add(upper, "below", with_(made, ("1.lower", "0"), ("1.upper", "0")), False)

    tie = condition("S = the tight sets T with `value_T(above) <= best(below)`.", INEQUALITY)
    s.add(tie, "equality", base, True)  # an exact tie: both designs are listed
    s.add(tie, "equality", with_(base, ("1.optima", base[1]["optima"][:1])), False)
    for sign, side in ((-1, "within"), (1, "beyond")):  # the prevalence moves the tie to one side
        s.add(tie, side, exact(F(2), quarter, quarter + sign * UNIT), True)
        both = with_(exact(F(2), quarter, quarter + sign * UNIT), ("1.optima", base[1]["optima"]))
        s.add(tie, side, both, False)
    mirror = condition("pi = 1/2 and S consists of two tight sets that are mirror images", SPECIAL)
    odd = binary({"rational": str(UNIT)}, "1/2", half, (1 + UNIT / 2, 1 + 2 * UNIT), (half, half))
    s.add(mirror, "special value", odd, True)
    near = binary({"log": "2", "times": "1/2"}, "1/2", half, (F(141421, 10**5), F(141422, 10**5)), (half, half))
    s.add(mirror, "special value", near, True)
    off = binary({"rational": str(UNIT)}, "1/2", half + UNIT**3, (1 + UNIT / 2, 1 + 2 * UNIT), (half, half))
    s.add(mirror, "special value", off, True)  # the corners do not depend on gamma
    ends = condition(
        "`optimal_set` is `null`, except when `upper` = 0, pi is 0 or 1, delta.below > 0 and the family is `all`.",
        SPECIAL,
    )
    for pi in (F(0), F(1)):
        zero = exact(F(3), UNIT, pi)
        s.add(ends, "special value", zero, True)
        s.add(ends, "special value", with_(zero, ("1.optimal_set", None)), False)
        s.add(ends, "special value", with_(zero, ("1.optimal_set.after", zero[1]["optimal_set"]["through"])), False)
        s.add(ends, "special value", exact(F(3), F(0), pi), True)
        near = exact(F(3), UNIT, UNIT if pi == 0 else 1 - UNIT)
        s.add(ends, "special value", near, True)
        s.add(ends, "special value", with_(near, ("1.optimal_set", zero[1]["optimal_set"])), False)


def _profile(level: Any, gammas: tuple[F, F]) -> tuple[Any, Any, Any]:
    """Return the lightest certificate that carries a bracket of gamma: the profile of truthful answers."""
    problem = {"kind": "mechanism", "mechanism": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "level": level}
    claim = {"kind": "profile", "lower": max(F(0), (3 - gammas[1]) / 4), "upper": max(F(0), (3 - gammas[0]) / 4)}
    return with_((problem, claim, {"rule": "parity", "gamma": bracket(*gammas)}))


def _decimals(x: Any, digits: int) -> tuple[F, F]:
    unit = F(10) ** digits
    low = F(int(x * unit)) / unit
    return low, low + 1 / unit


def _bracket_files(s: Suite) -> None:
    from .oracle import interval_of

    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(BRACKETS, sentence, needs)

    number = condition(
        'The number is rational (epsilon 0 or `{"log": q}` alone; delta a number): `below = above =` the number exactly.',
        EQUATION,
    )
    for level, g in (({"log": "2"}, F(2)), ({"rational": "0"}, F(1)), ({"log": str(1 + UNIT)}, 1 + UNIT)):
        s.add(number, "equality", _profile(level, (g, g)), True)
        for sign, side in ((-1, "below"), (1, "above")):
            s.add(number, side, _profile(level, (g + sign * UNIT, g + sign * UNIT)), False)
            ends = (g - UNIT, g) if sign < 0 else (g, g + UNIT)
            s.add(number, side, _profile(level, ends), False)
    for d in (F(0), F(1, 4), F(1)):
        made = exact(F(2), d, F(1, 4))
        s.add(number, "equality", made, True)
        for sign, side in ((-1, "below"), (1, "above")):
            s.add(number, side, with_(made, ("2.delta", bracket(d + sign * UNIT))), False)

    power = condition(
        "gamma = exp(r), r > 0 rational: `1 <= below <= exp(r) <= above`, by the enclosure below.", INEQUALITY
    )
    s.add(power, "equality", _profile({"rational": str(UNIT)}, (F(1), 1 + 2 * UNIT)), True)  # 1 = below
    s.add(power, "beyond", _profile({"rational": str(UNIT)}, (1 - UNIT, 1 + 2 * UNIT)), False)
    for r in ("1/1000000", "1/2", "1", "10", "100", "99999/1000"):
        true = interval_of({"rational": r})[0]
        for digits in (1, 30, 60):
            low, high = _decimals(true, digits)
            if low < 1:
                continue
            s.add(power, "within", _profile({"rational": r}, (low, high)), True)
            s.add(power, "beyond", _profile({"rational": r}, (high, high)), False)
            s.add(power, "beyond", _profile({"rational": r}, (low, low)), False)
            s.add(power, "beyond", _profile({"rational": r}, (high, low)), False)
    most = condition("Moreover `abs(r) <= MAX_EXPONENT`.", INEQUALITY)
    for r, boundary in ((F(100), "equality"), (100 - UNIT, "within"), (100 + UNIT, "beyond"), (F(10) ** 9, "beyond")):
        true = interval_of({"rational": str(min(r, F(101)))})[0]
        made = _profile({"rational": str(r)}, _decimals(true, 5))
        s.add(most, boundary, made, boundary != "beyond", "" if boundary != "beyond" else "limit")

    root = condition("`1 <= below <= above` and `below^b <= q^a <= above^b`, in integers.", INEQUALITY)
    two = {"log": "2", "times": "1/2"}
    four = {"log": "4", "times": "1/2"}  # no rule rests on it that q is no perfect power
    s.add(root, "equality", _profile(four, (F(2), F(2))), True)
    s.add(root, "within", _profile(four, (2 - UNIT, 2 + UNIT)), True)
    s.add(root, "beyond", _profile(four, (2 + UNIT, 2 + UNIT)), False)
    s.add(root, "beyond", _profile(four, (2 - UNIT, 2 - UNIT)), False)
    s.add(root, "beyond", _profile(four, (2 + UNIT, 2 - UNIT)), False)
    small = {"log": str(1 + UNIT), "times": "1/2"}
    s.add(root, "equality", _profile(small, (F(1), 1 + UNIT)), True)
    s.add(root, "beyond", _profile(small, (1 - UNIT, 1 + UNIT)), False)
    s.add(root, "beyond", _profile(two, (F(-7, 5), F(3, 2))), False)  # its square is below 2 all the same
    for level, above in ((two, F(-3, 2)), (two, F(-2)), (small, -1 - UNIT), ({"log": "2", "times": "1/4"}, F(-6, 5))):
        s.add(root, "beyond", _profile(level, (F(1), above)), False)  # an even power of it is above q^a all the same
    low, high = _decimals(interval_of(two)[0], 60)
    s.add(root, "within", _profile(two, (low, high)), True)
    s.add(root, "beyond", _profile(two, (high, high)), False)
    s.add(root, "beyond", _profile(two, (low, low)), False)
    large = condition("Moreover `q^a <= 2^(150 b)`, which holds whenever epsilon <= 100.", INEQUALITY)
    for a, boundary in ((75, "equality"), (73, "within"), (77, "beyond")):
        g = F(2) ** (2 * a)
        made = _profile({"log": "16", "times": f"{a}/2"}, (g, g))
        s.add(large, boundary, made, boundary != "beyond", "" if boundary != "beyond" else "limit")
    bits = condition(
        "are at most `MAX_POWER_BITS`, tested first (bits of a fraction: the longer of the bit lengths of its two integers).",
        INEQUALITY,
    )
    for digit, boundary in ((2, "equality"), (1, "within"), (4, "beyond")):
        below = 1 + F(1, digit * 10**616)  # of 2048, 2047 and 2049 bits, times 1024; digits that compress well
        made = _profile({"log": "2", "times": "1/1024"}, (below, F(1001, 1000)))
        s.add(bits, boundary, made, boundary != "beyond", "" if boundary != "beyond" else "limit")

    delta = condition("delta = exp(r), r < 0: `0 < below <= exp(r) <= above <= 1`.", INEQUALITY)
    near = binary({"log": "2"}, {"exp": str(-UNIT)}, F(1, 4), (F(2), F(2)), (1 - UNIT, 1 - UNIT + UNIT**2))
    s.add(delta, "within", near, True)
    s.add(delta, "beyond", with_(near, ("2.delta.above", str(1 + UNIT))), False)
    s.add(delta, "beyond", with_(near, ("2.delta.below", str(1 - UNIT + UNIT**2))), False)
    s.add(delta, "beyond", with_(near, ("2.delta.above", str(1 - UNIT))), False)
    far = binary({"log": "2"}, {"exp": "-10"}, F(1, 4), (F(2), F(2)), (F(4539, 10**8), F(227, 5 * 10**6)))
    s.add(delta, "within", far, True)
    s.add(delta, "beyond", with_(far, ("2.delta.below", "0")), False)
    for r, boundary in ((F(-100), "equality"), (-100 - UNIT, "beyond")):
        true = 1 / interval_of({"rational": str(min(-r, F(100)))})[0]
        made = binary({"log": "2"}, {"exp": str(r)}, F(1, 4), (F(2), F(2)), _decimals(true, 50))
        s.add(most, boundary, made, boundary == "equality", "" if boundary == "equality" else "limit")
    s.add(
        condition("delta = exp(r), r < 0: `0 < below <= exp(r) <= above <= 1`.", INEQUALITY),
        "equality",
        _delta_one(),
        True,
    )
    two_ends = condition("a degenerate bracket cannot pass (3)", OPEN)
    s.add(two_ends, "beyond", _profile(two, (low, low)), False)
    s.add(two_ends, "within", _profile(two, (low, high)), True)


def _delta_one() -> tuple[Any, Any, Any]:
    """Return a file whose bracket of delta ends at 1: rule 5, where nothing else depends on it."""
    from .patterns import with_delta

    return with_delta(F(3), {"exp": str(-UNIT)}, (1 - 2 * UNIT, F(1)))
