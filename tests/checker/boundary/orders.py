"""Rules 7, 8 and 18: garblings, decision problems, parity and admissibility."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, MATRIX, SPECIAL, UNIT, Suite, with_
from .designs import bracket

GARBLING, ADMISSIBLE = "garbling_rules.md", "admissibility_rules.md"
Document = tuple[Any, Any, Any]


def garbling(source: Any, kernel: Any, target: Any = None) -> Document:
    """Return the certificate of ``target = kernel source``."""
    if target is None:
        target = [
            [sum((F(c) * F(row[j]) for c, row in zip(line, source, strict=True)), F(0)) for j in range(len(source[0]))]
            for line in kernel
        ]
    problem = {"kind": "garbling", "source": {"matrix": source}, "target": {"matrix": target}}
    return with_((problem, {"kind": "garbling"}, {"rule": "garbling", "kernel": kernel}))


def decision(source: Any, target: Any, payoff: Any) -> Document:
    """Return the certificate that the target is no garbling of the source."""
    problem = {"kind": "garbling", "source": {"matrix": source}, "target": {"matrix": target}}
    return with_((problem, {"kind": "no-garbling"}, {"rule": "decision", "payoff": payoff}))


def bit(p: F) -> list[list[F]]:
    """Return randomized response."""
    return [[p, 1 - p], [1 - p, p]]


def mechanism(p: Any, level: Any, claim: Any, witness: Any) -> Document:
    """Return a certificate of rule 18."""
    return with_(({"kind": "mechanism", "mechanism": {"matrix": p}, "level": level}, claim, witness))


def add_to(s: Suite) -> None:
    """Add the files of both pages."""
    _garblings(s)
    _parities(s)
    _admissible(s)


def _garblings(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(GARBLING, sentence, needs)

    forms = condition(
        "`source` (m x k) and `target` (r x k) are mechanisms; `kernel` C is r x m, nonnegative, every column sums to 1;",
        (*INEQUALITY, *MATRIX),
    )
    product = condition("`C source = target`.", (*EQUATION, *MATRIX))
    half = F(1, 2)
    base = garbling(bit(F(3, 4)), bit(F(2, 3)))
    s.add(forms, "within", base, True)
    s.add(product, "equality", base, True)
    same = garbling(bit(F(3, 4)), bit(F(1)))
    s.add(forms, "equality", same, True)  # entries 0 and 1
    for sign, side in ((-1, "below"), (1, "above")):
        s.add(product, side, with_(base, ("2.kernel.0.0", F(2, 3) + sign * UNIT)), False)
        moved = with_(
            base, ("0.target.matrix", [[F(7, 12) + sign * UNIT, F(5, 12)], [F(5, 12) - sign * UNIT, F(7, 12)]])
        )
        s.add(product, side, moved, False)
        beyond = garbling(bit(F(3, 4)), bit(1 + UNIT)) if sign > 0 else garbling(bit(F(3, 4)), bit(-UNIT))
        s.add(forms, "beyond", beyond, False)  # a kernel with a negative entry
        column = with_(base, ("2.kernel", [[F(2, 3) + sign * UNIT, F(1, 3)], [F(1, 3), F(2, 3)]]))
        s.add(forms, "beyond", column, False)
        s.add(forms, "beyond", with_(base, ("0.source.matrix.0.0", F(3, 4) + sign * UNIT)), False)
        s.add(forms, "beyond", with_(base, ("0.target.matrix.0.0", F(7, 12) + sign * UNIT)), False)
    s.add(
        forms,
        "beyond",
        with_(
            garbling(bit(F(3, 4)), bit(F(1))),
            ("0.source.matrix", [["5/4", "-1/4"], ["-1/4", "5/4"]]),
            ("0.target.matrix", [["5/4", "-1/4"], ["-1/4", "5/4"]]),
        ),
        False,
    )
    even = [[half, half], [half, half]]
    for boundary, source, kernel in (
        ("singular", even, bit(F(1))), ("equal columns", bit(F(3, 4)), even), ("singular on the contrasts", [*even, ["0", "0"]], [["1", "0", "1/2"], ["0", "1", "1/2"]]),
        ("empty category", [["0", "0"], *bit(F(3, 4))], [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]), ("equal columns", [["1", "1"]], [["1/2"], ["1/2"]]),
        ("empty category", [["1"], ["0"]], [["1/2", "1"], ["1/2", "0"]]),
    ):  # fmt: skip
        for entered in (forms, product):
            s.add(entered, boundary, garbling(source, kernel), True)
    s.add(product, "singular", with_(garbling(even, bit(F(1))), ("0.target.matrix", bit(half + UNIT))), False)

    strict = condition("`sum_o max_i Y_i . P_o < sum_i Y_i . A_i`.", (*INEQUALITY, *MATRIX))
    for p, a, boundary in (
        (F(3, 4), F(3, 4) + UNIT, "within"),
        (F(3, 4), F(3, 4), "equality"),
        (F(3, 4), F(3, 4) - UNIT, "beyond"),
        (half, half + UNIT, "within"),
    ):
        s.add(strict, boundary, decision(bit(p), bit(a), [["1", "-1"], ["-1", "1"]]), boundary == "within")
    s.add(strict, "equality", decision(bit(half), bit(F(1)), [["0", "0"], ["0", "0"]]), False)
    s.add(strict, "equality", decision(bit(half), bit(F(1)), [["1", "1"], ["1", "1"]]), False)
    for boundary, source, target in (
        ("singular", even, bit(half + UNIT)), ("equal columns", [["1", "1"]], bit(F(3, 4))), ("singular on the contrasts", [*even, ["0", "0"]], bit(F(3, 4))),
        ("empty category", [["0", "0"], *bit(F(3, 4))], bit(F(4, 5))),
    ):  # fmt: skip
        s.add(strict, boundary, decision(source, target, [["1", "-1"], ["-1", "1"]]), True)
        for change in (UNIT, -UNIT):
            shifted = [[1 + change, -1 + change], [-1, 1]]
            s.add(strict, boundary, decision(source, target, shifted), True)
    s.add(strict, "beyond", decision(bit(F(3, 4)), even, [["1", "-1"], ["-1", "1"]]), False)
    for p in (F(2, 3), F(3, 4), F(1)):  # what the target pays beyond, it has to pay strictly
        for change in (F(0), UNIT, -UNIT):
            pays = [[1, -1], [-1 + change, 1 - change]]
            s.add(strict, "equality" if change == 0 else "beyond", decision(bit(p), bit(p), pays), False)
    shape = condition("`payoff` Y has the shape of `target` A (r x k), any rationals.", ("within", "beyond"))
    s.add(shape, "within", decision(bit(half), bit(F(1)), [["-7", "-9"], ["-8", "-6"]]), True)
    s.add(shape, "beyond", decision(bit(half), bit(F(1)), [["1", "-1"]]), False, "form")


def _parities(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(ADMISSIBLE, sentence, needs)

    parity = condition(
        '`parity` (level `null`, the only claim with that; witness `{"rule": "parity"}`): the claimed parity equals the computed one.',
        (*EQUATION, *MATRIX),
    )

    def of(p: Any, claimed: Any) -> Document:
        return mechanism(p, None, {"kind": "parity", "parity": claimed}, {"rule": "parity"})

    half = F(1, 2)
    s.add(parity, "equality", of(bit(F(3, 4)), "3"), True)
    for sign, side in ((-1, "below"), (1, "above")):
        s.add(parity, side, of(bit(F(3, 4)), 3 + sign * UNIT), False)
        s.add(parity, side, of(bit(half), 1 + sign * UNIT), False)
    s.add(parity, "below", of(bit(F(3, 4)), "-3"), False)
    s.add(parity, "above", of(bit(F(3, 4)), "infinite"), False)
    for boundary, p, true in (
        ("singular", bit(half), "1"), ("equal columns", [["1", "1"]], "1"), ("singular on the contrasts", [["1/2", "1/2"], ["0", "0"], ["1/2", "1/2"]], "1"),
        ("empty category", [["0", "0"], *bit(F(3, 4))], "3"), ("empty category", [["1"]], "1"), ("empty category", bit(F(1)), "infinite"), ("equal columns", [["1", "1"], ["0", "0"]], "1"),
        ("empty category", [["1", 1 - UNIT], ["0", UNIT]], "infinite"),
    ):  # fmt: skip
        s.add(parity, boundary, of(p, true), True)
        for wrong in sorted({"1", "3", "infinite", "0", "-1"} - {true}):
            s.add(parity, boundary, of(p, wrong), False)
    profile = condition("`lower = d(gamma.above)`, `upper = d(gamma.below)`.", (*EQUATION, *MATRIX))

    def at(p: Any, g: F, d: Any) -> Document:
        level = {"log": g} if g > 1 else {"rational": "0"}
        return mechanism(p, level, {"kind": "profile", "lower": d, "upper": d}, {"rule": "parity", "gamma": bracket(g)})

    for p, g, d in (
        (bit(F(3, 4)), F(2), F(1, 4)),
        (bit(F(3, 4)), F(3), F(0)),
        (bit(F(3, 4)), 3 + UNIT, F(0)),
        (bit(F(3, 4)), 3 - UNIT, UNIT / 4),
        (bit(F(1)), F(2), F(1)),
        (bit(F(3, 4)), F(1), half),
    ):
        s.add(profile, "equality", at(p, g, d), True)
        for sign, side in ((-1, "below"), (1, "above")):
            for key in ("lower", "upper"):
                s.add(profile, side, with_(at(p, g, d), (f"1.{key}", d + sign * UNIT)), False)
    for boundary, p, d in (
        ("singular", bit(half), F(0)), ("equal columns", [["1", "1"]], F(0)), ("empty category", [["0", "0"], *bit(F(1))], F(1)), ("singular on the contrasts", [[half, half, "0"], [half, half, "1"]], half),
    ):  # fmt: skip
        s.add(profile, boundary, at(p, F(1), d), True)
        s.add(profile, boundary, at(p, F(1), d - UNIT), False)
    one = condition("(0 with one input)", SPECIAL)
    s.add(one, "special value", at([["1/3"], ["2/3"]], F(2), F(0)), True)
    s.add(one, "special value", at([["1/3"], ["2/3"]], F(2), UNIT), False)


def _admissible(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(ADMISSIBLE, sentence, needs)

    ratio = condition(
        "every row has at most two distinct values and its largest is exactly gamma times its least.", EQUATION
    )
    entries = condition("m >= 2; all entries positive; no two rows proportional;", (*MATRIX, *COUNT[:2], "beyond"))

    def good(p: Any, g: F) -> Document:
        return mechanism(p, {"log": g} if g > 1 else {"rational": "0"}, {"kind": "admissible"}, {"rule": "admissible"})

    def rows(g: F, k: int) -> Any:
        return [[(g if i == j else F(1)) / (g + k - 1) for j in range(k)] for i in range(k)]

    for g in (F(3), 1 + UNIT, F(10) ** 6):
        for k in (2, 3):
            s.add(ratio, "equality", good(rows(g, k), g), True)
            for change, side in ((-UNIT / 2, "below"), (UNIT, "above")):
                s.add(ratio, side, good(rows(g + change, k), g), False)
    three = [["3/5", "1/5", "2/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "2/5"]]  # three values in a row
    s.add(ratio, "above", good(three, F(3)), False)
    half = F(1, 2)
    for boundary, p in (
        ("singular", bit(half)), ("equal columns", [["1", "1"]]), ("equal columns", [["1/4", "1/4"], ["3/4", "3/4"]]), ("one", [["1", "1"]]), ("zero", [["0", "0"], *bit(F(3, 4))]),
        ("empty category", [["3/4", "0"], ["1/4", "1"]]), ("beyond", [["3/8", "1/8"], ["3/8", "1/8"], ["1/4", "3/4"]]), ("beyond", bit(F(1))), ("singular on the contrasts", [["3/4", "1/4", "1/4"], ["1/8", "3/8", "3/8"], ["1/8", "3/8", "3/8"]]),
    ):  # fmt: skip
        s.add(entries, boundary, good(p, F(3)), False)
    alone = condition('`admissible`: the level is `{"log": q}` alone;', SPECIAL)
    s.add(alone, "special value", good(bit(half), F(1)), False)
    base = good(bit(F(3, 4)), F(3))
    s.add(alone, "special value", with_(base, ("0.level", {"log": "3", "times": "1/2"})), False)
    s.add(alone, "special value", with_(base, ("0.level", {"log": "9", "times": "1/2"})), False, known=True)
    s.add(alone, "special value", with_(base, ("0.level", {"rational": "1"})), False)
    s.add(alone, "special value", with_(base, ("0.level", None)), False, "form")

    dominated = condition(
        "P has parity <= gamma.below, m >= 2, no zero row, no proportional rows;", (*INEQUALITY, *MATRIX)
    )
    level = condition("`dominated`: gamma.below > 1 by rule 1;", INEQUALITY)

    def worse(p: F, a: F, g: F, g_below: F | None = None, level_: Any = None) -> Document:
        # C of the bit a is the bit p: c a + (1 - c)(1 - a) = p
        c = (p + a - 1) / (2 * a - 1)
        witness = {
            "rule": "dominated",
            "gamma": bracket(g_below or g, g),
            "dominating": bit(a),
            "kernel": bit(c),
            "payoff": [["1", "-1"], ["-1", "1"]],
        }
        return mechanism(bit(p), level_ or {"log": g}, {"kind": "inadmissible"}, witness)

    base = worse(F(2, 3), F(3, 4), F(3))
    s.add(dominated, "within", base, True)
    s.add(level, "within", base, True)
    s.add(dominated, "within", worse(F(3, 4) - UNIT, F(3, 4), F(3)), True)
    s.add(dominated, "equality", worse(F(3, 4), F(3, 4), F(3)), False)  # P is A
    s.add(dominated, "beyond", worse(F(3, 4), F(3, 4) + UNIT, F(3)), False)
    s.add(dominated, "beyond", worse(F(4, 5), F(5, 6), F(3)), False)
    s.add(dominated, "within", worse(F(2, 3), F(3, 4) - UNIT, F(3)), True)
    root = {"log": "9", "times": "1/2"}
    s.add(dominated, "within", worse(F(2, 3), F(3, 4), 3 + UNIT, F(3), root), True)
    s.add(dominated, "beyond", worse(F(2, 3), F(3, 4), 3 + UNIT, 3 - UNIT, root), False)
    small = {"log": 1 + UNIT, "times": "1/2"}
    m = F(1, 2) + UNIT / 100
    s.add(
        level,
        "equality",
        mechanism(
            bit(m - UNIT / 1000),
            small,
            {"kind": "inadmissible"},
            {**worse(m - UNIT / 1000, m, F(3))[2], "gamma": bracket(F(1), 1 + UNIT)},
        ),
        False,
    )
    s.add(
        level,
        "within",
        mechanism(
            bit(m - UNIT / 1000),
            small,
            {"kind": "inadmissible"},
            {**worse(m - UNIT / 1000, m, F(3))[2], "gamma": bracket(1 + UNIT / 3, 1 + UNIT)},
        ),
        True,
    )
    s.add(
        level,
        "beyond",
        mechanism(bit(half), {"rational": "0"}, {"kind": "inadmissible"}, {**base[2], "gamma": bracket(F(1))}),
        False,
    )
    for boundary, p in (
        ("singular", bit(half)), ("equal columns", [["1", "1"]]), ("empty category", [["0", "0"], *bit(F(2, 3))]), ("singular on the contrasts", [["1/4", "1/4"], ["3/4", "3/4"]]),
        ("equal columns", [["1/3", "1/6"], ["1/3", "1/6"], ["1/3", "2/3"]]),
    ):  # fmt: skip
        kernel = {1: [["1", "1"]], 2: bit(half), 3: [["0", "0"], ["5/6", "1/6"], ["1/6", "5/6"]]}[len(p)]
        s.add(
            dominated,
            boundary,
            with_(base, ("0.mechanism.matrix", p), ("2.kernel", kernel), ("2.payoff", [["1", "-1"]] * len(p))),
            False,
        )
    # the constant mechanism is a garbling of everything, but its rows are proportional: it is not in the class
    even = with_(base, ("0.mechanism.matrix", bit(half)), ("2.kernel", bit(half)))
    s.add(dominated, "singular", even, False)
    s.add(dominated, "singular", with_(base, ("2.dominating", bit(half))), False)
    s.add(dominated, "equal columns", with_(base, ("2.dominating", [["1/4", "1/4"], ["3/4", "3/4"]])), False)
    s.add(dominated, "empty category", with_(base, ("2.dominating", bit(F(1)))), False)
