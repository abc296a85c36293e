"""Rules 30 and 31: designs for equally frequent categories, given by formulas."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, INEQUALITY, OPEN, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region
from .linear import criterion

PAGE, SETS = "blocks_rule.md", "difference_sets.md"
Document = tuple[Any, Any, Any]


def worth(k: int, p: F, m: F) -> F:
    """Return V."""
    return (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - F(1, k)


def bound(k: int, g: F) -> F:
    """Return L, of all d up to 300: the best is k/(g + 1)."""
    return min(F((k - 1) ** 2) * (d * g + k - d) ** 2 / (k * (g - 1) ** 2 * d * (k - d)) for d in range(1, min(k, 300)))


def chances(g: F, rho: F, eta: F) -> tuple[F, F]:
    """Return p and m."""
    s = 1 + (g - 1) * rho
    return g * rho / s, ((g - 1) * eta + rho) / s


def made(k: int, g: F, form: dict[str, Any], rho: F, eta: F, outputs: Any = "any", kind: str = "a-optimal") -> Document:
    """Return the certificate of a family at log g."""
    n = 1 if kind == "a-optimal" else k - 1
    claim = {
        "kind": "design-bracket", "lower": bound(k, g) / n, "upper": worth(k, *chances(g, rho, eta)) / n,
        "mechanism": {"blocks": {"family": "", "categories": k, "gamma": g, **form}},
    }  # fmt: skip
    problem = {
        "region": region({"log": str(g)}, inputs=k, outputs=outputs), "objective": {"kind": kind},
        "population": {"uniform": k},
    }  # fmt: skip
    return with_((problem, claim, {"rule": "blocks", "gamma": bracket(g), "delta": bracket(F(0))}))


def subsets(k: int, d: int, g: F, kind: str = "a-optimal") -> Document:
    """Return all sets of d."""
    return made(k, g, {"family": "subsets", "size": d}, F(d, k), F(d * (d - 1), k * (k - 1)), kind=kind)


def affine(k: int, q: int, s: int, t: int, g: F, outputs: Any = "any") -> Document:
    """Return an affine design."""
    big = q ** (t - 1)
    eta = F((big - 1) * s + big * s * (s - 1), q * (q**t - 1))
    return made(k, g, {"family": "affine", "q": q, "size": s, "dimension": t}, F(s, q), eta, outputs)


def classes(k: int, q: int, e: int, j: int, z: int, g: F, outputs: Any = "any") -> Document:
    """Return an affine design by classes."""
    s = j * (q - 1) // e + z
    form = {"family": "affine-classes", "q": q, "index": e, "cosets": j, "zero": z}
    return made(k, g, form, F(s, q), F(s * (s - 1), q * (q - 1)), outputs)


def projective(k: int, q: int, t: int, complement: int, g: F) -> Document:
    """Return a projective design."""
    n, h, d = ((q**i - 1) // (q - 1) for i in (t, t - 1, t - 2))
    u, w = F(h, n), F(d, n)
    rho, eta = (1 - u, 1 - 2 * u + w) if complement else (u, w)
    return made(k, g, {"family": "projective", "q": q, "dimension": t, "complement": complement}, rho, eta)


def cyclic(k: int, v: int, base: set[int], both: int, g: F) -> Document:
    """Return a cyclic design."""
    text = f"{sum(1 << x for x in base):0{-(-v // 4)}x}"
    return made(k, g, {"family": "cyclic", "modulus": v, "base": text}, F(len(base), v), F(both, v))


def add_to(s: Suite) -> None:
    """Add the files of both pages."""
    g = F(3, 2)
    base = classes(4, 7, 2, 1, 0, g)
    value = s.condition(PAGE, "| `a-optimal` | `V <= upper`, `lower <= L` |", INEQUALITY)
    longest = s.condition(PAGE, "| `e-optimal` | `V/(k-1) <= upper`, `lower <= L/(k-1)` |", INEQUALITY)
    private = s.condition(PAGE, "1 < g <= gamma.below.", INEQUALITY)
    for k, d in ((2, 1), (3, 1), (4, 2), (4, 1)):
        for gamma in (g, F(4), 1 + UNIT):
            for kind, entered in (("a-optimal", value), ("e-optimal", longest)):
                file = subsets(k, d, gamma, kind)
                s.add(entered, "equality", file, True)
                low, high = F(file[1]["lower"]), F(file[1]["upper"])
                s.add(entered, "within", with_(file, ("1.lower", low - UNIT), ("1.upper", high + UNIT)), True)
                s.add(entered, "beyond", with_(file, ("1.lower", low - UNIT), ("1.upper", high - UNIT)), False)
                s.add(entered, "beyond", with_(file, ("1.lower", low + UNIT), ("1.upper", high + 1)), False)
    for file in (
        base, classes(3, 5, 4, 1, 1, g), affine(4, 7, 3, 1, g), affine(4, 2, 1, 2, g), affine(4, 3, 1, 2, F(3)),
        projective(4, 2, 3, 0, g), projective(4, 2, 3, 1, g), projective(4, 3, 2, 0, F(5)), cyclic(4, 7, {0, 1, 3}, 1, g),
        made(4, F(9), {"family": "direct"}, F(1, 4), F(0)),
    ):  # fmt: skip
        s.add(value, "equality", file, True)
        high = F(file[1]["upper"])
        s.add(value, "beyond", with_(file, ("1.upper", high - UNIT)), False)
        own = F(file[1]["mechanism"]["blocks"]["gamma"])
        above = with_(file, ("1.mechanism.blocks.gamma", own + UNIT))
        s.add(private, "equality", file, True)
        s.add(private, "beyond", above, False)
        s.add(
            private, "within", with_(file, ("1.mechanism.blocks.gamma", own - UNIT / 2), ("1.upper", high + 10)), True
        )
    for gamma in (F(1), F(1, 2), F(0), F(-2)):
        s.add(private, "beyond", with_(base, ("1.mechanism.blocks.gamma", gamma), ("1.upper", 10**6)), False)
    _bits(s)
    _revealed(s)
    _outputs(s)
    _logarithms(s)
    _forms(s, base)
    _families(s)
    _sets(s)
    place = criterion(F(4), F(4))
    file = subsets(2, 1, F(4))
    under = {**place[0]["region"], "outputs": "any"}
    made_of = with_(file, ("0.region", under), ("2.gamma", place[2]["gamma"]))
    s.add(value, "equality", made_of, True)
    s.add(value, "beyond", with_(made_of, ("1.upper", F(file[1]["upper"]) - UNIT)), False)
    root = with_(
        subsets(4, 2, F(7, 5)),
        ("0.region.epsilon", {"log": "2", "times": "1/2"}), ("2.gamma", bracket(F(7, 5), F(17, 12))),
        ("1.lower", bound(4, F(17, 12))),
    )  # fmt: skip
    s.add(value, "within", root, True)
    s.add(value, "beyond", with_(root, ("1.lower", bound(4, F(17, 12)) + UNIT)), False)


def _bits(s: Suite) -> None:
    """Bit vectors."""
    chance = s.condition(PAGE, "independently; 0 < m < p < 1.", INEQUALITY)
    for p, m in ((F(1, 2), F(1, 4)), (F(2, 3), F(1, 3)), (F(9, 10), F(1, 2))):
        g = p * (1 - m) / ((1 - p) * m)
        file = subsets(3, 1, g)
        form = {"bit-vectors": {"categories": "3", "p": p, "m": m}}
        file = with_(file, ("1.mechanism", form), ("1.upper", worth(3, p, m)))
        s.add(chance, "equality", file, True)
        s.add(chance, "within", with_(file, ("1.upper", worth(3, p, m) + 1)), True)
        for path, x in (("p", m), ("m", p), ("p", 1), ("m", 0), ("p", 1 + UNIT), ("m", -UNIT)):
            s.add(chance, "beyond", with_(file, (f"1.mechanism.bit-vectors.{path}", x), ("1.upper", 10**6)), False)
        over = with_(file, ("1.mechanism.bit-vectors.p", p + UNIT), ("1.upper", 10**6))
        s.add(chance, "beyond", over, False)


def mixed(k: int, total: F, r: F) -> F:
    """Return the total variance if the truth is revealed with probability r."""
    return 1 / ((1 - r) / total + r * F(k, k - 1))


def revealed(k: int, d: int, g: F, r: F, delta: F, kind: str = "a-optimal") -> Document:
    """Return all sets of d, or the truth with probability r, at (log g, delta)."""
    file, n = subsets(k, d, g, "a-optimal"), 1 if kind == "a-optimal" else k - 1
    form = {"revealed-blocks": {**file[1]["mechanism"], "revealed": r}}
    return with_(
        file, ("0.region.delta", delta), ("0.objective.kind", kind), ("1.mechanism", form),
        ("1.lower", mixed(k, F(file[1]["lower"]), delta) / n), ("1.upper", mixed(k, F(file[1]["upper"]), r) / n),
        ("2.delta", bracket(delta)),
    )  # fmt: skip


def _revealed(s: Suite) -> None:
    """Blocks that reveal the truth, under delta > 0."""
    chance = s.condition(PAGE, "In `revealed-blocks`: 0 < r <= delta.below.", INEQUALITY)
    value = s.condition(PAGE, "`V = 1/((1-r)/V_0 + r k/(k-1))` and `L = 1/((1-D)/L_0 + D k/(k-1))`", INEQUALITY)
    outputs = s.condition(PAGE, "Its b is that of the blocks plus k", INEQUALITY)
    for k, d, g, delta in ((2, 1, F(3), F(1, 4)), (3, 1, F(4), F(1, 10)), (4, 2, F(3, 2), F(1, 3)), (3, 2, F(2), F(1))):
        for kind in ("a-optimal", "e-optimal"):
            file = revealed(k, d, g, delta, delta, kind)
            low, high = F(file[1]["lower"]), F(file[1]["upper"])
            s.add(value, "equality", file, True)
            s.add(value, "within", with_(file, ("1.lower", low - UNIT), ("1.upper", high + UNIT)), True)
            s.add(value, "beyond", with_(file, ("1.lower", low - UNIT), ("1.upper", high - UNIT)), False)
            s.add(value, "beyond", with_(file, ("1.lower", low + UNIT), ("1.upper", high + 1)), False)
        s.add(chance, "equality", revealed(k, d, g, delta, delta), True)
        s.add(chance, "within", revealed(k, d, g, delta - UNIT, delta), True)
        s.add(chance, "beyond", revealed(k, d, g, delta + UNIT, delta), False)
        plain = with_(revealed(k, d, g, delta, delta), ("1.mechanism.revealed-blocks.revealed", 0), ("1.upper", 10**6))
        s.add(chance, "beyond", plain, False, "form")
        negative = with_(plain, ("1.mechanism.revealed-blocks.revealed", -UNIT))
        s.add(chance, "beyond", negative, False)
    file = revealed(4, 2, F(3, 2), F(1, 3), F(1, 3))
    listed = with_(
        file, ("1.mechanism.revealed-blocks.blocks", {"family": "direct", "categories": 4, "gamma": F(3, 2)}),
        ("1.upper", 10**3),
    )  # fmt: skip
    for m, boundary in ((8, "equality"), (9, "within"), (7, "beyond")):
        is_true = boundary != "beyond"
        s.add(outputs, boundary, with_(listed, ("0.region.outputs", m)), is_true, known=is_true)


def _outputs(s: Suite) -> None:
    """At most M outputs."""
    count = s.condition(PAGE, "If `outputs` is M: b is counted and b <= M.", INEQUALITY)
    size = s.condition(PAGE, '`outputs` `"any"`, or a number M >= 2, at most 10^19:', INEQUALITY)
    g = F(3, 2)
    for file, b in ((classes(4, 7, 2, 1, 0, g), 14), (affine(4, 7, 3, 1, g), 42), (projective(4, 2, 3, 0, g), 7)):
        for m, boundary in ((b, "equality"), (b + 1, "within"), (b - 1, "beyond")):
            s.add(
                count, boundary, with_(file, ("0.region.outputs", m)), boundary != "beyond", known=boundary != "beyond"
            )
    s.add(count, "beyond", with_(subsets(4, 2, g), ("0.region.outputs", 6)), False)
    base = made(2, F(9), {"family": "direct"}, F(1, 2), F(0), outputs=2)
    s.add(size, "equality", base, True, known=True)
    s.add(size, "within", with_(base, ("0.region.outputs", 3)), True, known=True)
    for m in ("1", "0", "-2", "5/2"):
        s.add(size, "beyond", with_(base, ("0.region.outputs", m)), False, "form")


def _logarithms(s: Suite) -> None:
    """The determinant and the information, whose ends are irrational."""
    from mpmath import mp, mpf

    def near(x: Any) -> F:
        return F(int(mp.floor(x * mpf(10) ** 30)), 10**30)

    determinant = s.condition(
        PAGE, "| `d-optimal` | `lower <= ln k - (k-1) ln(V/(k-1))`, `ln k - (k-1) ln(L/(k-1)) <= upper` |", OPEN
    )
    told = s.condition(
        PAGE,
        "| `mutual-information` | `lower <= I(d_0, g)`, d_0 = k p/(g - p (g-1)); `I(d, G) <= upper` for the integers d in 1..k-1 nearest to",
        OPEN,
    )
    with mp.workdps(50):
        for k, d, g in ((2, 1, F(3)), (4, 2, F(3, 2)), (3, 1, F(9)), (4, 1, F(2))):
            v, low = (
                mpf(x.numerator) / x.denominator / (k - 1)
                for x in (worth(k, *chances(g, F(d, k), F(d * (d - 1), k * (k - 1)))), bound(k, g))
            )
            values = [near(mp.log(k) - (k - 1) * mp.log(x)) for x in (v, low)]
            infos = []
            for size in range(1, k):
                p = size * g / (size * g + k - size)
                infos.append(
                    sum(
                        mpf(x.numerator) / x.denominator * mp.log(mpf((x * k / n).numerator) / (x * k / n).denominator)
                        for x, n in ((p, size), (1 - p, k - size))
                    )
                )
            for kind, entered, (own, best) in (
                ("d-optimal", determinant, values),
                ("mutual-information", told, (near(infos[d - 1]), near(max(infos)))),
            ):
                file = with_(
                    subsets(k, d, g), ("0.objective.kind", kind), ("1.lower", own - UNIT), ("1.upper", best + UNIT)
                )
                s.add(entered, "within", file, True)
                s.add(entered, "beyond", with_(file, ("1.lower", own + UNIT), ("1.upper", best + 1)), False)
                s.add(entered, "beyond", with_(file, ("1.upper", best - UNIT), ("1.lower", best - 1)), False)
    moved = s.condition(PAGE, "Unless the objective is `a-optimal`, the mechanism is balanced.", SPECIAL)
    for kind in ("e-optimal", "d-optimal", "mutual-information"):
        file = with_(
            classes(4, 7, 2, 1, 0, F(3, 2)), ("0.objective.kind", kind), ("1.lower", -1000), ("1.upper", 10**6)
        )
        s.add(moved, "special value", file, False, known=True)


def _forms(s: Suite, base: Document) -> None:
    """Sizes, kinds and keys."""
    sizes = s.condition(PAGE, "`inputs` k, 2 <= k <= 10^7;", COUNT)
    for k in (0, 1):
        file = with_(base, ("0.population.uniform", k), ("0.region.inputs", k), ("1.mechanism.blocks.categories", k))
        s.add(sizes, "zero" if not k else "one", file, False, "form")
    big = made(10**7, F(2), {"family": "direct"}, F(1, 10**7), F(0))
    limit = with_(big, ("1.lower", 1))  # L is far above
    s.add(sizes, "limit", limit, True, known=True)
    more = 10**7 + 1
    over = with_(
        limit, ("0.population.uniform", more), ("0.region.inputs", more), ("1.mechanism.blocks.categories", more)
    )
    s.add(sizes, "beyond", over, False, "limit")
    same = s.condition(
        PAGE,
        "`inputs` and `categories` are the k of the population. The mechanism is as above; rho is not eta.",
        SPECIAL,
    )
    for path in ("0.population.uniform", "0.region.inputs", "1.mechanism.blocks.categories"):
        s.add(same, "special value", with_(base, (path, 5)), False, "form")
    for path, value in (
        ("0.region.family", "warner"), ("0.region.delta", "1/9"), ("0.objective.kind", "trace"), ("1.mechanism", {}),
        ("0.objective.kind", "c-optimal"), ("1.mechanism.blocks.family", "fano"), ("1.mechanism", {"matrix": [["1"]]}),
    ):  # fmt: skip
        s.add(same, "special value", with_(base, (path, value)), False, "form")
    s.add(same, "special value", projective(3, 2, 2, 0, F(3)), True)
    alike = with_(affine(2, 2, 1, 1, F(3)), ("1.mechanism.blocks.size", "2"))
    s.add(same, "special value", alike, False, "form")


def _families(s: Suite) -> None:
    """The parameters of every family at the ends of their ranges."""
    g = F(3)
    d = s.condition(PAGE, "| `subsets`: all sets of d | `size` d, 1 <= d < k |", COUNT)
    for size, boundary in ((0, "zero"), (1, "one"), (3, "limit"), (4, "beyond")):
        file = with_(subsets(4, min(max(size, 1), 3), g), ("1.mechanism.blocks.size", size))
        s.add(d, boundary, file, 1 <= size <= 3, "" if 1 <= size <= 3 else "form")
    t = s.condition(PAGE, "1 <= s < q, 1 <= t <= 64 |", COUNT)
    for size, boundary in ((0, "zero"), (1, "one"), (6, "limit"), (7, "beyond")):
        file = with_(affine(4, 7, min(max(size, 1), 6), 1, g), ("1.mechanism.blocks.size", size))
        s.add(t, boundary, file, 1 <= size <= 6, "" if 1 <= size <= 6 else "form")
    for dimension, boundary in ((0, "zero"), (1, "one"), (64, "limit"), (65, "beyond")):
        file = affine(2, 2, 1, min(max(dimension, 1), 64), g)
        file = with_(file, ("1.mechanism.blocks.dimension", dimension), ("1.upper", 10**9))
        good = 1 <= dimension <= 64
        s.add(t, boundary, file, good, "" if good else "form", known=True if good else None)
    e = s.condition(
        PAGE, "e <= 64 divides q - 1, 0 <= j <= e, z is 0 or 1 | q e | s/q, s = j (q-1)/e + z, 0 < s < q |", COUNT
    )
    for parts, boundary, good in (
        ((7, 1, 0, 1), "one", True), ((7, 3, 3, 0), "limit", True), ((7, 3, 0, 0), "zero", False),
        ((7, 3, 3, 1), "beyond", False), ((7, 4, 1, 0), "beyond", False), ((7, 3, 4, 0), "beyond", False),
        ((7, 3, 1, 2), "beyond", False), ((193, 64, 20, 0), "limit", True), ((131, 65, 20, 0), "beyond", False),
    ):  # fmt: skip
        k = 3 if parts[0] == 7 else 2
        whole = classes(k, *(parts if good else (7, 3, 1, 0)), g)
        named = dict(zip(("q", "index", "cosets", "zero"), parts, strict=True))
        changes = [(f"1.mechanism.blocks.{key}", x) for key, x in named.items()]
        s.add(
            e, boundary, with_(whole, *changes), good, "" if good else "form", known=True if good and k == 2 else None
        )
    h = s.condition(PAGE, "complement` 0 or 1; 2 <= t <= 64 |", COUNT)
    for parts, boundary, good in (
        ((2, 0, 0), "zero", False), ((2, 1, 0), "one", False), ((2, 64, 0), "limit", True), ((2, 65, 0), "beyond", False),
        ((2, 3, 2), "beyond", False), ((2, 2, 1), "limit", True),
    ):  # fmt: skip
        whole = projective(2, *(parts if good else (2, 3, 0)), g)
        named = dict(zip(("q", "dimension", "complement"), parts, strict=True))
        changes = [(f"1.mechanism.blocks.{key}", x) for key, x in named.items()]
        s.add(h, boundary, with_(whole, *changes), good, "" if good else "form", known=True if parts[1] == 64 else None)
    q = s.condition(PAGE, "q is a prime, at most 10^12.", SPECIAL)
    for number, good in (
        (0, False),
        (1, False),
        (2, True),
        (3, True),
        (4, False),
        (9, False),
        (91, False),
        (999_999_999_989, True),
        (10**12 + 39, False),
    ):
        whole = classes(2, number if good else 7, 1, 0, 1, g)
        file = with_(whole, ("1.mechanism.blocks.q", number), ("1.upper", 10**30))
        s.add(q, "special value", file, good, "" if good else "form", known=True if number > 100 and good else None)
    room = s.condition(PAGE, "k is at most q^t, q, n_t or v.", SPECIAL)
    for file in (
        affine(3, 3, 1, 1, g),
        classes(3, 3, 2, 1, 0, g),
        projective(4, 3, 2, 0, g),
        cyclic(3, 3, {0, 1}, 1, g),
    ):
        s.add(room, "special value", file, True)
        k = int(file[0]["population"]["uniform"]) + 1
        more = with_(
            file,
            ("0.population.uniform", k),
            ("0.region.inputs", k),
            ("1.mechanism.blocks.categories", k),
            ("1.lower", 0),
            ("1.upper", 10**6),
        )
        s.add(room, "special value", more, False, "form")


def _sets(s: Suite) -> None:
    """Rule 31."""
    g = F(3)
    modulus = s.condition(SETS, "`modulus` v, 2 <= v <= 2^21, and `base`,", COUNT)
    bits = s.condition(SETS, "bit x of it, 0 <= x < v, says whether the residue x is in the base block D.", SPECIAL)
    equal = s.condition(
        SETS, "The numbers `A(h) = #{y in D: (y + h) mod v in D}` are equal for h = 1, ..., k-1.", SPECIAL
    )
    base = cyclic(4, 7, {0, 1, 3}, 1, g)
    for v, boundary, good in ((0, "zero", False), (1, "one", False), (2, "limit", True), (2**21 + 1, "beyond", False)):
        file = cyclic(2, 2, {0}, 0, g) if good else with_(base, ("1.mechanism.blocks.modulus", v))
        s.add(modulus, boundary, file, good, "" if good else "form")
    for text in ("", "b", "00b", "8b", "0B", "0g", "-b", "00", "7f", " b"):
        s.add(bits, "special value", with_(base, ("1.mechanism.blocks.base", text)), False, "form")
    s.add(bits, "special value", base, True)
    s.add(equal, "special value", cyclic(4, 13, {0, 1, 3}, 1, g), True)
    for k, v, inside, both in (
        (5, 13, {0, 1, 3}, 1),
        (4, 7, {0, 1, 2}, 1),
        (4, 7, {0, 1, 3, 4}, 2),
        (4, 9, {0, 1, 4}, 1),
    ):
        file = with_(cyclic(k, v, inside, both, g), ("1.lower", 0), ("1.upper", 10**6))
        s.add(equal, "special value", file, False, "form")
